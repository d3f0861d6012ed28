//! Numbers, moments and versions: values in an order, cut where a constraint begins or ceases to hold.
//!
//! Every cut is "at least this": each of the three has, for any value, the next one. Between two cuts
//! no constraint tells values apart.

use std::cmp::Ordering;

use time::OffsetDateTime;
use vexil_values::{Comparison, Instant, Number, TimeOrder, Version, VersionBuf};

use super::moments::{END, FIRST, SECOND, USUAL, moment_text, nanoseconds};

/// A value of one of the three orders.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Key {
    Number(f64),
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    Moment(i128),
    Version(VersionBuf),
}

/// Which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Order {
    Numbers,
    Moments,
    Versions,
}

/// Values from one, included, to another, excluded; open ends where there is none.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Interval {
    pub(crate) order: Order,
    pub(crate) from: Option<Key>,
    pub(crate) to: Option<Key>,
}

impl Key {
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (Self::Moment(one), Self::Moment(other)) => one.cmp(other),
            (Self::Version(one), Self::Version(other)) => one.borrowed().cmp(&other.borrowed()),
            _ => Ordering::Equal,
        }
    }

    /// The next value of the order.
    fn next(&self) -> Option<Self> {
        match self {
            Self::Number(number) => Some(number.next_up())
                .filter(|next| next.is_finite())
                .map(Self::Number),
            Self::Moment(moment) => Some(Self::Moment(moment + 1)),
            Self::Version(version) => next_version(&version.borrowed()).map(Self::Version),
        }
    }

    /// How the value is written, where it can be.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Number(number) => Some(number_text(*number)),
            Self::Moment(moment) => moment_text(*moment),
            Self::Version(version) => Some(version.borrowed().to_string()),
        }
    }
}

fn number_text(number: f64) -> String {
    let plain = number.to_string();
    if plain.len() <= 24 {
        plain
    } else {
        format!("{number:e}")
    }
}

/// The least version of higher precedence.
fn next_version(version: &Version<'_>) -> Option<VersionBuf> {
    let [major, minor, patch] = version.core();
    if !version.pre().is_empty() {
        return Version::of(version.core(), &format!("{}.0", version.pre())).map(VersionBuf::from);
    }
    let core = match (major, minor, patch) {
        (major, minor, patch) if patch < u64::MAX => [major, minor, patch + 1],
        (major, minor, _) if minor < u64::MAX => [major, minor + 1, 0],
        (major, ..) => [major.checked_add(1)?, 0, 0],
    };
    Version::of(core, "0").map(VersionBuf::from)
}

/// The order that a comparison is in, with the values at which it begins or ceases to hold.
pub(crate) fn cuts<I>(comparison: &Comparison<'_, I>) -> Option<(Order, Vec<Key>)> {
    let (key, at, behind) = match comparison {
        // zero has one place in the order, whatever its sign
        Comparison::Number(how, number) => (Key::Number(number.get() + 0.0), at(*how), behind(*how)),
        Comparison::Version(how, version) => (Key::Version((*version).into()), at(*how), behind(*how)),
        Comparison::Date(how, moment) => {
            let before = *how == TimeOrder::Before;
            (Key::Moment(nanoseconds(*moment)), before, !before)
        }
        _ => return None,
    };
    let order = match key {
        Key::Number(_) => Order::Numbers,
        Key::Moment(_) => Order::Moments,
        Key::Version(_) => Order::Versions,
    };
    let mut cuts = Vec::new();
    if behind {
        cuts.extend(key.next());
    }
    if at {
        cuts.push(key);
    }
    Some((order, cuts))
}

/// Whether a comparison begins or ceases to hold at the value itself.
fn at(how: vexil_values::Order) -> bool {
    use vexil_values::Order::{Equal, GreaterOrEqual, Less};
    matches!(how, Equal | GreaterOrEqual | Less)
}

/// Whether it does so just behind.
fn behind(how: vexil_values::Order) -> bool {
    use vexil_values::Order::{Equal, Greater, LessOrEqual};
    matches!(how, Equal | Greater | LessOrEqual)
}

/// The intervals between sorted cuts that hold any value.
pub(crate) fn intervals(order: Order, cuts: &[Key]) -> Vec<Interval> {
    let ends = || cuts.iter().cloned().map(Some);
    let starts = std::iter::once(None).chain(ends());
    let pairs = starts.zip(ends().chain([None]));
    let all = pairs.map(|(from, to)| Interval { order, from, to });
    all.filter(|interval| interval.values().next().is_some())
        .collect()
}

impl Interval {
    /// Values of the interval that are worth trying, the plainest first.
    fn values(&self) -> impl Iterator<Item = Key> {
        let candidates = match self.order {
            Order::Numbers => self.numbers(),
            Order::Moments => self.moments(),
            Order::Versions => self.versions(),
        };
        candidates
            .into_iter()
            .filter(|key| self.holds(key))
            .take(WORTH_TRYING)
    }

