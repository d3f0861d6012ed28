//! `GET /api/frontend`: the context in the query of the address.

use std::collections::BTreeMap;

use vexil_domain::Context;

use super::STANDARD;

/// Values by name; a name that was given more than once has none.
type Values = BTreeMap<String, Option<String>>;

/// The context that a query spells: `userId=7&properties[region]=eu`.
///
/// A parameter that is no standard field is a property, unless `properties[…]` names the same one.
/// Nothing is refused: what is ambiguous (the same parameter twice) or in no form that is known
/// (`properties=7`, `region[]=eu`) counts as absent, and a broken percent code stands for itself.
#[must_use]
pub fn context_of_query(query: &str) -> Context {
    let mut plain = Values::new();
    let mut properties = Values::new();
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let name = decoded(name);
        match name.strip_prefix("properties[").and_then(|rest| rest.strip_suffix(']')) {
            Some(property) if is_plain(property) => note(&mut properties, property.to_owned(), value),
            None if is_plain(&name) && name != "properties" => note(&mut plain, name, value),
            _ => {}
        }
    }
    let mut context = Context::default();
    let (standard, loose): (Vec<_>, Vec<_>) =
        plain.into_iter().partition(|(name, _)| STANDARD.contains(&name.as_str()));
    for (name, value) in loose.into_iter().chain(properties) {
        if let Some(value) = value {
            context.properties.insert(&name, value);
        }
    }
    for (name, value) in standard {
        if let Some(value) = value {
            context.set(&name, value);
        }
    }
    context
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['[', ']'])
}

fn note(values: &mut Values, name: String, value: &str) {
    values.entry(name).and_modify(|known| *known = None).or_insert_with(|| Some(decoded(value)));
}

/// Undoes `application/x-www-form-urlencoded`. What is no percent code stays as it is, and what is
/// no UTF-8 is replaced.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match (byte, behind) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, behind @ ..]) => match hexadecimal(*high).zip(hexadecimal(*low)) {
                Some((high, low)) => {
                    bytes.push(high * 16 + low);
                    rest = behind;
                }
                None => bytes.push(byte),
            },
            _ => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn hexadecimal(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}
