//! The kinds of values that constraints compare: parsed once, compared without allocating.

pub(crate) mod hash;
pub(crate) mod instant;
pub(crate) mod lowercase;
pub(crate) mod murmur;
pub(crate) mod network;
pub(crate) mod number;
pub(crate) mod pattern;
pub(crate) mod text_set;
pub(crate) mod version;

/// A context value read as some type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reading<T> {
    /// The context has no value.
    Missing,
    /// The value is not of this type.
    Unreadable,
    /// The value.
    Value(T),
}

impl<T> Reading<T> {
    /// Reads a text that may be missing.
    pub(crate) fn of<'a>(text: Option<&'a str>, read: impl FnOnce(&'a str) -> Option<T>) -> Self {
        match text.map(read) {
            None => Self::Missing,
            Some(None) => Self::Unreadable,
            Some(Some(value)) => Self::Value(value),
        }
    }
}
