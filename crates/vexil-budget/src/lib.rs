//! What one request may cost: units of work, and a flag that stops it.
//!
//! Whatever loops over what people sent takes a [`Budget`] and pays before it works: for a question
//! whose size is known, all of it, before anything is built; else step by step. So no input makes a
//! server work without an end, and nobody has to guess which inputs are dear.
//!
//! A unit is about what it takes to compare two short texts, to copy one small value or to visit one
//! node: some hundred nanoseconds. Something that costs more is paid with more units.
//!
//! Nothing here reads a clock. Whoever has one, and whoever learns that nobody waits for the answer
//! any more, sets the [`Stop`] flag; the next payment finds it.
//!
//! ```
//! use vexil_budget::{Budget, Exhausted};
//!
//! fn pairs(names: &[&str], budget: &Budget) -> Result<usize, Exhausted> {
//!     budget.spend_product(&[names.len(), names.len()])?;
//!     Ok(names.iter().map(|one| names.iter().filter(|other| *other == one).count()).sum())
//! }
//!
//! let budget = Budget::new(10);
//! assert_eq!(pairs(&["a", "b", "a"], &budget), Ok(5));
//! assert_eq!(budget.left(), 1);
//! assert_eq!(
//!     pairs(&["a", "b"], &budget),
//!     Err(Exhausted::Work { needed: 4, left: 1, limit: 10 })
//! );
//! ```

mod budget;
mod stop;

pub use budget::{Budget, Exhausted};
pub use stop::{Reason, Stop};
