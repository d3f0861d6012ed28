//! Versions in texts.

use std::cmp::Ordering;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};
use vexil_values::VersionBuf;

use super::{Open, Reader, Said, digits, set};

/// Numbers of so many digits are below 2^64.
const SURE_DIGITS: usize = 19;

/// Reads versions against some in ascending order.
pub(crate) struct Versions {
    cuts: Vec<Cut>,
}

struct Cut {
    core: [String; 3],
    /// The identifiers of the pre-release.
    pre: Vec<String>,
}

/// Part of a version that is being read: how it stands to that of each open cut, letter by letter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Part {
    open: Open,
    /// How many letters, as far as that matters.
    count: usize,
    /// How these stand to as many of each cut's.
    stands: Vec<Ordering>,
    is_zero: bool,
    /// Whether all are digits.
    is_number: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum State {
    /// Major, minor or patch; and whether one of them may be too large.
    Core(usize, Part, bool),
    /// An identifier of the pre-release, by its place.
    Pre(usize, Part, bool),
    /// The build: how many cuts were passed, and whether its identifier has no letters.
    Build(usize, bool, bool),
}

impl Versions {
    pub(crate) fn new<'v>(cuts: impl Iterator<Item = &'v VersionBuf>) -> Self {
        let cut = |version: &VersionBuf| {
            let version = version.borrowed();
            let pre = version.pre().split('.').filter(|part| !part.is_empty());
            Cut {
                core: version.core().map(|number| number.to_string()),
                pre: pre.map(str::to_owned).collect(),
            }
        };
        Self {
            cuts: cuts.map(cut).collect(),
        }
    }

    fn part(open: Open) -> Part {
        Part {
            open,
            count: 0,
            stands: vec![Ordering::Equal; open.to - open.from],
            is_zero: false,
            is_number: true,
        }
    }

    /// The part with one more letter; `of` is the same part of a cut. So many letters are counted at least.
    fn longer<'c>(&'c self, part: &Part, letter: u8, least: usize, of: impl Fn(&'c Cut) -> &'c str) -> Part {
        let own = part.open.of(&self.cuts);
        let longest = own.iter().map(|cut| of(cut).len()).max().unwrap_or_default();
        let stands = own.iter().zip(&part.stands).map(|(cut, stands)| {
            let other = of(cut).as_bytes().get(part.count);
            stands.then_with(|| other.map_or(Ordering::Equal, |other| letter.cmp(other)))
        });
        Part {
            open: part.open,
            stands: stands.collect(),
            is_zero: part.count == 0 && letter == b'0' || part.is_zero && part.count > 0,
            is_number: part.is_number && letter.is_ascii_digit(),
            count: (part.count + 1).min(least.max(longest + 1)),
        }
    }

    /// What is open behind a part that ends here.
    fn behind<'c>(&'c self, part: &Part, of: impl Fn(&'c Cut) -> &'c str) -> Open {
        let own = part.open.of(&self.cuts);
        let compared: Vec<Ordering> = own
            .iter()
            .zip(&part.stands)
            .map(|(cut, stands)| {
                let other = of(cut);
                let is_number = other.bytes().all(|letter| letter.is_ascii_digit());
                let length = part.count.cmp(&other.len());
                match (part.is_number, is_number) {
                    (true, true) => length.then(*stands),
                    (true, false) => Ordering::Less,
                    (false, true) => Ordering::Greater,
                    (false, false) => stands.then(length),
                }
            })
            .collect();
        let count = |wanted: fn(&Ordering) -> bool| compared.iter().take_while(|it| wanted(it)).count();
        Open {
            from: part.open.from + count(|it| it.is_gt()),
            to: part.open.from + count(|it| it.is_ge()),
        }
    }

    /// The start of an identifier: cuts that have no more are below.
    fn identifier(&self, place: usize, open: Open) -> Part {
        let own = open.of(&self.cuts);
        Self::part(Open {
            from: open.from + own.partition_point(|cut| cut.pre.len() <= place),
            to: open.to,
        })
    }

    /// What is open where a pre-release begins: cuts without one are above.
    fn before_release(&self, open: Open) -> Open {
        let own = open.of(&self.cuts);
        Open {
            from: open.from,
            to: open.from + own.partition_point(|cut| !cut.pre.is_empty()),
        }
    }
}

