//! Numbers with an exponent in texts, told exactly where the point is near the first digit that is not zero, and where
//! they do not agree with a bound in many digits.
//!
//! What has no exponent, and what has its point too far away, is read as `numbers` does.

use std::cmp::Ordering;

use regex_syntax::hir::ClassUnicode;

use super::numbers::{self, Bound, Numbers};
use super::{Reader, Said};

/// The point lies so many digits from the first that is not zero, at most.
const NEAR: i32 = 8;
/// So many digits agree with those of a bound, at most.
const MOST_DIGITS: usize = 18;
/// Numbers below ten to this power are finite,
const FINITE: i32 = 308;
/// and from one digit more on none is.
const INFINITE: i32 = FINITE + 2;

/// Reads numbers against some in ascending order.
pub(crate) struct Powers {
    numbers: Numbers,
    /// The bounds of numbers with a minus and without it.
    below: Vec<Scale>,
    above: Vec<Scale>,
}

/// A bound as a fraction of one and a power of ten.
struct Scale {
    /// Behind the point, without zeros at either end.
    digits: Vec<u8>,
    power: i32,
    /// Whether what is as large counts as larger.
    is_above: bool,
}

impl Scale {
    fn of(bound: &Bound) -> Self {
        let all: Vec<u8> = bound.whole.iter().chain(&bound.fraction).copied().collect();
        let zeros = all.iter().take_while(|digit| **digit == b'0').count();
        let last = all.iter().rposition(|digit| *digit != b'0');
        Self {
            digits: all
                .get(zeros..last.map_or(zeros, |last| last + 1))
                .unwrap_or_default()
                .to_vec(),
            power: bound.whole.len() as i32 - zeros as i32,
            is_above: bound.is_above,
        }
    }
}

/// The digits of a number from the first that is not zero on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Digits {
    /// How many, as far as that matters.
    count: usize,
    /// How they stand to as many of each bound's.
    stands: Vec<Ordering>,
    /// Whether there is any.
    begun: bool,
    /// Whether the point has come.
    pointed: bool,
    /// The number is a fraction of one times ten to this power.
    power: i32,
}

/// What is known of a number behind the letter in front of its exponent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Exponent {
    /// The least exponents with which the number reaches the bounds.
    reached: Vec<i32>,
    power: i32,
    /// The sign of the exponent: whether it is a minus.
    sign: Option<bool>,
    read: Option<i32>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum State {
    /// No more than this is known.
    Plain(numbers::State),
    /// Digits of a number; whether it has a minus.
    Digits(bool, numbers::State, Digits),
    Power(bool, Exponent),
    /// An exponent of which any more digit leads beyond all bounds: its sign, and what the number says that ends here.
    Beyond(bool, Option<Said>),
}

impl Powers {
    pub(crate) fn new(numbers: Numbers) -> Self {
        Self {
            below: numbers.below.iter().map(Scale::of).collect(),
            above: numbers.above.iter().map(Scale::of).collect(),
            numbers,
        }
    }

    fn bounds(&self, minus: bool) -> &[Scale] {
        if minus { &self.below } else { &self.above }
    }

    /// What a number says that reaches so many bounds.
    fn reaching(&self, minus: bool, count: usize) -> Said {
        let zero = self.below.len();
        Said::exactly(if minus { zero - count } else { zero + count })
    }

    fn digits(&self, minus: bool) -> Digits {
        Digits {
            count: 0,
            stands: vec![Ordering::Equal; self.bounds(minus).len()],
            begun: false,
            pointed: false,
            power: 0,
        }
    }

    /// The digits with one more letter; `None` where the point is too far away, or they agree with a bound for long.
    fn longer(&self, minus: bool, digits: &Digits, letter: char) -> Option<Digits> {
        let mut longer = digits.clone();
        let Some(digit) = u8::try_from(letter).ok().filter(u8::is_ascii_digit) else {
            longer.pointed |= letter == '.';
            return Some(longer);
        };
        longer.begun |= digit != b'0';
        match (longer.begun, digits.pointed) {
            (true, false) => longer.power += 1,
            (false, true) => longer.power -= 1,
            _ => {}
        }
        if longer.begun {
            let bounds = self.bounds(minus);
            for (bound, stands) in bounds.iter().zip(&mut longer.stands) {
                let other = bound.digits.get(digits.count).copied().unwrap_or(b'0');
                *stands = stands.then(digit.cmp(&other));
            }
            let open = bounds.iter().zip(&longer.stands);
            let open = open.filter(|(_, stands)| stands.is_eq());
            let longest = open.map(|(bound, _)| bound.digits.len()).max();
            longer.count = (digits.count + 1).min(longest.unwrap_or_default());
        }
        (longer.power.abs() <= NEAR && longer.count <= MOST_DIGITS).then_some(longer)
    }

