//! Why a task stopped: one sentence for the person who ran it.

use std::fmt;

/// A reason in words.
#[derive(Debug)]
pub(crate) struct Failure {
    reason: String,
    missing: bool,
}

/// What a task gives back.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// Something went wrong.
    pub(crate) fn new(reason: impl Into<String>) -> Failure {
        Failure {
            reason: reason.into(),
            missing: false,
        }
    }

    /// This machine lacks a program that the task needs.
    pub(crate) fn missing(reason: impl Into<String>) -> Failure {
        Failure {
            reason: reason.into(),
            missing: true,
        }
    }

    /// Whether nothing went wrong but that this machine lacks a program.
    pub(crate) fn is_missing(&self) -> bool {
        self.missing
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

/// Adds what was being done to an error.
pub(crate) trait During<T> {
    /// Turns an error into a failure that begins with `doing`.
    fn during(self, doing: impl fmt::Display) -> Outcome<T>;
}

impl<T, E: fmt::Display> During<T> for Result<T, E> {
    fn during(self, doing: impl fmt::Display) -> Outcome<T> {
        self.map_err(|error| Failure::new(format!("{doing}: {error}")))
    }
}
