//! Texts that constraints compare with: numbers, instants, versions, patterns, networks.

use std::net::IpAddr;

use time::format_description::well_known::Rfc3339;
use time::{Date, OffsetDateTime, PrimitiveDateTime};

/// Whether the text is a finite number in decimal or exponent notation. Blanks around it are allowed.
pub(super) fn is_number(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    text.bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'))
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// Whether the text is an instant: RFC 3339, or the same without zone or as a bare day (both UTC).
pub(super) fn is_instant(text: &str) -> bool {
    let day = time::macros::format_description!("[year]-[month]-[day]");
    let minute = time::macros::format_description!("[year]-[month]-[day]T[hour]:[minute]");
    OffsetDateTime::parse(text, &Rfc3339).is_ok()
        || OffsetDateTime::parse(&format!("{text}Z"), &Rfc3339).is_ok()
        || PrimitiveDateTime::parse(text.strip_suffix('Z').unwrap_or(text), &minute).is_ok()
        || Date::parse(text, &day).is_ok()
}

/// Whether the text is a version of Semantic Versioning 2.0.0, without a leading `v`.
pub(super) fn is_version(text: &str) -> bool {
    semver::Version::parse(text).is_ok()
}

/// Whether the text is an IP address, or a network such as `10.0.0.0/8`.
pub(super) fn is_network(text: &str) -> bool {
    let text = text.trim();
    let (address, length) = match text.split_once('/') {
        Some((address, length)) => (address, Some(length)),
        None => (text, None),
    };
    let longest = match address.parse() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    length.is_none_or(|length| length.parse::<u8>().is_ok_and(|length| length <= longest))
}

/// Whether the text is a percentage, 0 to 100, in plain decimal form.
pub(super) fn is_percentage(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && text
            .parse::<f64>()
            .is_ok_and(|value| (0.0..=100.0).contains(&value))
}
