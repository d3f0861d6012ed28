//! Moments in texts: where a local time, less the offset that comes behind it, is at or behind a cut.
//!
//! The offset comes last, so until then it is known how far the local time is from each cut that an offset could
//! still take it across: in hours, or in minutes where that is not enough. What an offset of hours and minutes says
//! of a time that is known in hours is left open where only the minutes tell.

use std::cmp::Ordering;

use regex_syntax::hir::ClassUnicode;

use super::dates::{DAY, Date};
use super::zones::{Ahead, Zone};
use super::{Reader, Said, digits, set};

/// Nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;

/// How exactly local times are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    Hours,
    Minutes,
}

impl Precision {
    /// Units of time in an hour.
    fn in_an_hour(self) -> i64 {
        match self {
            Self::Hours => 1,
            Self::Minutes => 60,
        }
    }
}

/// Reads moments against some in ascending order.
pub(crate) struct Moments {
    cuts: Vec<Cut>,
    precision: Precision,
}

struct Cut {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    moment: i128,
    /// Whole units of time since then.
    units: i64,
    /// The digits behind these, without zeros at the end: of minutes, where units are hours; of seconds; and nine of
    /// a fraction.
    behind: Vec<u8>,
}

/// How a local time stands to a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Near {
    /// How many units of time it is ahead, digits behind these left aside.
    ahead: i64,
    /// How its digits behind these stand to as many of the cut's; what can only be more counts as more.
    stands: Ordering,
}

/// The letters of a time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Time {
    place: Place,
    /// What is left to know of the last digits: of hours the first, of minutes those of the last minute of an hour.
    last: u8,
    /// How many digits behind units of time are read, as far as that matters.
    count: usize,
    /// So many cuts are passed, whatever offset comes behind;
    passed: usize,
    /// these are near, and those behind them are not passed.
    near: Vec<Near>,
}

/// What letter of a time was read last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    Start,
    Hour1,
    Hour2,
    BeforeMinute,
    Minute1,
    Minute2,
    BeforeSecond,
    Second1,
    /// The first digit of a leap second.
    Leap1,
    Second2,
    Point,
    Fraction,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum State {
    Date(Date),
    Time(Time),
    Zone(Zone),
    End(Said),
}

impl Moments {
    /// `cuts` are nanoseconds since 1970-01-01T00:00:00Z.
    pub(crate) fn new(cuts: impl Iterator<Item = i128>, precision: Precision) -> Self {
        let cut = |moment: i128| {
            let unit = i128::from(3_600 / precision.in_an_hour()) * SECOND;
            let rest = moment.rem_euclid(unit);
            let (minutes, seconds) = (rest / SECOND / 60, rest / SECOND % 60);
            let mut behind = match precision {
                Precision::Hours => format!("{minutes:02}{seconds:02}{:09}", rest % SECOND),
                Precision::Minutes => format!("{seconds:02}{:09}", rest % SECOND),
            };
            behind.truncate(behind.trim_end_matches('0').len());
            Cut {
                moment,
                units: moment.div_euclid(unit) as i64,
                behind: behind.bytes().map(|letter| letter - b'0').collect(),
            }
        };
        Self {
            cuts: cuts.map(cut).collect(),
            precision,
        }
    }

    /// The date with one more letter, or the time behind it; `None` where none begins so.
    fn dated(&self, date: &Date, letter: u8) -> Option<State> {
        if !date.is_whole() {
            let next = date.longer(letter, |first, last| self.far(first, last));
            return next.map(State::Date);
        }
        matches!(letter, b'T' | b't' | b' ').then(|| State::Time(self.begun(date)))
    }

    /// How many cuts are passed by all moments that are said with a day from one to another; `None` where that differs.
    fn far(&self, first: i64, last: i64) -> Option<usize> {
        // an offset is less than a day, and a leap second is of the next one
        let passed = self.before(first - 1);
        (self.before(last + 2) == passed).then_some(passed)
    }

    /// How many cuts are passed where a day begins in UTC.
    fn before(&self, day: i64) -> usize {
        let moment = i128::from(day * DAY) * SECOND;
        self.cuts.partition_point(|cut| cut.moment <= moment)
    }

