//! What an SDK does: polls documents, registers, reports what it counted.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at what it does not expect"
)]

mod polled;
mod report;
