//! What can be sent to the administration API.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests stop where they fail"
)]

mod documents;
mod exclusive;
mod people;
mod questions;
mod walk;
