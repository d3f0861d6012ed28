//! Query parameters of searches, such as `type=IS_ANY_OF:release,experiment`.

use std::collections::HashMap;

use crate::operations::flag_search::Wanted;

/// The parameters of a search.
pub(super) type Parameters = actix_web::web::Query<HashMap<String, String>>;

/// Operators that ask for values, and those that ask for others.
const OPERATORS: [(&str, bool); 8] = [
    ("IS", false),
    ("IS_ANY_OF", false),
    ("INCLUDE", false),
    ("INCLUDE_ANY_OF", false),
    ("IS_NOT", true),
    ("IS_NONE_OF", true),
    ("DO_NOT_INCLUDE", true),
    ("EXCLUDE_IF_ANY_OF", true),
];

/// The values of a parameter. One without an operator means what it says.
pub(super) fn wanted(query: &HashMap<String, String>, name: &str) -> Wanted {
    let Some(text) = query.get(name) else {
        return Wanted::default();
    };
    let operator = |(operator, rest): (&str, _)| {
        let known = OPERATORS.iter().find(|(known, _)| *known == operator);
        known.map(|(_, negated)| (*negated, rest))
    };
    let (negated, values) = text.split_once(':').and_then(operator).unwrap_or((false, text));
    let values = values.split(',').map(str::trim).filter(|value| !value.is_empty());
    Wanted {
        values: values.map(str::to_owned).collect(),
        negated,
    }
}

/// How many items a page holds: 1 to 1000, or 50 where nothing sensible is asked.
pub(super) fn read_limit(query: &HashMap<String, String>) -> u16 {
    let asked = query
        .get("limit")
        .and_then(|text| text.parse::<u64>().ok())
        .filter(|limit| *limit > 0);
    asked.map_or(50, |limit| u16::try_from(limit.min(1000)).unwrap_or(1000))
}

/// How many items come before a page: none where nothing sensible is asked.
pub(super) fn read_offset(query: &HashMap<String, String>) -> u32 {
    let asked = query.get("offset").and_then(|text| text.parse::<u64>().ok());
    asked.map_or(0, |offset| u32::try_from(offset).unwrap_or(u32::MAX))
}
