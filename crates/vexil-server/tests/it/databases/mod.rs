//! Whole servers on each of the databases, alone and side by side.

mod ages;
mod following;
mod outcomes;
mod previews;
mod restored;
pub mod scratch;
mod side_by_side;
