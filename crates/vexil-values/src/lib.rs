//! What a constraint compares with, read in one place: numbers, instants, versions, networks, patterns
//! and texts, each with one parser.
//!
//! Whoever admits constraints asks [`problems`], whoever compiles them asks [`read`], and the two say the
//! same, because the one calls the other: what is admitted can be compiled, and what cannot be compiled is
//! not admitted. Whoever looks for values that tell constraints apart starts from what [`read`] gives.
//!
//! ```
//! use vexil_domain::{Constraint, Operator};
//! use vexil_values::{Comparison, Number, Order, problems, read};
//!
//! let mut adults = Constraint::new("age", Operator::NumGte);
//! adults.value = Some("18".to_owned());
//! assert!(problems(&adults).is_empty());
//! let Some(Comparison::Number(order, bound)) = read(&adults, |_| {}) else { panic!() };
//! assert!(Number::parse("21").is_some_and(|age| order.holds(age.cmp(&bound))));
//! assert_eq!(order, Order::GreaterOrEqual);
//!
//! adults.value = Some("eighteen".to_owned());
//! assert_eq!(problems(&adults)[0].to_string(), "`eighteen` is not a number such as 5 or 0.25");
//! ```
//!
//! # Cargo features
//!
//! * `regex` (on by default): regular expressions, on `regex-syntax` and `regex-automata`. Without it a constraint
//!   with the operator `REGEX` is one that cannot be read.

mod comparison;
mod fold;
mod instant;
mod network;
#[cfg(not(feature = "regex"))]
mod no_pattern;
mod number;
mod order;
#[cfg(feature = "regex")]
mod pattern;
mod problem;
mod version;

pub use comparison::{Comparison, ConstraintText, Entries, TextPlace, TimeOrder, problems, read};
pub use fold::{fold, fold_char};
pub use instant::Instant;
pub use network::{Network, parse_address};
#[cfg(not(feature = "regex"))]
pub use no_pattern::{Matcher, Pattern};
pub use number::Number;
pub use order::Order;
#[cfg(feature = "regex")]
pub use pattern::{LONGEST_PATTERN, Matcher, Pattern, PatternError};
pub use problem::{Part, Problem, ValueKind};
pub use version::{Version, VersionBuf};
