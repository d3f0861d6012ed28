//! What identifies tokens.

/// Identifies an API token. Ids are never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ApiTokenId(pub i64);

/// Identifies a personal access token. Ids are never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PersonalTokenId(pub i64);
