//! How the rules read values.

use regex::Regex;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime};

/// "Decimal and exponent spellings, no hexadecimal, no infinities."
pub(super) fn number(text: &str) -> Option<f64> {
    let spelling = Regex::new(r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$").unwrap();
    let number: f64 = spelling.is_match(text).then(|| text.trim().parse().unwrap())?;
    number.is_finite().then_some(number)
}

/// "RFC 3339 with a fraction of any length; no zone is UTC; no seconds are none; a bare day is 00:00 UTC."
pub(super) fn date(text: &str) -> Option<OffsetDateTime> {
    let form = Regex::new(
        r"^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt ]([0-9]{2}:[0-9]{2})(?::([0-9]{2})(\.[0-9]+)?)?([Zz]|[+-][0-9]{2}:[0-9]{2})?)?$",
    )
    .unwrap();
    let parts = form.captures(text)?;
    let day = Date::parse(&parts[1], format_description!("[year]-[month]-[day]")).ok()?;
    let Some(minutes) = parts.get(2) else {
        return Some(day.midnight().assume_utc());
    };
    let fraction: String = parts.get(4).map_or(String::new(), |fraction| {
        fraction.as_str().chars().take(10).collect()
    });
    let zone = parts.get(5).map_or("Z", |zone| zone.as_str()).to_uppercase();
    let second = parts.get(3).map_or("00", |second| second.as_str());
    let leap = second == "60" && parts[2].ends_with(":59");
    let second = if leap { "59" } else { second };
    let text = format!("{}T{}:{second}{fraction}{zone}", &parts[1], minutes.as_str());
    let moment = OffsetDateTime::parse(&text, &Rfc3339).ok()?;
    Some(if leap {
        moment + time::Duration::SECOND
    } else {
        moment
    })
}

/// "List values are trimmed"; empty ones count for nothing.
pub(super) fn list(values: &[String]) -> Vec<&str> {
    values
        .iter()
        .map(|value| value.trim())
        .filter(|value| !value.is_empty())
        .collect()
}

/// "Lower-casing both sides by Unicode; ς and σ are one letter."
pub(super) fn lower(text: &str) -> String {
    text.to_lowercase().replace('ς', "σ")
}
