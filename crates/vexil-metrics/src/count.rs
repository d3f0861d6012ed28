//! Counts that add up and cannot overflow.

use std::collections::BTreeMap;
use std::fmt;

/// How often something happened. Adding stops at [`Count::MAX`], in whatever order it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Count(u64);

impl Count {
    /// 2⁵³ − 1, the greatest integer that every reader of JSON keeps exactly (RFC 8259, section 6).
    pub const MAX: Self = Self((1 << 53) - 1);

    /// A count of `number`, or of [`Count::MAX`] where that is less.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        if number > Self::MAX.0 {
            Self::MAX
        } else {
            Self(number)
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The sum, at most [`Count::MAX`].
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::new(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What happened to one flag: evaluations and the variants they gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// Evaluations to true.
    pub yes: Count,
    /// Evaluations to false.
    pub no: Count,
    /// How often each variant was given, by name.
    pub variants: BTreeMap<String, Count>,
}

impl Counts {
    /// Counts without variants; each is at most [`Count::MAX`].
    #[must_use]
    pub fn new(yes: u64, no: u64) -> Self {
        Self {
            yes: Count::new(yes),
            no: Count::new(no),
            variants: BTreeMap::new(),
        }
    }

    /// Counts `times` more of a variant.
    #[must_use]
    pub fn with_variant(mut self, name: impl Into<String>, times: u64) -> Self {
        self.add_variant(&name.into(), Count::new(times));
        self
    }

    /// Adds what `other` counted.
    pub fn add(&mut self, other: &Self) {
        self.yes = self.yes.plus(other.yes);
        self.no = self.no.plus(other.no);
        for (name, &times) in &other.variants {
            self.add_variant(name, times);
        }
    }

    /// Adds a count of one variant.
    pub fn add_variant(&mut self, name: &str, times: Count) {
        match self.variants.get_mut(name) {
            Some(sum) => *sum = sum.plus(times),
            None => drop(self.variants.insert(name.to_owned(), times)),
        }
    }

    /// Whether nothing at all was counted.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.yes.get() == 0 && self.no.get() == 0 && self.variants.values().all(|times| times.get() == 0)
    }
}
