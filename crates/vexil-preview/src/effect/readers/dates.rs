//! Days in texts.

use vexil_values::Instant;

/// Seconds of a day.
pub(super) const DAY: i64 = 86_400;
/// The letters of a whole date.
const LETTERS: u8 = 10;

/// The letters of a date.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Date {
    /// How many of them.
    letters: u8,
    /// As far as they are read; where no cut is near, the least that ends in the same days.
    year: u16,
    month: u8,
    day: u8,
    /// How many cuts are passed, whatever comes behind; `None` where one is near.
    pub(super) passed: Option<usize>,
}

impl Date {
    pub(super) fn start(passed: Option<usize>) -> Self {
        Self {
            letters: 0,
            year: 0,
            month: 0,
            day: 0,
            passed,
        }
    }

    /// Whether all letters of it are read.
    pub(super) fn is_whole(&self) -> bool {
        self.letters == LETTERS
    }

    /// Days since 1970-01-01, where a cut is near.
    pub(super) fn day(&self) -> Option<i64> {
        day_of(self.year, self.month, self.day)
    }

    /// The date with one more letter; `None` where none begins so. `far` says how many cuts all moments pass that are
    /// said with a day from one to another, unless that differs.
    pub(super) fn longer(&self, letter: u8, far: impl Fn(i64, i64) -> Option<usize>) -> Option<Self> {
        let mut next = self.clone();
        next.letters += 1;
        if matches!(self.letters, 4 | 7) {
            return (letter == b'-').then_some(next);
        }
        let digit = Some(letter)
            .filter(u8::is_ascii_digit)
            .map(|letter| letter - b'0')?;
        // the first and the last day that may come of it
        let (first, last) = match self.letters {
            place @ 0..=3 => {
                next.year = self.year * 10 + u16::from(digit);
                let years = 10_u16.pow(3 - u32::from(place));
                let first = next.year * years;
                (day_of(first, 1, 1)?, day_of(first + years - 1, 12, 31)?)
            }
            5 => {
                next.month = digit;
                let (first, last) = ((digit * 10).max(1), (digit * 10 + 9).min(12));
                (day_of(next.year, first, 1)?, day_of(next.year, last, 1)? + 30)
            }
            6 => {
                next.month = self.month * 10 + digit;
                let first = day_of(next.year, next.month, 1)?;
                (first, first + 30)
            }
            8 => {
                next.day = digit;
                let first = day_of(next.year, next.month, 1)? + i64::from(digit) * 10 - 1;
                (first, first + 10)
            }
            _ => {
                next.day = self.day * 10 + digit;
                let day = day_of(next.year, next.month, next.day)?;
                (day, day)
            }
        };
        next.passed = next.passed.or_else(|| far(first, last));
        Some(next.plain())
    }

    /// Where no cut is near, the plainest date that may go on as this one.
    fn plain(self) -> Self {
        if self.passed.is_none() {
            return self;
        }
        let is_leap = |year: u16| day_of(year, 2, 29).is_some();
        let year = match (self.letters, self.year) {
            (0 | 1, year) => year % 2,
            (2, year) => u16::from(!year.is_multiple_of(4)),
            (3, year) if year.is_multiple_of(10) => 10 * u16::from(!year.is_multiple_of(40)),
            (3, year) => 2 - year % 2,
            (_, year) => 2001 - u16::from(is_leap(year)),
        };
        let length = |year: u16, month: u8| (28..32).rev().find(|day| day_of(year, month, *day).is_some());
        let (year, month) = match self.letters {
            0..7 => (year, self.month),
            7..10 => match length(year, self.month) {
                Some(29) => (2000, 2),
                Some(28) => (2001, 2),
                Some(30) => (2001, 4),
                _ => (2001, 1),
            },
            _ => (0, 0),
        };
        let day = if self.letters < 10 { self.day } else { 0 };
        Self {
            year,
            month,
            day,
            ..self
        }
    }
}

/// Days since 1970-01-01, where there is this day.
fn day_of(year: u16, month: u8, day: u8) -> Option<i64> {
    let start = Instant::parse_day(&format!("{year:04}-{month:02}-{day:02}"))?;
    Some(start.unix_seconds().div_euclid(DAY))
}