    /// The time of a date, before its first digit.
    fn begun(&self, date: &Date) -> Time {
        let mut time = Time {
            place: Place::Start,
            last: 0,
            count: 0,
            passed: date.passed.unwrap_or_default(),
            near: Vec::new(),
        };
        if date.passed.is_none()
            && let Some(day) = date.day()
        {
            let near = |cut: &Cut| Near {
                ahead: day * 24 * self.precision.in_an_hour() - cut.units,
                stands: match cut.behind.is_empty() {
                    true => Ordering::Greater,
                    false => Ordering::Equal,
                },
            };
            time.near = self.cuts.iter().map(near).collect();
        }
        self.settled(time, 24 * self.precision.in_an_hour() - 1)
    }

    /// The time without cuts that are not near, where it may come to so many units of time more.
    fn settled(&self, mut time: Time, more: i64) -> Time {
        let reach = self.reach();
        // one unit more for a leap second, where there may be one
        let is_never = |near: &Near| near.ahead + more + 1 < -reach;
        let is_passed = |near: &Near| near.ahead - i64::from(near.stands.is_le()) >= reach;
        let passed = time.near.iter().take_while(|near| is_passed(near)).count();
        let left = time.near.iter().take_while(|near| !is_never(near)).count();
        time.near.truncate(left.max(passed));
        time.near.drain(..passed);
        time.passed += passed;
        time
    }

    /// So many units of time an offset, or a part of it, takes at most.
    fn reach(&self) -> i64 {
        Zone::reach(self.precision == Precision::Minutes)
    }

    /// The time with one more digit behind units of time.
    fn finer(&self, mut time: Time, digit: u8) -> Time {
        let own = self.cuts.iter().skip(time.passed);
        for (near, cut) in time.near.iter_mut().zip(own) {
            if near.stands.is_eq() {
                let other = cut.behind.get(time.count).copied().unwrap_or_default();
                near.stands = digit.cmp(&other);
                if near.stands.is_eq() && time.count + 1 >= cut.behind.len() {
                    near.stands = Ordering::Greater;
                }
            }
        }
        time.count += 1;
        time
    }

    /// The time with one more digit of its minutes; of so many units of time each, where they are counted.
    fn minutes(&self, mut time: Time, digit: u8, worth: i64) -> Time {
        if self.precision == Precision::Hours {
            return self.finer(time, digit);
        }
        let more = i64::from(digit) * worth;
        time.near.iter_mut().for_each(|near| near.ahead += more);
        self.settled(time, worth - 1)
    }

    /// The time behind a digit that begins a leap second, which is the first of the next minute.
    fn leaping(&self, mut time: Time) -> Time {
        time.count += 1;
        let own = self.cuts.iter().skip(time.passed);
        for (near, cut) in time.near.iter_mut().zip(own) {
            near.ahead += 1;
            let so_far = cut.behind.iter().take(time.count);
            near.stands = match cut.behind.is_empty() {
                true => Ordering::Greater,
                false if so_far.clone().all(|digit| *digit == 0) => Ordering::Equal,
                false => Ordering::Less,
            };
        }
        time
    }

    /// The time behind its seconds: what is below a cut counts as a unit less, and digits are counted only where
    /// that is still open.
    fn counted(&self, mut time: Time) -> Time {
        for near in &mut time.near {
            if near.stands.is_lt() {
                near.ahead -= 1;
                near.stands = Ordering::Greater;
            }
        }
        time.last = 0;
        let mut time = self.settled(time, 0);
        if time.near.iter().all(|near| near.stands.is_gt()) {
            time.count = 0;
        }
        time
    }

