//! The names and ids that tie everything together.
//!
//! A name is an opaque, case-sensitive string: no name is special, and none is normalised. Which
//! names may be *created* is a rule of its own, [`check_url_friendly`].

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

macro_rules! text_name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub struct $name(Arc<str>);

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> Ordering {
                // in maps with names of several parts, most comparisons are of clones of one name
                if Arc::ptr_eq(&self.0, &other.0) {
                    Ordering::Equal
                } else {
                    self.0.cmp(&other.0)
                }
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl $name {
            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)
                    .map(|text| Self(text.as_ref().into()))
            }
        }
    };
}

text_name! {
    /// The name of a feature flag, unique in an instance.
    FlagName
}
text_name! {
    /// The id of a project, unique in an instance.
    ProjectId
}
text_name! {
    /// The name of an environment, unique in an instance.
    EnvironmentName
}
text_name! {
    /// The id of one activation strategy of one flag in one environment.
    StrategyId
}

/// The id of a segment. Ids are never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(transparent)
)]
pub struct SegmentId(pub i64);

impl fmt::Display for SegmentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why a name cannot be given to something new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The name has no characters.
    #[error("must not be empty")]
    Empty,
    /// The name has more than 100 characters.
    #[error("must not have more than 100 characters")]
    TooLong,
    /// The name holds something else than letters, digits and `-`, `_`, `.`, `~`.
    #[error("must be URL friendly: only letters, digits and `-`, `_`, `.`, `~`")]
    NotUrlFriendly,
    /// The name is `.` or `..`, which clients resolve away in a path.
    #[error("must not be `.` or `..`")]
    Dots,
}

/// Whether something new may be called `text`: 1 to 100 characters of `A-Z a-z 0-9 - _ . ~`, and
/// neither `.` nor `..`. Names read from elsewhere need not obey this.
///
/// # Errors
///
/// The first rule that `text` breaks.
pub fn check_url_friendly(text: &str) -> Result<(), NameError> {
    if text.is_empty() {
        return Err(NameError::Empty);
    }
    if !text
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~'))
    {
        return Err(NameError::NotUrlFriendly);
    }
    if text.len() > 100 {
        return Err(NameError::TooLong);
    }
    if text == "." || text == ".." {
        return Err(NameError::Dots);
    }
    Ok(())
}
