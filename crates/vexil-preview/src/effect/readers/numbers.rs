//! Numbers in texts: where a decimal number is rounded to a float that is at or above a cut.

use std::cmp::Ordering;

use regex_syntax::hir::ClassUnicode;

use super::{Open, Reader, Said, digits, set};

/// Whole numbers of so many digits are finite.
const SURE_DIGITS: usize = 308;

/// Reads numbers against some in ascending order.
pub(crate) struct Numbers {
    /// Where numbers with a minus, without it, cease to be at or above the cuts up to zero, the highest first.
    pub(super) below: Vec<Bound>,
    /// Where numbers without one begin to be at or above the cuts above zero.
    pub(super) above: Vec<Bound>,
}

/// A decimal number in the middle between two floats.
pub(super) struct Bound {
    /// Without zeros in front.
    pub(super) whole: Vec<u8>,
    /// Without zeros at the end.
    pub(super) fraction: Vec<u8>,
    /// Whether what is as large counts as larger.
    pub(super) is_above: bool,
}

/// How many digits come behind the point of a float.
fn precision(number: f64) -> usize {
    let exponent = (number.to_bits() >> 52 & 0x7ff).max(1) as usize;
    1_075_usize.saturating_sub(exponent)
}

impl Bound {
    /// Where what rounds to `number`, which is above zero, begins.
    fn at(number: f64) -> Self {
        let is_even = number.to_bits() & 1 == 0;
        Self::between(number.next_down(), number, is_even)
    }

    /// Where what rounds to a larger number than this one begins; it is not below zero.
    fn behind(number: f64) -> Self {
        let is_even = number.to_bits() & 1 == 0;
        Self::between(number, number.next_up(), !is_even)
    }

    fn between(one: f64, other: f64, is_above: bool) -> Self {
        if other.is_infinite() {
            // no number is as large as this
            return Self {
                whole: vec![b'9'; SURE_DIGITS + 2],
                fraction: Vec::new(),
                is_above,
            };
        }
        let behind_point = precision(one).max(precision(other));
        let digits = |number: f64| -> Vec<u8> {
            let text = format!("{number:.behind_point$}");
            let all = text.bytes().rev().filter(u8::is_ascii_digit);
            all.map(|letter| letter - b'0').collect()
        };
        let (one, other) = (digits(one), digits(other));
        // the sum, the last digit first
        let mut carried = 0;
        let mut sum: Vec<u8> = Vec::with_capacity(one.len() + 2);
        for place in 0..=one.len().max(other.len()) {
            let digit = |digits: &[u8]| digits.get(place).copied().unwrap_or_default();
            let both = digit(&one) + digit(&other) + carried;
            sum.push(both % 10);
            carried = both / 10;
        }
        // its half, the first digit first
        let mut left = 0;
        let mut half: Vec<u8> = Vec::with_capacity(sum.len() + 1);
        for digit in sum.iter().rev() {
            let both = left * 10 + digit;
            half.push(b'0' + both / 2);
            left = both % 2;
        }
        half.push(b'0' + left * 5);
        let point = half.len().saturating_sub(behind_point + 1);
        let (whole, fraction) = half.split_at_checked(point).unwrap_or((&half, &[]));
        let zeros = whole.iter().take_while(|digit| **digit == b'0').count();
        let last = fraction.iter().rposition(|digit| *digit != b'0');
        Self {
            whole: whole.get(zeros..).unwrap_or_default().to_vec(),
            fraction: fraction
                .get(..last.map_or(0, |last| last + 1))
                .unwrap_or_default()
                .to_vec(),
            is_above,
        }
    }
}

/// The digits before the point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Whole {
    /// How many, as far as that matters, without zeros in front.
    count: usize,
    /// How they stand to as many of each bound's.
    stands: Vec<Ordering>,
    /// Whether there is any, zeros as well.
    any: bool,
    /// Whether it may be too large.
    large: bool,
}