    pub(crate) fn holds(&self, key: &Key) -> bool {
        let from = self.from.as_ref();
        let to = self.to.as_ref();
        from.is_none_or(|from| key.compare(from).is_ge()) && to.is_none_or(|to| key.compare(to).is_lt())
    }

    fn numbers(&self) -> Vec<Key> {
        let end = |key: &Option<Key>| match key {
            Some(Key::Number(number)) => Some(*number),
            _ => None,
        };
        let (from, to) = (end(&self.from), end(&self.to));
        let mut numbers = Vec::new();
        if let Some(from) = from {
            numbers.extend([from.ceil(), from + 1.0, from]);
        }
        if let Some(to) = to {
            numbers.extend([(to - 1.0).ceil(), to - 1.0, to.next_down()]);
        }
        if let (Some(from), Some(to)) = (from, to) {
            numbers.push(from / 2.0 + to / 2.0);
        }
        let finite = numbers.into_iter().filter(|number| number.is_finite());
        finite.map(|number| Key::Number(number + 0.0)).collect()
    }

    fn moments(&self) -> Vec<Key> {
        let end = |key: &Option<Key>| match key {
            Some(Key::Moment(moment)) => Some(*moment),
            _ => None,
        };
        let mut moments = Vec::new();
        if let Some(from) = end(&self.from) {
            let whole = (from + SECOND - 1).div_euclid(SECOND) * SECOND;
            moments.extend([whole, from]);
        }
        if let Some(to) = end(&self.to) {
            let whole = (to - 1).div_euclid(SECOND) * SECOND;
            moments.extend([whole, to - 1]);
        }
        moments.push(USUAL);
        let possible = moments.into_iter().filter(|moment| (FIRST..END).contains(moment));
        possible.map(Key::Moment).collect()
    }

    fn versions(&self) -> Vec<Key> {
        let end = |key: &Option<Key>| match key {
            Some(Key::Version(version)) => Some(version.clone()),
            _ => None,
        };
        let mut versions = Vec::new();
        if let Some(from) = end(&self.from) {
            versions.extend(Version::of(from.borrowed().core(), "").map(VersionBuf::from));
            versions.push(from);
        }
        if let Some(to) = end(&self.to) {
            let below = match to.borrowed().core() {
                [0, 0, 0] => [0, 0, 0],
                [major, 0, 0] => [major - 1, 9, 9],
                [major, minor, 0] => [major, minor - 1, 9],
                [major, minor, patch] => [major, minor, patch - 1],
            };
            versions.extend(Version::of(below, "").map(VersionBuf::from));
            versions.extend(Version::of(to.borrowed().core(), "0").map(VersionBuf::from));
        }
        versions.extend(Version::of([0, 0, 0], "0").map(VersionBuf::from));
        versions.into_iter().map(Key::Version).collect()
    }

    /// A moment of the interval that can be the present.
    pub(crate) fn present(&self) -> Option<i128> {
        let possible = self.values().filter_map(|key| match key {
            Key::Moment(moment) => Some(moment),
            _ => None,
        });
        let mut possible =
            possible.filter(|moment| OffsetDateTime::from_unix_timestamp_nanos(*moment).is_ok());
        possible.next()
    }

    /// Whether a text says a value of the interval.
    pub(crate) fn is_said_by(&self, text: &str) -> bool {
        let key = match self.order {
            Order::Numbers => Number::parse(text).map(|number| Key::Number(number.get() + 0.0)),
            Order::Moments => Instant::parse(text).map(|moment| Key::Moment(nanoseconds(moment))),
            Order::Versions => Version::parse(text).map(|version| Key::Version(version.into())),
        };
        key.is_some_and(|key| self.holds(&key))
    }

    /// The text of one value of the interval or another, each time of quite another one.
    pub(crate) fn varied(&self, number: u64) -> Option<String> {
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let key = match (&self.order, &self.from, &self.to) {
            (Order::Numbers, from, to) => {
                let end = |key: &Option<Key>| match key {
                    Some(Key::Number(number)) => Some(*number),
                    _ => None,
                };
                let (from, to) = (end(from), end(to));
                let low = from.or(to.map(|to| to - 1e6)).unwrap_or(-1e6);
                let high = to.or(from.map(|from| from + 1e6)).unwrap_or(1e6);
                let part = (mixed >> 11) as f64 / (1_u64 << 53) as f64;
                let number = low + (high - low) * part;
                let digits = 10_f64.powi((mixed % 4) as i32);
                Key::Number((number * digits).round() / digits + 0.0)
            }
            (Order::Moments, from, to) => {
                let end = |key: &Option<Key>| match key {
                    Some(Key::Moment(moment)) => Some(*moment),
                    _ => None,
                };
                let (from, to) = (end(from).unwrap_or(FIRST), end(to).unwrap_or(END));
                let span = (to - from).max(1).unsigned_abs();
                let scaled = (span >> 32).max(1).wrapping_mul(u128::from(mixed >> 32));
                let moment = from + (scaled % span) as i128;
                Key::Moment(if mixed.is_multiple_of(3) {
                    moment
                } else {
                    moment / SECOND * SECOND
                })
            }
            (Order::Versions, ..) => {
                let core = self.values().nth((number % 4) as usize);
                let core = core.or_else(|| self.values().next())?;
                return Some(format!("{}+{mixed:x}", core.text()?));
            }
        };
        self.holds(&key).then(|| key.text()).flatten()
    }

