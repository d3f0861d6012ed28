//! What people note about a flag and what decides nothing: where more is said of it, and that it is done.

use time::OffsetDateTime;

/// Where more is said of a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagLink {
    /// Tells it from the other links of the flag.
    pub id: String,
    /// The address.
    pub url: String,
    /// What is there, in a person's words.
    pub title: Option<String>,
}

/// That a flag has done what it was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// Whether what it switches stays; `false` where it is thrown away.
    pub kept: bool,
    /// What stays, such as the name of a variant.
    pub value: Option<String>,
    /// When it was said first.
    pub at: OffsetDateTime,
}