/// The digits behind the point, and what is known of those before it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Fraction {
    open: Open,
    /// How many, as far as that matters.
    count: usize,
    any: bool,
    is_zero: bool,
    large: bool,
}

/// What is known of a number behind the letter in front of its exponent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Power {
    said: Said,
    is_zero: bool,
    /// The sign of the exponent: whether it is a minus.
    sign: Option<bool>,
    /// Whether it has a digit, and whether one that is not zero.
    any: bool,
    counts: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum State {
    /// Blanks.
    Start,
    /// Digits of a number; whether it has a minus.
    Whole(bool, Whole),
    Fraction(bool, Fraction),
    Power(bool, Power),
    /// Blanks behind a number.
    End(Said),
}

impl Numbers {
    pub(crate) fn new(cuts: impl Iterator<Item = f64>) -> Self {
        let (above, mut below): (Vec<f64>, Vec<f64>) = cuts.partition(|cut| *cut > 0.0);
        below.reverse();
        Self {
            below: below.into_iter().map(|cut| Bound::behind(-cut + 0.0)).collect(),
            above: above.into_iter().map(Bound::at).collect(),
        }
    }

    fn bounds(&self, minus: bool) -> &[Bound] {
        if minus { &self.below } else { &self.above }
    }

    fn whole(&self, minus: bool) -> Whole {
        Whole {
            count: 0,
            stands: vec![Ordering::Equal; self.bounds(minus).len()],
            any: false,
            large: false,
        }
    }

    fn longer(&self, minus: bool, whole: &Whole, digit: u8) -> Whole {
        if whole.count == 0 && digit == b'0' {
            return Whole {
                any: true,
                ..whole.clone()
            };
        }
        let bounds = self.bounds(minus);
        let longest = bounds
            .iter()
            .map(|bound| bound.whole.len())
            .max()
            .unwrap_or_default();
        let count = (whole.count + 1).min(longest + 1);
        let stands = bounds.iter().zip(&whole.stands).map(|(bound, stands)| {
            let other = bound.whole.get(whole.count);
            stands.then_with(|| other.map_or(Ordering::Equal, |other| digit.cmp(other)))
        });
        Whole {
            count,
            stands: stands.collect(),
            any: true,
            large: whole.large || count == whole.count || count > SURE_DIGITS,
        }
    }

    fn pointed(&self, minus: bool, whole: &Whole) -> Fraction {
        let bounds = self.bounds(minus).iter();
        let compared: Vec<Ordering> = bounds
            .zip(&whole.stands)
            .map(|(bound, stands)| whole.count.cmp(&bound.whole.len()).then(*stands))
            .collect();
        Fraction {
            open: Open {
                from: compared.partition_point(|it| it.is_gt()),
                to: compared.partition_point(|it| it.is_ge()),
            },
            count: 0,
            any: whole.any,
            is_zero: whole.count == 0,
            large: whole.large,
        }
    }

    fn finer(&self, minus: bool, fraction: &Fraction, digit: u8) -> Fraction {
        let bounds = self.bounds(minus);
        let open = fraction.open.narrowed(bounds, |bound| {
            let other = bound.fraction.get(fraction.count).copied().unwrap_or(b'0');
            digit.cmp(&other)
        });
        let longest = open.of(bounds).iter().map(|bound| bound.fraction.len()).max();
        Fraction {
            open,
            count: (fraction.count + 1).min(longest.unwrap_or_default()),
            any: true,
            is_zero: fraction.is_zero && digit == b'0',
            large: fraction.large,
        }
    }

    /// What a number without an exponent says.
    fn plainly(&self, minus: bool, fraction: &Fraction) -> Said {
        let bounds = self.bounds(minus);
        let mut equal = fraction.open.of(bounds).iter();
        let equal = equal.any(|bound| bound.fraction.len() <= fraction.count && bound.is_above);
        let reached = fraction.open.from + usize::from(equal);
        let passed = if minus {
            self.below.len() - reached
        } else {
            self.below.len() + reached
        };
        Said {
            perhaps_none: fraction.large,
            ..Said::exactly(passed)
        }
    }

