//! What a transaction is for.

/// What a transaction is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// To read, all of it as of one moment.
    Read,
    /// To write. In SQLite it waits for its turn when it begins.
    Write,
}
