//! What users of the crate can rely on.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests stop where they fail"
)]

mod approvals;
mod conflicts;
mod cost;
mod dependencies;
mod documents;
mod edits;
mod laws;
mod normalised;
mod people;
mod reach;
mod schedules;
mod segments;
mod stale;
mod states;
mod strategies;
mod validate;
mod walk;
mod world;
