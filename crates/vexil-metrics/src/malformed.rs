//! Why bytes are no packed counts.

/// Bytes that are no packed counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("packed usage counts are cut off, or of another form")
    }
}

impl std::error::Error for Malformed {}
