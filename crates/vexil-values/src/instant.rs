//! Instants in text: RFC 3339, and the few looser forms that are in use.

use std::fmt;

use time::OffsetDateTime;

/// A moment to the nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
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
    /// The moment so many seconds and nanoseconds, fewer than 10^9, after 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn of_unix(seconds: i64, nanoseconds: u32) -> Option<Self> {
        (nanoseconds < 1_000_000_000).then_some(Self { seconds, nanoseconds })
    }

    /// Whole seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn unix_seconds(self) -> i64 {
        self.seconds
    }

    /// Nanoseconds since the second began.
    #[must_use]
    pub fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }

    /// Reads an RFC 3339 date-time such as `2026-01-31T12:00:00Z`. The fraction may have any length; what
    /// is below a nanosecond is dropped. Also read, since Unleash and its JavaScript SDK do: no seconds,
    /// no zone, which is UTC, and a day alone, which is its start in UTC. Blanks around it are not.
    #[inline]
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_usual(text.as_bytes()).or_else(|| Self::parse_any(text, Form::Any))
    }

    /// Reads an RFC 3339 date-time and nothing looser: it must have seconds and a zone.
    #[must_use]
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        Self::parse_any(text, Form::Rfc3339)
    }

    /// Reads a day alone, such as `2026-01-31`, as its start in UTC.
    #[must_use]
    pub fn parse_day(text: &str) -> Option<Self> {
        Self::parse_any(text, Form::Day)
    }

    #[inline(never)]
    fn parse_any(text: &str, form: Form) -> Option<Self> {
        let mut input = Input(text.as_bytes());
        let (year, month, day) = (input.number(4)?, input.after(b'-', 2)?, input.after(b'-', 2)?);
        let days = days_since_1970(year as u32, month as u32, day as u32)?;
        if input.0.is_empty() || form == Form::Day {
            let start = Self {
                seconds: days * 86_400,
                nanoseconds: 0,
            };
            return (input.0.is_empty() && form != Form::Rfc3339).then_some(start);
        }
        input.take(|byte| matches!(byte, b'T' | b't' | b' '))?;
        let (hour, minute) = (input.number(2)?, input.after(b':', 2)?);
        let (second, nanoseconds) = match input.take(|byte| byte == b':') {
            Some(_) => (input.number(2)?, input.optional_fraction()?),
            None if form == Form::Rfc3339 => return None,
            None => (0, 0),
        };
        if form == Form::Rfc3339 && input.0.is_empty() {
            return None;
        }
        let offset = input.offset()?;
        let leap_second = second == 60 && minute == 59;
        let valid = hour < 24 && minute < 60 && (second < 60 || leap_second) && input.0.is_empty();
        valid.then(|| Self {
            seconds: days * 86_400 + hour * 3_600 + minute * 60 + second - offset,
            nanoseconds,
        })
    }
}

/// What an instant must have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A day at least.
    Any,
    /// Seconds and a zone.
    Rfc3339,
    /// A day and nothing else.
    Day,
}

/// In RFC 3339 and UTC, with as many digits of the fraction as it needs. Moments outside of the years 0 to
/// 9999, which only an offset can write, are given as seconds since 1970.
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.seconds.div_euclid(86_400);
        let Some((year, month, day)) = day_after_1970(days) else {
            return write!(f, "{}.{:09}", self.seconds, self.nanoseconds);
        };
        let second = self.seconds.rem_euclid(86_400);
        let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
        )?;
        if self.nanoseconds != 0 {
            let fraction = format!("{:09}", self.nanoseconds);
            write!(f, ".{}", fraction.trim_end_matches('0'))?;
        }
        f.write_str("Z")
    }
}

impl Instant {
    /// The form that nearly everybody sends, `YYYY-MM-DDThh:mm:ssZ`, read eight letters at a time.
    #[inline]
    fn parse_usual(text: &[u8]) -> Option<Self> {
        let text: &[u8; 20] = text.try_into().ok()?;
        let first = pairs(text.first_chunk()?, b"0000-00-")?;
        let second = pairs(text.get(8..)?.first_chunk()?, b"00T00:00")?;
        let third = pairs(text.last_chunk()?, b"0:00:00Z")?;
        let [century, _, year, _, _, month, ..] = first;
        let [day, _, _, hour, _, _, minute, _] = second;
        let [_, _, _, _, _, second, ..] = third;
        let year = u32::from(century) * 100 + u32::from(year);
        let days = days_since_1970(year, u32::from(month), u32::from(day))?;
        let seconds = i64::from(hour) * 3_600 + i64::from(minute) * 60 + i64::from(second);
        (hour < 24 && minute < 60 && second < 60).then_some(Self {
            seconds: days * 86_400 + seconds,
            nanoseconds: 0,
        })
    }
}

/// At each place the number of two digits that starts there, if `text` has digits where `form` has
/// zeros, and is `form` elsewhere.
#[inline(always)]
fn pairs(text: &[u8; 8], form: &[u8; 8]) -> Option<[u8; 8]> {
    let above = form.map(|letter| if letter == b'0' { 0x80 - 10 } else { 0x80 - 1 });
    let digits = u64::from_le_bytes(*text) ^ u64::from_le_bytes(*form);
    let too_large = digits.wrapping_add(u64::from_le_bytes(above)) | digits;
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    (too_large & 0x8080_8080_8080_8080 == 0).then_some(pairs.to_le_bytes())
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar, of a year of four digits; `None` where
/// there is no such day. A year is taken to start in March, so that a leap day is its last.
fn days_since_1970(year: u32, month: u32, day: u32) -> Option<i64> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
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
    // Counted from the March of 400 years before the year 0, so that no number is negative.
    let (years, months) = match month {
        1 | 2 => (year + 399, month + 9),
        _ => (year + 400, month - 3),
    };
    let leap_days = years / 4 - years / 100 + years / 400;
    let days = years * 365 + leap_days + (153 * months + 2) / 5 + day - 1;
    Some(i64::from(days) - (719_468 + 146_097))
}

/// Year, month and day of so many days after 1970-01-01; `None` outside of the years 0 to 9999.
fn day_after_1970(days: i64) -> Option<(i64, i64, i64)> {
    // As above: counted from a March, in eras of 400 years.
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let months = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * months + 2) / 5 + 1;
    let (month, later) = if months < 10 {
        (months + 3, 0)
    } else {
        (months - 9, 1)
    };
    let year = year_of_era + era * 400 + later;
    (0..=9_999).contains(&year).then_some((year, month, day))
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

    /// A dot and one digit or more, as nanoseconds; nothing at all is none of them.
    fn optional_fraction(&mut self) -> Option<u32> {
        if self.take(|byte| byte == b'.').is_none() {
            return Some(0);
        }
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