    /// What a number says that has this exponent.
    fn by_power(&self, minus: bool, power: &Power) -> Said {
        let (zero, said) = (self.below.len(), power.said);
        match (minus, power.sign == Some(true)) {
            _ if power.is_zero || !power.counts => said,
            (false, true) => Said { fewest: zero, ..said },
            (true, true) => Said { most: zero, ..said },
            (false, false) => Said {
                most: zero + self.above.len(),
                perhaps_none: true,
                ..said
            },
            (true, false) => Said {
                fewest: 0,
                perhaps_none: true,
                ..said
            },
        }
    }
}

impl Reader for Numbers {
    type State = State;

    fn start(&self) -> State {
        State::Start
    }

    fn step(&self, state: &State, letter: char, next: &mut Vec<State>) {
        let digit = u8::try_from(letter).ok().filter(u8::is_ascii_digit);
        let is_power = matches!(letter, 'e' | 'E');
        next.extend(match (state, digit) {
            (State::Start, Some(digit)) => {
                Some(State::Whole(false, self.longer(false, &self.whole(false), digit)))
            }
            (State::Start, None) => match letter {
                '+' | '-' => Some(State::Whole(letter == '-', self.whole(letter == '-'))),
                '.' => Some(State::Fraction(false, self.pointed(false, &self.whole(false)))),
                _ if letter.is_whitespace() => Some(State::Start),
                _ => None,
            },
            (State::Whole(minus, whole), Some(digit)) => {
                Some(State::Whole(*minus, self.longer(*minus, whole, digit)))
            }
            (State::Whole(minus, whole), None) if letter == '.' => {
                Some(State::Fraction(*minus, self.pointed(*minus, whole)))
            }
            (State::Fraction(minus, fraction), Some(digit)) => {
                Some(State::Fraction(*minus, self.finer(*minus, fraction, digit)))
            }
            (State::Whole(minus, _) | State::Fraction(minus, _), None) if is_power => {
                let is_zero = matches!(state, State::Whole(_, whole) if whole.count == 0)
                    || matches!(state, State::Fraction(_, fraction) if fraction.is_zero);
                self.says(state).map(|said| {
                    let power = Power {
                        said,
                        is_zero,
                        sign: None,
                        any: false,
                        counts: false,
                    };
                    State::Power(*minus, power)
                })
            }
            (State::Power(minus, power), Some(digit)) => {
                let power = Power {
                    any: true,
                    counts: power.counts || digit != b'0',
                    ..power.clone()
                };
                Some(State::Power(*minus, power))
            }
            (State::Power(minus, power), None) if matches!(letter, '+' | '-') => {
                let power = Power {
                    sign: Some(letter == '-'),
                    ..power.clone()
                };
                Some(State::Power(*minus, power)).filter(|_| !power_has_begun(state))
            }
            _ if letter.is_whitespace() => self.says(state).map(State::End),
            _ => None,
        });
    }

    fn says(&self, state: &State) -> Option<Said> {
        match state {
            State::Whole(minus, whole) if whole.any => {
                Some(self.plainly(*minus, &self.pointed(*minus, whole)))
            }
            State::Fraction(minus, fraction) if fraction.any => Some(self.plainly(*minus, fraction)),
            State::Power(minus, power) if power.any => Some(self.by_power(*minus, power)),
            State::End(said) => Some(*said),
            _ => None,
        }
    }

    fn letters(&self) -> Vec<ClassUnicode> {
        digits().chain([".", "+", "-", "eE"].map(set)).collect()
    }
}

/// Whether an exponent has a sign or a digit.
fn power_has_begun(state: &State) -> bool {
    matches!(state, State::Power(_, power) if power.any || power.sign.is_some())
}
