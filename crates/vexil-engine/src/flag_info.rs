//! What is said of a flag besides who gets it.

use vexil_domain::{FlagName, ProjectId};

use crate::FlagId;

/// What is said of a flag besides who gets it, as [`Engine::info`](crate::Engine::info) gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FlagInfo<'a> {
    /// The flag's handle.
    pub id: FlagId,
    /// The flag's name.
    pub name: &'a FlagName,
    /// The project that owns the flag.
    pub project: &'a ProjectId,
    /// What the flag is for, such as `release`.
    pub kind: &'a str,
    /// A description in a person's words.
    pub description: Option<&'a str>,
    /// Whether SDKs should emit an event each time the flag is evaluated.
    pub impression_data: bool,
}
