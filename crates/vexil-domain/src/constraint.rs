//! Constraints: one condition on one context field.

mod document;

use std::fmt;

pub use document::{ConstraintMember, ConstraintSource, read_constraint};

/// A condition on one context field. `T` is text, which may still lie in the document that it was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Constraint<T = String> {
    /// The context field that is compared: a standard field such as `userId`, or a property.
    pub context_name: T,
    /// How it is compared.
    pub operator: Operator,
    /// The values of an operator that takes several.
    pub values: Vec<T>,
    /// The value of an operator that takes one.
    pub value: Option<T>,
    /// Whether the outcome is turned round. `None` where it was never said, which means no.
    pub inverted: Option<bool>,
    /// Whether text is compared without regard to case. `None` where it was never said, which means no.
    pub case_insensitive: Option<bool>,
}

impl Constraint {
    /// A constraint on `context_name`, with no values yet.
    #[must_use]
    pub fn new(context_name: impl Into<String>, operator: Operator) -> Self {
        Self {
            context_name: context_name.into(),
            operator,
            values: Vec::new(),
            value: None,
            inverted: None,
            case_insensitive: None,
        }
    }
}

impl<T> Constraint<T> {
    /// The same with texts of another type.
    #[must_use]
    pub fn map_text<U>(self, mut of: impl FnMut(T) -> U) -> Constraint<U> {
        Constraint {
            context_name: of(self.context_name),
            operator: self.operator,
            values: self.values.into_iter().map(&mut of).collect(),
            value: self.value.map(&mut of),
            inverted: self.inverted,
            case_insensitive: self.case_insensitive,
        }
    }

    /// Whether the outcome is turned round.
    #[must_use]
    pub fn is_inverted(&self) -> bool {
        self.inverted == Some(true)
    }

    /// Whether text is compared without regard to case.
    #[must_use]
    pub fn is_case_insensitive(&self) -> bool {
        self.case_insensitive == Some(true)
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// How a constraint compares a context value.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum Operator {
            $($(#[$doc])* $variant,)+
            /// A name that is none of the above. Such a constraint never holds.
            Unknown(Box<str>),
        }

        impl Operator {
            /// Every known operator.
            pub const KNOWN: &'static [Operator] = &[$(Operator::$variant),+];

            /// The operator of this name; [`Operator::Unknown`] when there is none.
            #[must_use]
            pub fn from_name(name: &str) -> Self {
                match name {
                    $($text => Self::$variant,)+
                    other => Self::Unknown(other.into()),
                }
            }

            /// The operator's name.
            #[must_use]
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Unknown(name) => name,
                }
            }
        }
    };
}

operators! {
    /// The value is one of `values`.
    In = "IN",
    /// The value is none of `values`, or absent.
    NotIn = "NOT_IN",
    /// The value ends with one of `values`.
    StrEndsWith = "STR_ENDS_WITH",
    /// The value starts with one of `values`.
    StrStartsWith = "STR_STARTS_WITH",
    /// The value contains one of `values`.
    StrContains = "STR_CONTAINS",
    /// The value is a number equal to `value`.
    NumEq = "NUM_EQ",
    /// The value is a number greater than `value`.
    NumGt = "NUM_GT",
    /// The value is a number greater than or equal to `value`.
    NumGte = "NUM_GTE",
    /// The value is a number less than `value`.
    NumLt = "NUM_LT",
    /// The value is a number less than or equal to `value`.
    NumLte = "NUM_LTE",
    /// The value is an instant after `value`.
    DateAfter = "DATE_AFTER",
    /// The value is an instant before `value`.
    DateBefore = "DATE_BEFORE",
    /// The value is a semantic version of the same precedence as `value`.
    SemverEq = "SEMVER_EQ",
    /// The value is a semantic version of higher precedence than `value`.
    SemverGt = "SEMVER_GT",
    /// The value is a semantic version of the same or higher precedence than `value`.
    SemverGte = "SEMVER_GTE",
    /// The value is a semantic version of lower precedence than `value`.
    SemverLt = "SEMVER_LT",
    /// The value is a semantic version of the same or lower precedence than `value`.
    SemverLte = "SEMVER_LTE",
    /// The regular expression `value` matches somewhere in the value.
    Regex = "REGEX",
    /// The value is an IP address inside one of the networks in `values`.
    InCidr = "IN_CIDR",
}

impl Operator {
    /// Whether the operator reads `values`; the others read `value`.
    #[must_use]
    pub fn takes_values(&self) -> bool {
        matches!(
            self,
            Self::In
                | Self::NotIn
                | Self::StrEndsWith
                | Self::StrStartsWith
                | Self::StrContains
                | Self::InCidr
        )
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Operator {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Operator {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)
            .map(|name| Self::from_name(&name))
    }
}
