//! What users of the crate can see.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed assertion is what a test is for"
)]

mod assigning;
mod laws;
mod modes;
mod names;
mod roles;
