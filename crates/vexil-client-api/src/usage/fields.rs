//! The fields that usage documents share: names, dates and counts.

use std::collections::BTreeMap;

use serde_json::Value;
use time::{Duration, OffsetDateTime, PrimitiveDateTime};
use vexil_metrics::{Count, Counts};
use vexil_values::Instant;

use crate::json::{Node, Problems};

/// Integers below this are seconds since 1970, the others milliseconds.
const FIRST_MILLISECONDS: i64 = 100_000_000_000;

/// Milliseconds from 1970 on that clocks of JavaScript can tell; the others stand for nothing.
const LAST_MILLISECOND: i64 = 8_640_000_000_000_000;

/// The instant that an integer stands for: seconds since 1970 below 10¹¹, else milliseconds. A clock that is thousands
/// of years ahead is at the end of the year 9999.
pub(crate) fn instant_of_integer(number: i64) -> Option<OffsetDateTime> {
    if number < FIRST_MILLISECONDS {
        return OffsetDateTime::from_unix_timestamp(number).ok();
    }
    let instant = OffsetDateTime::from_unix_timestamp_nanos(i128::from(number) * 1_000_000).ok();
    let latest = || PrimitiveDateTime::MAX.assume_utc();
    (number <= LAST_MILLISECOND).then(|| instant.unwrap_or_else(latest))
}

/// The instant that a text stands for: a date-time, of UTC where it names no zone. The zone may be written without a
/// colon, as many libraries of Java do.
pub(crate) fn instant_of_text(text: &str) -> Option<OffsetDateTime> {
    let instant = Instant::parse(text).or_else(|| Instant::parse(&with_colon_in_zone(text)?))?;
    let seconds = OffsetDateTime::from_unix_timestamp(instant.unix_seconds()).ok()?;
    Some(seconds.saturating_add(Duration::nanoseconds(instant.nanoseconds().into())))
}

/// `…+0530` as `…+05:30`; `None` where a text does not end so.
fn with_colon_in_zone(text: &str) -> Option<String> {
    let (before, zone) = text.split_at_checked(text.len().checked_sub("+0530".len())?)?;
    let (hours, minutes) = zone.split_at_checked("+05".len())?;
    let is_zone = hours.starts_with(['+', '-']) && minutes.bytes().all(|byte| byte.is_ascii_digit());
    is_zone.then(|| format!("{before}{hours}:{minutes}"))
}

/// The instant that a number with a fraction stands for: of seconds, or of milliseconds.
fn instant_of_fraction(number: f64) -> Option<OffsetDateTime> {
    const MILLISECONDS: f64 = 1e11;
    let seconds = if number < MILLISECONDS {
        number
    } else {
        number / 1000.0
    };
    let since = Duration::checked_seconds_f64(seconds)?;
    OffsetDateTime::UNIX_EPOCH.checked_add(since)
}

/// The instant that stands here: a date-time, or a number.
pub(crate) fn instant(node: &Node<'_>, problems: &mut Problems) -> Option<OffsetDateTime> {
    let read = match node.value() {
        Some(Value::String(text)) => {
            instant_of_text(text).or_else(|| text.parse::<i64>().ok().and_then(instant_of_integer))
        }
        Some(Value::Number(number)) => match number.as_i64() {
            Some(number) => instant_of_integer(number),
            None => number.as_f64().and_then(instant_of_fraction),
        },
        _ => None,
    };
    match (read, node.value()) {
        (None, Some(value)) => {
            let rule = "must match format \"date-time\" (such as \"2026-11-27T21:03:20Z\"), or be a number: seconds since 1970, or milliseconds from 10^11 on";
            problems.refuse(node.path(), rule, value);
        }
        (None, None) => drop(node.text(problems)),
        _ => {}
    }
    read
}

/// The bounds of a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameRule {
    /// The most bytes it may have.
    pub(crate) longest: usize,
    /// What becomes of a name that cannot be kept.
    pub(crate) unfit: Unfit,
}

