//! How two ordered values are compared.

use std::cmp::Ordering;

/// What an operator such as `NUM_GT` or `SEMVER_LTE` asks of the context value, seen from the
/// constraint's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The same.
    Equal,
    /// Above.
    Greater,
    /// Above or the same.
    GreaterOrEqual,
    /// Below.
    Less,
    /// Below or the same.
    LessOrEqual,
}

impl Order {
    /// Whether it holds where the context value stands to the constraint's as `found` says.
    #[inline]
    #[must_use]
    pub fn holds(self, found: Ordering) -> bool {
        match self {
            Self::Equal => found.is_eq(),
            Self::Greater => found.is_gt(),
            Self::GreaterOrEqual => found.is_ge(),
            Self::Less => found.is_lt(),
            Self::LessOrEqual => found.is_le(),
        }
    }
}
