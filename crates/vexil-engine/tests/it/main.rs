//! The engine as its users see it.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at what it does not expect"
)]

mod admission;
mod answers;
mod custom;
mod explanations;
mod laws;
mod reference;
mod sdk_differences;
mod support;
mod tally;
mod threads;
mod updates;
mod warnings;
mod yggdrasil;
