//! Asks every flag about every combination of context values, each distinct question once.
//!
//! A [`ContextMatrix`] holds, for each context field, the values to try. Its combinations are never
//! built as a list: they are counted first and walked one by one. A flag reads few of the fields, so
//! a [`Projection`] numbers the combinations by the fields that matter to it, and equal numbers mean
//! equal answers.

mod matrix;
mod projection;

pub use matrix::{ContextMatrix, Cursor, MatrixField};
pub use projection::Projection;
