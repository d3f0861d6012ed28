//! JSON that somebody sent as text.

use std::borrow::Cow;

use serde_json::Value;
use vexil_client_api::json::{ParseError, parse_distinct};

use crate::operations::Error;

/// What some libraries put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Parses JSON text. One that names a member twice in the same object is refused: one of the two would be passed over.
pub fn parse(text: &[u8]) -> Result<Value, Error> {
    parse_distinct(unmarked(text), "/body").map_err(|error| match error {
        ParseError::NoJson(error) => no_json(&error),
        ParseError::Repeated(problem) => Error::from(vec![problem]),
        error => Error::invalid(error.to_string()),
    })
}

/// Parses what an SDK sent. What is no Unicode in it, such as half of a letter at the end of a text that was cut, stands as
/// U+FFFD, as in a query: it must not cost a user all flags, or an application its counts. Of a member that stands twice the last counts, as it does for
/// Unleash.
pub fn parse_lenient(text: &[u8]) -> Result<Value, Error> {
    read(text).or_else(|error| match mended(text) {
        Cow::Owned(mended) => read(mended.as_bytes()),
        Cow::Borrowed(_) => Err(error),
    })
}

fn read(text: &[u8]) -> Result<Value, Error> {
    serde_json::from_slice(unmarked(text)).map_err(|error| no_json(&error))
}

fn unmarked(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

fn no_json(error: &serde_json::Error) -> Error {
    Error::invalid(format!("The request body is no valid JSON: {error}."))
}

/// A text with U+FFFD for what is no UTF-8, and for each half of a pair of surrogates that is written as an escape and
/// stands alone. It is borrowed where there is none.
fn mended(text: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(text);
    let mut out = String::new();
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        let length = match (unit(escape), unit(escape.get(UNIT..).unwrap_or_default())) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 2 * UNIT,
            (Some(0xd800..0xe000), _) => {
                out.push_str(before);
                out.push('\u{fffd}');
                rest = escape.get(UNIT..).unwrap_or_default();
                continue;
            }
            // one letter is escaped, which may be a backslash
            _ => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        let (kept, behind) = rest.split_at(at + length);
        out.push_str(kept);
        rest = behind;
    }
    out.push_str(rest);
    if out == text { text } else { out.into() }
}

/// How many bytes `\uXXXX` has.
const UNIT: usize = 6;

/// The unit of UTF-16 that an escape at the beginning of a text stands for.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests;
