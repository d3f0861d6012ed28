//! `GET /api/frontend`: the context in the query of the address.

use std::collections::BTreeMap;

use vexil_domain::Context;

use super::STANDARD;
use crate::query::pairs;

/// Values by name; a name that was given more than once has none.
type Values = BTreeMap<String, Option<String>>;

/// The context that a query spells: `userId=7&properties[region]=eu`.
///
/// A parameter that is no standard field is a property, unless `properties[…]` names the same one.
/// Nothing is refused: what is ambiguous (the same parameter twice) or in no form that is known
/// (`properties=7`, `region[]=eu`) counts as absent, and so does an empty standard field.
#[must_use]
pub fn context_of_query(query: &str) -> Context {
    let mut plain = Values::new();
    let mut properties = Values::new();
    for (name, value) in pairs(query) {
        match name
            .strip_prefix("properties[")
            .and_then(|rest| rest.strip_suffix(']'))
        {
            Some(property) if is_plain(property) => note(&mut properties, property.to_owned(), value),
            None if is_plain(&name) && name != "properties" => note(&mut plain, name, value),
            _ => {}
        }
    }
    let mut context = Context::default();
    let (standard, mut loose): (Values, Values) = plain
        .into_iter()
        .partition(|(name, _)| STANDARD.contains(&name.as_str()));
    loose.append(&mut properties);
    for (name, value) in loose {
        if let Some(value) = value {
            context.properties.insert(&name, value);
        }
    }
    for (name, value) in standard {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            context.set(&name, value);
        }
    }
    context
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['[', ']'])
}

fn note(values: &mut Values, name: String, value: String) {
    values
        .entry(name)
        .and_modify(|known| *known = None)
        .or_insert(Some(value));
}
