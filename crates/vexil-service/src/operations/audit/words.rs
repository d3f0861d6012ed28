//! Events of the audit log in words.

use vexil_store::NewEvent;

/// What was done, in a few words: `feature-created` is "Feature created".
#[must_use]
pub fn label(kind: &str) -> String {
    let words = kind.replace('-', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// Who did what to which flag where, as Markdown.
#[must_use]
pub fn summary(event: &NewEvent) -> String {
    let what = event.flag.as_ref().map(|flag| format!(" of **{flag}**"));
    let place = event.environment.as_ref().map(|name| format!(" in *{name}*"));
    format!(
        "**{}**: {}{}{}",
        event.actor.name,
        event.kind,
        what.unwrap_or_default(),
        place.unwrap_or_default()
    )
}