    /// The time with one more letter of it; `None` where none goes on so.
    fn timed(&self, time: &Time, letter: u8) -> Option<Time> {
        use Place::{
            BeforeMinute, BeforeSecond, Fraction, Hour1, Hour2, Leap1, Minute1, Minute2, Point, Second1,
            Second2, Start,
        };
        let digit = Some(letter)
            .filter(u8::is_ascii_digit)
            .map(|letter| letter - b'0');
        let mut next = time.clone();
        let hour = self.precision.in_an_hour();
        let mut ahead = |hours: u8| {
            let more = i64::from(hours) * hour;
            next.near.iter_mut().for_each(|near| near.ahead += more);
        };
        let (place, next) = match (time.place, digit) {
            (Start, Some(digit @ 0..3)) => {
                ahead(digit * 10);
                next.last = digit;
                (Hour1, self.settled(next, 10 * hour - 1))
            }
            (Hour1, Some(digit)) if time.last < 2 || digit < 4 => {
                ahead(digit);
                next.last = 0;
                (Hour2, self.settled(next, hour - 1))
            }
            (Hour2, None) if letter == b':' => (BeforeMinute, next),
            (BeforeMinute, Some(digit @ 0..6)) => {
                next.last = u8::from(digit == 5);
                (Minute1, self.minutes(next, digit, 10))
            }
            (Minute1, Some(digit)) => {
                next.last = u8::from(time.last == 1 && digit == 9);
                (Minute2, self.minutes(next, digit, 1))
            }
            (Minute2, None) if letter == b':' => (BeforeSecond, next),
            (BeforeSecond, Some(6)) if time.last == 1 => (Leap1, self.leaping(next)),
            (BeforeSecond, Some(digit @ 0..6)) => {
                next.last = 0;
                (Second1, self.finer(next, digit))
            }
            (Leap1, Some(0)) => (Second2, self.counted(self.finer(next, 0))),
            (Second1, Some(digit)) => (Second2, self.counted(self.finer(next, digit))),
            (Second2, None) if letter == b'.' => (Point, next),
            (Point | Fraction, Some(digit)) => (Fraction, self.counted(self.finer(next, digit))),
            _ => return None,
        };
        Some(Time { place, ..next })
    }

    /// How far a whole time is ahead of the cuts that are near.
    fn ahead(&self, time: &Time) -> Option<Ahead> {
        let is_whole = matches!(time.place, Place::Minute2 | Place::Second2 | Place::Fraction);
        // where no more digits come, these are zero
        let ahead = |near: &Near| near.ahead - i64::from(near.stands.is_le());
        is_whole.then(|| Ahead {
            passed: time.passed,
            units: time.near.iter().map(ahead).collect(),
        })
    }
}

impl Reader for Moments {
    type State = State;

    fn start(&self) -> State {
        State::Date(Date::start(self.cuts.is_empty().then_some(0)))
    }

    fn step(&self, state: &State, letter: char, next: &mut Vec<State>) {
        let Some(letter) = u8::try_from(letter).ok().filter(u8::is_ascii) else {
            return;
        };
        next.extend(match state {
            State::Date(date) => self.dated(date, letter),
            State::Time(time) => {
                let time_on = self.timed(time, letter).map(State::Time);
                time_on.or_else(|| match letter {
                    b'Z' | b'z' => self.ahead(time).map(|ahead| State::End(ahead.in_utc())),
                    b'+' | b'-' => {
                        let is_exact = self.precision == Precision::Minutes;
                        let ahead = self.ahead(time)?;
                        Some(State::Zone(Zone::new(letter == b'-', is_exact, ahead)))
                    }
                    _ => None,
                })
            }
            State::Zone(zone) => zone.longer(letter).map(State::Zone),
            State::End(_) => None,
        });
    }

    fn says(&self, state: &State) -> Option<Said> {
        match state {
            State::Date(date) if date.is_whole() => {
                let passed = date.passed.or_else(|| Some(self.before(date.day()?)));
                passed.map(Said::exactly)
            }
            State::Date(_) => None,
            State::Time(time) => self.ahead(time).map(|ahead| ahead.in_utc()),
            State::Zone(zone) => zone.says(),
            State::End(said) => Some(*said),
        }
    }

    fn letters(&self) -> Vec<ClassUnicode> {
        digits()
            .chain(["-", "+", ":", ".", "Tt ", "Zz"].map(set))
            .collect()
    }
}
