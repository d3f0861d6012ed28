//! Reading JSON documents: every problem is listed, with its place, and reading goes on.
//!
//! Scalars are read as generously as Unleash reads them: a number or boolean where text is wanted
//! is taken as text, and text that spells a number or a boolean is taken as that.

mod distinct;
mod exclusive;
mod node;
mod place;
mod problems;
mod spelling;

pub use distinct::{ParseError, parse_distinct};
pub use exclusive::{at_most_one, refuse_repeated, same_where_given};
pub use node::Node;
pub use problems::{Problem, Problems};
pub use spelling::closest;

#[cfg(test)]
mod tests;
