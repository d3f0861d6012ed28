//! What no store can hold.

/// How many bytes a name or id may have. Three of them together, and some numbers, fit into one
/// entry of a PostgreSQL index (2704 bytes).
pub const MAX_KEY_BYTES: usize = 800;

/// Why a text cannot be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// It holds U+0000.
    #[error("must not hold a NUL character")]
    Nul,
    /// It is a name or id, and too long.
    #[error("must not have more than {MAX_KEY_BYTES} bytes")]
    TooLong,
}

/// Something that no store can hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place} {problem}")]
pub struct Unstorable {
    /// Which text it is, such as ``the description of flag `checkout` ``.
    pub place: String,
    /// What is wrong with it.
    pub problem: TextError,
}
