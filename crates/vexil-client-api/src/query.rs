//! The query of an address, as names and values.

/// The parameters of a query in their order, with `application/x-www-form-urlencoded` undone. A
/// broken percent code stands for itself, and what is no UTF-8 is replaced.
pub fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned()
}