/// What becomes of a name that cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// It is refused, with the report of the SDK that sent it.
    Refused,
    /// It is made to fit. A proxy sends on what many have reported: one of them must not cost the others theirs.
    MadeToFit,
}

impl NameRule {
    /// Whether a text can be kept as a name.
    pub(crate) fn admits(self, name: &str) -> bool {
        name.len() <= self.longest && !name.contains('\0')
    }

    /// The name of an application that must stand here. What a proxy sends on may be empty, and is [`OTHER`] then.
    pub(crate) fn application(self, node: &Node<'_>, problems: &mut Problems) -> Option<String> {
        let name = match self.unfit {
            Unfit::Refused => node.non_empty_text(problems)?,
            Unfit::MadeToFit => match node.loose_text(problems)? {
                name if name.is_empty() => OTHER.to_owned(),
                name => name,
            },
        };
        self.kept(&name, node.path(), problems)
    }

    /// The name of a flag that must stand here.
    pub(crate) fn flag(self, node: &Node<'_>, problems: &mut Problems) -> Option<String> {
        let name = node.loose_text(problems)?;
        self.kept(&name, node.path(), problems)
    }

    /// A name that stands at `path`, as it is kept.
    pub(crate) fn kept(self, name: &str, path: &str, problems: &mut Problems) -> Option<String> {
        match self.unfit {
            Unfit::Refused => self.check(name, path, problems).then(|| name.to_owned()),
            Unfit::MadeToFit if self.admits(name) => Some(name.to_owned()),
            Unfit::MadeToFit => {
                let mut name = name.replace('\0', "\u{fffd}");
                let mut ends = (0..=self.longest.min(name.len())).rev();
                let end = ends.find(|&end| name.is_char_boundary(end));
                name.truncate(end.unwrap_or_default());
                Some(name)
            }
        }
    }

    /// Lists what is wrong with a name that stands at `path`.
    pub(crate) fn check(self, name: &str, path: &str, problems: &mut Problems) -> bool {
        if name.contains('\0') {
            problems.add(
                path,
                format!("The name at `{path}` must NOT hold a NUL character."),
            );
        } else if name.len() > self.longest {
            let longest = self.longest;
            problems.add(
                path,
                format!("The name at `{path}` must NOT have more than {longest} bytes."),
            );
        }
        self.admits(name)
    }
}

/// What names that cannot be kept are reported as: those beyond the bounds of the server, and applications that say
/// none to a proxy. No flag can be called so.
pub const OTHER: &str = "(other)";

/// A count that may stand here; nothing or `null` is none, and `true` is one, as Unleash reads it.
pub(crate) fn count(node: &Node<'_>, problems: &mut Problems) -> Option<Count> {
    const MOST: i64 = Count::MAX.get().cast_signed();
    match node.value() {
        None | Some(Value::Null) => return Some(Count::default()),
        Some(Value::Bool(is_one)) => return Some(Count::new((*is_one).into())),
        _ => {}
    }
    let number = node.integer(problems, 0, MOST)?;
    u64::try_from(number).ok().map(Count::new)
}

/// The members `yes`, `no` and `variants` of a document.
pub(crate) fn counts(node: &Node<'_>, names: NameRule, problems: &mut Problems) -> Option<Counts> {
    node.object(problems)?;
    let yes = count(&node.get("yes"), problems);
    let no = count(&node.get("no"), problems);
    let variants = variants(&node.get("variants").nullable(), names, problems);
    Some(Counts {
        yes: yes?,
        no: no?,
        variants,
    })
}

fn variants(node: &Node<'_>, names: NameRule, problems: &mut Problems) -> BTreeMap<String, Count> {
    if node.is_absent() {
        return BTreeMap::new();
    }
    let mut variants = BTreeMap::new();
    for (name, times) in node.members(problems).unwrap_or_default() {
        let name = names.kept(name, times.path(), problems);
        if let (Some(name), Some(times)) = (name, count(&times, problems)) {
            let counted = variants.entry(name).or_insert_with(Count::default);
            *counted = counted.plus(times);
        }
    }
    variants
}
