//! What users of the crate can see.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    unreachable_pub,
    reason = "a failed assertion is what a test is for, and support is shared by all modules"
)]

mod budget;
mod changes;
mod difference;
mod sides;
mod suggest;
