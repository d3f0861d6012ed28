//! Offsets from UTC behind a local time, which is some way ahead of cuts.

use super::Said;

/// How far a local time is ahead of cuts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ahead {
    /// So many cuts are passed, whatever the offset;
    pub(super) passed: usize,
    /// of those behind them, whole units of time, in which an offset is counted: fewer for each than for the one
    /// before.
    pub(super) units: Vec<i64>,
}

impl Ahead {
    /// What is said without an offset, or with that of UTC.
    pub(super) fn in_utc(&self) -> Said {
        let more = self.units.iter().take_while(|units| **units >= 0).count();
        Said::exactly(self.passed + more)
    }
}

/// The letters of an offset.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Zone {
    /// How many letters, the sign among them.
    letters: u8,
    minus: bool,
    /// Whether offsets are counted in minutes, and not in hours with minutes that are left open.
    is_exact: bool,
    /// Whether the first digit of hours is a two; behind these, whether all minutes are zero.
    last: bool,
    passed: usize,
    /// What is left of the offset that passes a cut: with a plus at most so much, with a minus at least so much.
    left: Vec<i64>,
}

impl Zone {
    /// So many units of time an offset takes at most, one more where minutes of it are left open.
    pub(super) fn reach(is_exact: bool) -> i64 {
        if is_exact { 23 * 60 + 59 } else { 24 }
    }

    pub(super) fn new(minus: bool, is_exact: bool, ahead: Ahead) -> Self {
        let units = ahead.units.into_iter();
        let zone = Self {
            letters: 1,
            minus,
            is_exact,
            last: false,
            passed: ahead.passed,
            left: units.map(|units| if minus { -units } else { units }).collect(),
        };
        zone.settled(Self::reach(is_exact))
    }

    /// The offset without cuts that are decided, where so much more comes at most.
    fn settled(mut self, more: i64) -> Self {
        let minus = self.minus;
        let is_passed = |left: &i64| if minus { *left <= 0 } else { *left >= more };
        let is_never = |left: &i64| if minus { *left > more } else { *left < 0 };
        let passed = self.left.iter().take_while(|left| is_passed(left)).count();
        let open = self.left.iter().take_while(|left| !is_never(left)).count();
        self.left.truncate(open.max(passed));
        self.left.drain(..passed);
        self.passed += passed;
        self
    }

    /// The offset with one more letter; `None` where none goes on so.
    pub(super) fn longer(&self, letter: u8) -> Option<Self> {
        let mut next = self.clone();
        next.letters += 1;
        if self.letters == 3 {
            next.last = true;
            return (letter == b':').then_some(next);
        }
        let digit = Some(letter)
            .filter(u8::is_ascii_digit)
            .map(|letter| letter - b'0')?;
        let (hour, open) = if self.is_exact { (60, 0) } else { (1, 1) };
        let minute = i64::from(self.is_exact);
        let (worth, more) = match (self.letters, digit) {
            (1, 0..3) => {
                next.last = digit == 2;
                let hours = if next.last { 3 } else { 9 };
                (10 * hour, hours * hour + 59 * minute + open)
            }
            (2, _) if !self.last || digit < 4 => {
                next.last = false;
                (hour, 59 * minute + open)
            }
            (4, 0..6) => {
                next.last = self.last && digit == 0;
                (10 * minute, 9 * minute + open)
            }
            (5, _) => {
                next.last = self.last && digit == 0;
                (minute, open)
            }
            _ => return None,
        };
        let less = i64::from(digit) * worth;
        next.left.iter_mut().for_each(|left| *left -= less);
        Some(next.settled(more))
    }

    /// What is said where the offset ends here; `None` where it does not.
    pub(super) fn says(&self) -> Option<Said> {
        if self.letters != 6 {
            return None;
        }
        // of a time that is known in hours whole hours tell: with a plus it is passed, with a minus it is not
        let least = match (self.minus, self.last) {
            (false, true) => self.left.len(),
            _ => 0,
        };
        let most = match (self.minus, self.last) {
            (true, true) => 0,
            _ => self.left.len(),
        };
        Some(Said {
            fewest: self.passed + least,
            most: self.passed + most,
            perhaps_none: false,
        })
    }
}
