//! What tasks give back, and how they say that this machine lacks what they need.

use std::fmt;

use anyhow::Error;

/// What a task gives back: why it stopped is for the person who ran it.
pub(crate) type Outcome<T = ()> = anyhow::Result<T>;

/// Nothing went wrong but that this machine lacks a program.
#[derive(Debug)]
struct Missing(String);

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Missing {}

/// This machine lacks a program that the task needs.
pub(crate) fn missing(reason: impl Into<String>) -> Error {
    Missing(reason.into()).into()
}

/// Whether nothing went wrong but that this machine lacks a program.
pub(crate) fn is_missing(error: &Error) -> bool {
    error.is::<Missing>()
}