    /// What is known where an exponent begins.
    fn power(&self, minus: bool, digits: &Digits) -> Exponent {
        let all = self.bounds(minus).iter().zip(&digits.stands);
        let reached = all.map(|(bound, stands)| {
            let is_whole = digits.count >= bound.digits.len();
            let reaches = stands.is_gt() || stands.is_eq() && is_whole && bound.is_above;
            bound.power - digits.power + i32::from(!reaches)
        });
        Exponent {
            reached: reached.collect(),
            power: digits.power,
            sign: None,
            read: None,
        }
    }

    /// What a number says that ends behind an exponent.
    fn said(&self, minus: bool, known: &Exponent) -> Option<Said> {
        let read = known.read?;
        let exponent = if known.sign == Some(true) { -read } else { read };
        let power = known.power + exponent;
        let count = known.reached.partition_point(|least| *least <= exponent);
        (power < INFINITE).then(|| Said {
            perhaps_none: power > FINITE,
            ..self.reaching(minus, count)
        })
    }

    /// The exponent with one more digit.
    fn read(&self, minus: bool, known: &Exponent, digit: u8) -> State {
        let read = known.read.unwrap_or_default() * 10 + i32::from(digit - b'0');
        let longer = Exponent {
            read: Some(read),
            ..known.clone()
        };
        let farthest = known.reached.iter().map(|least| least.abs()).max();
        let farthest = farthest.unwrap_or_default().max(INFINITE + known.power.abs());
        if read * 10 <= farthest {
            return State::Power(minus, longer);
        }
        // what is less than all bounds does not say so with its sign
        State::Beyond(known.sign == Some(true), self.said(minus, &longer))
    }
}

impl Reader for Powers {
    type State = State;

    fn start(&self) -> State {
        State::Plain(self.numbers.start())
    }

    fn step(&self, state: &State, letter: char, next: &mut Vec<State>) {
        let digit = u8::try_from(letter).ok().filter(u8::is_ascii_digit);
        match state {
            State::Plain(plain) => {
                let is_first = *plain == self.numbers.start();
                next.extend(self.plainly(plain, letter).map(
                    |(plain, minus)| match minus.filter(|_| is_first) {
                        Some(minus) => match self.longer(minus, &self.digits(minus), letter) {
                            Some(digits) => State::Digits(minus, plain, digits),
                            None => State::Plain(plain),
                        },
                        None => State::Plain(plain),
                    },
                ));
            }
            State::Digits(minus, plain, digits) => {
                next.extend(
                    self.plainly(plain, letter)
                        .map(|(plain, goes_on)| match (goes_on, &plain) {
                            (Some(_), _) => match self.longer(*minus, digits, letter) {
                                Some(digits) => State::Digits(*minus, plain, digits),
                                None => State::Plain(plain),
                            },
                            (None, numbers::State::Power(..)) if digits.begun => {
                                State::Power(*minus, self.power(*minus, digits))
                            }
                            (None, _) => State::Plain(plain),
                        }),
                );
            }
            State::Power(minus, known) => match (digit, letter) {
                (Some(digit), _) => next.push(self.read(*minus, known, digit)),
                (None, '+' | '-') if known.sign.is_none() && known.read.is_none() => {
                    let sign = Some(letter == '-');
                    let known = known.clone();
                    next.push(State::Power(*minus, Exponent { sign, ..known }));
                }
                _ => next.extend(self.ended(state, letter)),
            },
            State::Beyond(sign, _) if digit.is_some() => {
                let zero = self.reaching(false, 0);
                next.push(State::Beyond(*sign, sign.then_some(zero)));
            }
            State::Beyond(..) => next.extend(self.ended(state, letter)),
        }
    }

    fn says(&self, state: &State) -> Option<Said> {
        match state {
            State::Plain(plain) | State::Digits(_, plain, _) => self.numbers.says(plain),
            State::Power(minus, known) => self.said(*minus, known),
            State::Beyond(_, said) => *said,
        }
    }

    fn letters(&self) -> Vec<ClassUnicode> {
        self.numbers.letters()
    }
}

impl Powers {
    /// What is known without exponents behind one more letter; and where that are digits or a point, whether it has
    /// a minus.
    fn plainly(&self, plain: &numbers::State, letter: char) -> Option<(numbers::State, Option<bool>)> {
        let mut next = Vec::new();
        self.numbers.step(plain, letter, &mut next);
        let next = next.pop()?;
        let minus = match next {
            numbers::State::Whole(minus, _) | numbers::State::Fraction(minus, _) => Some(minus),
            _ => None,
        };
        Some((next, minus))
    }

    /// What is known behind a blank.
    fn ended(&self, state: &State, letter: char) -> Option<State> {
        let said = self.says(state).filter(|_| letter.is_whitespace())?;
        Some(State::Plain(numbers::State::End(said)))
    }
}
