//! Instants in text: RFC 3339, and the few looser forms that are in use.

use time::OffsetDateTime;

/// A moment to the nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Instant {
    /// Seconds since 1970-01-01T00:00:00Z.
    seconds: i64,
    nanoseconds: u32,
}

impl From<OffsetDateTime> for Instant {
    fn from(moment: OffsetDateTime) -> Self {
        Self {
            seconds: moment.unix_timestamp(),
            nanoseconds: moment.nanosecond(),
        }
    }
}

impl TryFrom<Instant> for OffsetDateTime {
    type Error = time::error::ComponentRange;

    fn try_from(moment: Instant) -> Result<Self, Self::Error> {
        let nanoseconds = i128::from(moment.seconds) * 1_000_000_000 + i128::from(moment.nanoseconds);
        Self::from_unix_timestamp_nanos(nanoseconds)
    }
}

impl Instant {
    /// Reads an RFC 3339 date-time. The fraction may have any length; what is below a nanosecond is
    /// dropped. Also read: no zone, which is UTC, and a day alone, which is its start in UTC.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if let Some(instant) = Self::parse_usual(text.as_bytes()) {
            return Some(instant);
        }
        let mut input = Input(text.as_bytes());
        let (year, month, day) = (input.number(4)?, input.after(b'-', 2)?, input.after(b'-', 2)?);
        let days = days_since_1970(year, month, day)?;
        if input.0.is_empty() {
            return Some(Self {
                seconds: days * 86_400,
                nanoseconds: 0,
            });
        }
        input.take(|byte| matches!(byte, b'T' | b't' | b' '))?;
        let (hour, minute, second) = (input.number(2)?, input.after(b':', 2)?, input.after(b':', 2)?);
        let nanoseconds = match input.take(|byte| byte == b'.') {
            Some(_) => input.fraction()?,
            None => 0,
        };
        let offset = input.offset()?;
        let leap_second = second == 60 && minute == 59;
        let valid = hour < 24 && minute < 60 && (second < 60 || leap_second) && input.0.is_empty();
        valid.then(|| Self {
            seconds: days * 86_400 + hour * 3_600 + minute * 60 + second - offset,
            nanoseconds,
        })
    }
}

impl Instant {
    /// The form that nearly everybody sends, `YYYY-MM-DDThh:mm:ssZ`, read without looking at each
    /// byte in turn.
    #[inline]
    fn parse_usual(text: &[u8]) -> Option<Self> {
        let [
            y1,
            y2,
            y3,
            y4,
            b'-',
            m1,
            m2,
            b'-',
            d1,
            d2,
            b'T',
            h1,
            h2,
            b':',
            n1,
            n2,
            b':',
            s1,
            s2,
            b'Z',
        ] = *text
        else {
            return None;
        };
        let two = |tens: u8, ones: u8| {
            let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
            (tens < 10 && ones < 10).then_some(i64::from(tens) * 10 + i64::from(ones))
        };
        let days = days_since_1970(two(y1, y2)? * 100 + two(y3, y4)?, two(m1, m2)?, two(d1, d2)?)?;
        let (hour, minute, second) = (two(h1, h2)?, two(n1, n2)?, two(s1, s2)?);
        (hour < 24 && minute < 60 && second < 60).then_some(Self {
            seconds: days * 86_400 + hour * 3_600 + minute * 60 + second,
            nanoseconds: 0,
        })
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar; `None` where there is no such day.
/// The formula is Howard Hinnant's, <https://howardhinnant.github.io/date_algorithms.html#days_from_civil>.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn take(&mut self, wanted: impl Fn(u8) -> bool) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        if !wanted(*first) {
            return None;
        }
        self.0 = rest;
        Some(*first)
    }

    fn digit(&mut self) -> Option<i64> {
        self.take(|byte| byte.is_ascii_digit())
            .map(|byte| i64::from(byte - b'0'))
    }

    fn number(&mut self, digits: u32) -> Option<i64> {
        (0..digits).try_fold(0, |number, _| Some(number * 10 + self.digit()?))
    }

    fn after(&mut self, separator: u8, digits: u32) -> Option<i64> {
        self.take(|byte| byte == separator)?;
        self.number(digits)
    }

    /// One digit or more, as nanoseconds.
    fn fraction(&mut self) -> Option<u32> {
        let mut worth = 100_000_000;
        let mut nanoseconds = self.digit()? as u32 * worth;
        while let Some(digit) = self.digit() {
            worth /= 10;
            nanoseconds += digit as u32 * worth;
        }
        Some(nanoseconds)
    }

    /// `Z`, `+hh:mm`, `-hh:mm` or nothing, as seconds east of UTC.
    fn offset(&mut self) -> Option<i64> {
        let Some(sign) = self.take(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-')) else {
            return Some(0);
        };
        if matches!(sign, b'Z' | b'z') {
            return Some(0);
        }
        let (hours, minutes) = (self.number(2)?, self.after(b':', 2)?);
        let seconds = hours * 3_600 + minutes * 60;
        (hours < 24 && minutes < 60).then_some(if sign == b'-' { -seconds } else { seconds })
    }
}

#[cfg(test)]
mod tests;