/// An identifier of a cut; one that has none there is not open.
fn pre(cut: &Cut, place: usize) -> &str {
    cut.pre.get(place).map_or("", String::as_str)
}

fn core(cut: &Cut, place: usize) -> &str {
    cut.core.get(place).map_or("", String::as_str)
}

impl Reader for Versions {
    type State = State;

    fn start(&self) -> State {
        State::Core(0, Self::part(Open::all(self.cuts.len())), false)
    }

    fn step(&self, state: &State, letter: char, next: &mut Vec<State>) {
        let Ok(letter) = u8::try_from(letter) else { return };
        let is_identifier = letter.is_ascii_alphanumeric() || letter == b'-';
        match state {
            State::Core(place, part, large) if letter.is_ascii_digit() => {
                if !part.is_zero {
                    let longer = self.longer(part, letter, 2, |cut| core(cut, *place));
                    let large = *large || longer.count == part.count || longer.count > SURE_DIGITS;
                    next.push(State::Core(*place, longer, large));
                }
            }
            State::Core(_, part, _) if part.count == 0 => {}
            State::Core(place, part, large) => {
                let open = self.behind(part, |cut| core(cut, *place));
                match (letter, place) {
                    (b'.', 0 | 1) => next.push(State::Core(place + 1, Self::part(open), *large)),
                    (b'-', 2) => {
                        let part = self.identifier(0, self.before_release(open));
                        next.push(State::Pre(0, part, *large));
                    }
                    (b'+', 2) => next.push(State::Build(open.to, true, *large)),
                    _ => {}
                }
            }
            State::Pre(place, part, large) if is_identifier => {
                let longer = self.longer(part, letter, 2, |cut| pre(cut, *place));
                next.push(State::Pre(*place, longer, *large));
            }
            State::Pre(_, part, _) if !is_whole(part) => {}
            State::Pre(place, part, large) => {
                let open = self.behind(part, |cut| pre(cut, *place));
                match letter {
                    b'.' => {
                        let deepest = self.cuts.iter().map(|cut| cut.pre.len()).max();
                        let place = (place + 1).min(deepest.unwrap_or_default());
                        next.push(State::Pre(place, self.identifier(place, open), *large));
                    }
                    b'+' => next.push(State::Build(self.ended(*place, open), true, *large)),
                    _ => {}
                }
            }
            State::Build(passed, _, large) if is_identifier => {
                next.push(State::Build(*passed, false, *large))
            }
            State::Build(passed, false, large) if letter == b'.' => {
                next.push(State::Build(*passed, true, *large));
            }
            State::Build(..) => {}
        }
    }

    fn says(&self, state: &State) -> Option<Said> {
        let (passed, perhaps_none) = match state {
            State::Core(2, part, large) if part.count > 0 => {
                (self.behind(part, |cut| core(cut, 2)).to, *large)
            }
            State::Pre(place, part, large) if is_whole(part) => {
                let open = self.behind(part, |cut| pre(cut, *place));
                (self.ended(*place, open), *large)
            }
            State::Build(passed, false, large) => (*passed, *large),
            _ => return None,
        };
        Some(Said {
            perhaps_none,
            ..Said::exactly(passed)
        })
    }

    fn letters(&self) -> Vec<ClassUnicode> {
        let mut sets: Vec<ClassUnicode> = digits().collect();
        sets.extend([".", "+", "-"].map(set));
        let range = |(from, to)| ClassUnicode::new([ClassUnicodeRange::new(from, to)]);
        sets.extend([('A', 'Z'), ('a', 'z')].map(range));
        for letter in self
            .cuts
            .iter()
            .flat_map(|cut| &cut.pre)
            .flat_map(|it| it.chars())
        {
            // those below it are told apart from those above it
            sets.push(range((letter, letter)));
            sets.push(range(('\0', letter)));
        }
        sets
    }
}

impl Versions {
    /// How many cuts are passed where the pre-release ends behind an identifier: those that have more are above.
    fn ended(&self, place: usize, open: Open) -> usize {
        let own = open.of(&self.cuts);
        open.from + own.partition_point(|cut| cut.pre.len() <= place + 1)
    }
}

/// Whether an identifier may end here: numbers have no zero in front.
fn is_whole(part: &Part) -> bool {
    part.count > 0 && !(part.is_number && part.is_zero && part.count > 1)
}
