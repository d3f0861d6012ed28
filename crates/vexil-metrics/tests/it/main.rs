//! Public behaviour of the crate.

mod laws;
mod reading;
mod reports;
