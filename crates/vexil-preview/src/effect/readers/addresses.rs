//! IP addresses in texts, as the standard library reads them.

use regex_syntax::hir::ClassUnicode;

use super::{Open, Reader, Said, digits, set};

/// Reads IPv4 addresses against some in ascending order.
pub(crate) struct V4 {
    cuts: Vec<[u8; 4]>,
}

/// An octet that is being read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Octet {
    open: Open,
    /// Which of the four.
    place: usize,
    /// Its digits so far.
    count: usize,
    value: u16,
}

impl Octet {
    fn new(place: usize, open: Open) -> Self {
        Self {
            open,
            place,
            count: 0,
            value: 0,
        }
    }

    /// The octet with one more digit: at most three, none behind a zero, 255 at most.
    fn longer(&self, letter: char) -> Option<Self> {
        let value = self.value * 10 + letter.to_digit(10)? as u16;
        let is_good = self.count < 3 && value < 256 && (self.count == 0 || self.value > 0);
        // where all cuts are told apart already, only how it may go on counts
        let alike = match (self.open.from == self.open.to, self.count, value) {
            (true, 0, 3..) => 3,
            (true, 1, 10..=24) => 10,
            (true, 1, 26..) => 26,
            (true, 2, _) => 100,
            _ => value,
        };
        is_good.then_some(Self {
            open: self.open,
            place: self.place,
            count: self.count + 1,
            value: alike,
        })
    }

    /// What is open behind it; `of` is the same octet of a cut.
    fn behind<T>(&self, cuts: &[T], of: impl Fn(&T) -> u8) -> Open {
        self.open.narrowed(cuts, |cut| self.value.cmp(&of(cut).into()))
    }
}

impl V4 {
    pub(crate) fn new(cuts: impl Iterator<Item = u128>) -> Self {
        Self {
            cuts: cuts.map(|cut| (cut as u32).to_be_bytes()).collect(),
        }
    }
}

impl Reader for V4 {
    type State = Octet;

    fn start(&self) -> Octet {
        Octet::new(0, Open::all(self.cuts.len()))
    }

    fn step(&self, state: &Octet, letter: char, next: &mut Vec<Octet>) {
        if letter == '.' && state.count > 0 && state.place < 3 {
            let open = state.behind(&self.cuts, |cut| byte(cut, state.place));
            next.push(Octet::new(state.place + 1, open));
        } else {
            next.extend(state.longer(letter));
        }
    }

    fn says(&self, state: &Octet) -> Option<Said> {
        let open = state.behind(&self.cuts, |cut| byte(cut, 3));
        (state.place == 3 && state.count > 0).then(|| Said::exactly(open.to))
    }

    fn letters(&self) -> Vec<ClassUnicode> {
        digits().chain([set(".")]).collect()
    }
}

fn byte(cut: &[u8], place: usize) -> u8 {
    cut.get(place).copied().unwrap_or_default()
}

/// Reads IPv6 addresses against some in ascending order.
pub(crate) struct V6 {
    cuts: Vec<[u8; 16]>,
}

/// A group that is being read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Group {
    open: Open,
    /// Which of the eight.
    place: usize,
    /// Whether `::` came before it.
    behind_gap: bool,
    so_far: SoFar,
}

/// What is known of a group behind some of its digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum SoFar {
    /// So many digits, which say this.
    Value(usize, u16),
    /// How many cuts have a smaller group, with as many more digits as the place says.
    Above(Vec<usize>),
}

/// What is known behind some letters; all that may be is followed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum State {
    /// A group.
    Group(Group),
    /// The colon behind a group, so many of which are whole, with nothing or another colon behind it.
    Colon(usize, Open),
    /// The end: the rest is zeros.
    End(usize),
    /// The last 32 bits as an IPv4 address.
    Mixed(Octet),
}

/// So many digits a group has at most.
const MOST_DIGITS: usize = 4;

impl V6 {
    pub(crate) fn new(cuts: impl Iterator<Item = u128>) -> Self {
        Self {
            cuts: cuts.map(u128::to_be_bytes).collect(),
        }
    }

    fn group(cut: &[u8; 16], place: usize) -> u16 {
        u16::from_be_bytes([byte(cut, 2 * place), byte(cut, 2 * place + 1)])
    }

    /// What is open behind groups of zeros.
    fn zeros(&self, open: Open, places: std::ops::Range<usize>) -> Open {
        places.fold(open, |open, place| {
            open.narrowed(&self.cuts, |cut| 0.cmp(&Self::group(cut, place)))
        })
    }