    /// The values that are worth trying, as texts.
    pub(crate) fn plain(&self) -> Vec<String> {
        self.values().filter_map(|key| key.text()).collect()
    }

    /// Texts that say a value of the interval, as many as are wanted.
    pub(crate) fn texts(&self) -> impl Iterator<Item = String> {
        // most often the first one does, so none of the others is made before it is asked for
        let others = || {
            let keys: Vec<Key> = self.values().collect();
            let (order, count) = (self.order, keys.len() as u32);
            (0..RESPELLED).map_while(move |number| {
                let key = keys.get((number.checked_rem(count)?) as usize)?;
                Some(respelled(order, key, number / count))
            })
        };
        let more = || {
            let frames = self.frames();
            (0..u32::MAX).map_while(move |number| {
                let count = frames.len() as u32;
                let frame = frames.get((number.checked_rem(count)?) as usize)?;
                // the same count of digits each, so that no two read alike
                Some(frame.numbered(1_000_000_000 + number / count))
            })
        };
        let plain = self.values().filter_map(|key| key.text());
        plain
            .chain(std::iter::once_with(others).flatten())
            .chain(std::iter::once_with(more).flatten())
    }
}

/// So many values of an interval are tried.
const WORTH_TRYING: usize = 4;

/// So many values are written in other words, with zeros that say nothing; then come digits that do not count.
const RESPELLED: u32 = 4_000;

/// The value in other words, no two alike.
fn respelled(order: Order, key: &Key, number: u32) -> String {
    let text = key.text().unwrap_or_default();
    let zeros = |count: u32| "0".repeat(count as usize);
    match (order, key) {
        (Order::Versions, _) => format!("{text}+{number}"),
        (Order::Moments, Key::Moment(moment)) => {
            // another zone, and a longer fraction
            let minutes = number % 1439 + 1;
            let local = moment_text(moment + i128::from(minutes) * 60 * SECOND).unwrap_or_default();
            let zone = format!("+{:02}:{:02}", minutes / 60, minutes % 60);
            let fraction = zeros(number / 1439);
            match (local.strip_suffix('Z'), fraction.is_empty()) {
                (Some(local), true) => format!("{local}{zone}"),
                (Some(local), false) if local.contains('.') => format!("{local}{fraction}{zone}"),
                (Some(local), false) => format!("{local}.{fraction}{zone}"),
                (None, _) => text,
            }
        }
        _ => {
            let (sign, digits) = match text.strip_prefix('-') {
                Some(digits) => ("-", digits),
                None => (if number.is_multiple_of(2) { "" } else { "+" }, text.as_str()),
            };
            let lead = zeros(number / 2 % 40 + 1);
            let trail = zeros(number / 80);
            match digits.contains(['e', '.']) {
                true => format!("{sign}{lead}{trail}{digits}"),
                false => format!("{sign}{lead}{digits}.{trail}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_a_version_and_the_next_there_is_none() {
        let last = u64::MAX;
        let cores = [
            "0.0.0", "1.2.3", "1.2.L", "1.3.0", "1.L.L", "2.0.0", "L.0.L", "L.L.7", "L.L.L",
        ];
        let cores = cores.map(|core| core.replace('L', &last.to_string()));
        let all: Vec<String> = cores
            .iter()
            .flat_map(|core| ["", "-0", "-0.0", "-9", "-a", "-a.0", "-a-"].map(|pre| format!("{core}{pre}")))
            .collect();
        let key = |text: &String| Key::Version(Version::parse(text).unwrap().into());
        for text in &all {
            let next = next_version(&Version::parse(text).unwrap()).map(Key::Version);
            assert_eq!(next.is_none(), *text == cores[8], "{text}");
            let Some(next) = next else { continue };
            assert!(key(text).compare(&next).is_lt(), "{text} {next:?}");
            for other in &all {
                let is_between = key(text).compare(&key(other)).is_lt() && key(other).compare(&next).is_lt();
                assert!(!is_between, "{text} {other} {next:?}");
            }
        }
    }
}
