//! The fields that usage documents share: names, dates and counts.

use std::collections::BTreeMap;

use serde_json::Value;
use time::{Duration, OffsetDateTime};
use vexil_metrics::{Count, Counts};

use crate::json::{Node, Problems};

/// Integers below this are seconds since 1970, the others milliseconds.
const FIRST_MILLISECONDS: i64 = 100_000_000_000;

/// The instant that an integer stands for: seconds since 1970 below 10¹¹, else milliseconds.
pub(crate) fn instant_of_integer(number: i64) -> Option<OffsetDateTime> {
    if number < FIRST_MILLISECONDS {
        return OffsetDateTime::from_unix_timestamp(number).ok();
    }
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(number) * 1_000_000).ok()
}

/// The instant that a text stands for: a date-time, of UTC where it names no zone.
pub(crate) fn instant_of_text(text: &str) -> Option<OffsetDateTime> {
    let instant = vexil_values::Instant::parse(text)?;
    let seconds = OffsetDateTime::from_unix_timestamp(instant.unix_seconds()).ok()?;
    Some(seconds.saturating_add(Duration::nanoseconds(instant.nanoseconds().into())))
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
}

impl NameRule {
    /// Whether a text can be kept as a name.
    pub(crate) fn admits(self, name: &str) -> bool {
        name.len() <= self.longest && !name.contains('\0')
    }

    /// The name that must stand here and have at least one character.
    pub(crate) fn read(self, node: &Node<'_>, problems: &mut Problems) -> Option<String> {
        let name = node.non_empty_text(problems)?;
        self.check(&name, node.path(), problems).then_some(name)
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

/// A count that may stand here; nothing or `null` is none.
pub(crate) fn count(node: &Node<'_>, problems: &mut Problems) -> Option<Count> {
    const MOST: i64 = Count::MAX.get().cast_signed();
    if node.is_absent_or_null() {
        return Some(Count::default());
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
        let fits = names.check(name, times.path(), problems);
        if let Some(times) = count(&times, problems).filter(|_| fits) {
            variants.insert(name.to_owned(), times);
        }
    }
    variants
}