    fn new_group(place: usize, behind_gap: bool, open: Open) -> State {
        State::Group(Group {
            open,
            place,
            behind_gap,
            so_far: SoFar::Value(0, 0),
        })
    }

    /// The group with one more digit.
    fn longer(&self, group: &Group, digit: u16) -> Option<Group> {
        let own = group.open.of(&self.cuts);
        let so_far = match &group.so_far {
            SoFar::Value(MOST_DIGITS, _) => return None,
            SoFar::Value(count, value) => {
                let (count, value) = (count + 1, value * 16 + digit);
                let ends = (0..=MOST_DIGITS - count).map(|more| {
                    let last = (1_u16 << (4 * more)) - 1;
                    (value << (4 * more), (value << (4 * more)) + last)
                });
                let below = |end: u16| own.partition_point(|cut| Self::group(cut, group.place) < end);
                let above = |end: u16| own.partition_point(|cut| Self::group(cut, group.place) <= end);
                let alike: Option<Vec<usize>> = ends
                    .map(|(first, last)| (below(first) == above(last)).then(|| below(first)))
                    .collect();
                alike.map_or(SoFar::Value(count, value), SoFar::Above)
            }
            SoFar::Above(places) => SoFar::Above(places.get(1..).filter(|more| !more.is_empty())?.to_vec()),
        };
        Some(Group {
            so_far,
            ..group.clone()
        })
    }

    /// What is open behind a group; `None` where it has no digit.
    fn behind(&self, group: &Group) -> Option<Open> {
        match &group.so_far {
            SoFar::Value(0, _) => None,
            SoFar::Value(_, value) => Some(
                group
                    .open
                    .narrowed(&self.cuts, |cut| value.cmp(&Self::group(cut, group.place))),
            ),
            SoFar::Above(places) => {
                let from = group.open.from + places.first()?;
                Some(Open { from, to: from })
            }
        }
    }
}

impl Reader for V6 {
    type State = State;

    fn start(&self) -> State {
        Self::new_group(0, false, Open::all(self.cuts.len()))
    }

    fn step(&self, state: &State, letter: char, next: &mut Vec<State>) {
        match state {
            State::Group(group) => match letter.to_digit(16) {
                Some(digit) => {
                    next.extend(self.longer(group, digit as u16).map(State::Group));
                    // the last two groups may be an IPv4 address
                    if group.place == 6 && group.so_far == SoFar::Value(0, 0) {
                        next.extend(Octet::new(0, group.open).longer(letter).map(State::Mixed));
                    }
                }
                None if letter == ':' => match self.behind(group) {
                    Some(open) if group.place < 7 && group.behind_gap => {
                        next.push(Self::new_group(group.place + 1, true, open));
                    }
                    Some(open) if group.place < 7 => next.push(State::Colon(group.place + 1, open)),
                    None if group.place == 0 => next.push(State::Colon(0, group.open)),
                    _ => {}
                },
                None => {}
            },
            State::Colon(whole, open) if letter == ':' => {
                let rest = self.zeros(*open, *whole..8);
                next.push(State::End(rest.to));
                for first in whole + 1..8 {
                    next.push(Self::new_group(first, true, self.zeros(*open, *whole..first)));
                }
            }
            State::Colon(0, _) | State::End(_) => {}
            State::Colon(whole, open) => {
                let group = Self::new_group(*whole, false, *open);
                self.step(&group, letter, next);
            }
            State::Mixed(octet) if letter == '.' && octet.count > 0 && octet.place < 3 => {
                let open = octet.behind(&self.cuts, |cut| byte(cut, 12 + octet.place));
                next.push(State::Mixed(Octet::new(octet.place + 1, open)));
            }
            State::Mixed(octet) => next.extend(octet.longer(letter).map(State::Mixed)),
        }
    }

    fn says(&self, state: &State) -> Option<Said> {
        let passed = match state {
            State::Group(group) if group.place == 7 => self.behind(group)?.to,
            State::End(passed) => *passed,
            State::Mixed(octet) if octet.place == 3 && octet.count > 0 => {
                octet.behind(&self.cuts, |cut| byte(cut, 15)).to
            }
            _ => return None,
        };
        Some(Said::exactly(passed))
    }

    fn letters(&self) -> Vec<ClassUnicode> {
        let hexadecimal = ["aA", "bB", "cC", "dD", "eE", "fF", ":", "."];
        digits().chain(hexadecimal.map(set)).collect()
    }
}
