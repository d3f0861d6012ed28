//! Public behaviour of the crate.

#![expect(clippy::unwrap_used, reason = "a failed assertion is what a test is for")]

mod laws;
mod reading;
mod reports;
