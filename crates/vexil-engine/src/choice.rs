//! The answer to "which variant?".

use vexil_domain::{FlagName, Payload, ProjectId};

use crate::FlagId;

/// The variant a user gets, borrowed from the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice<'a> {
    /// The variant's name; `disabled` where there is none.
    pub name: &'a str,
    /// The variant's data.
    pub payload: Option<&'a Payload>,
    /// Whether a variant was chosen.
    pub enabled: bool,
    /// Whether the flag is on.
    pub feature_enabled: bool,
}

impl Choice<'_> {
    /// No variant, of a flag that is on or off.
    #[must_use]
    pub const fn disabled(feature_enabled: bool) -> Self {
        Self {
            name: "disabled",
            payload: None,
            enabled: false,
            feature_enabled,
        }
    }
}

/// One flag with its answer, as [`Prepared::resolve_all`](crate::Prepared::resolve_all) yields them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved<'a> {
    /// The flag's handle.
    pub id: FlagId,
    /// The flag's name.
    pub name: &'a FlagName,
    /// The project that owns the flag.
    pub project: &'a ProjectId,
    /// Whether SDKs should emit an event each time the flag is evaluated.
    pub impression_data: bool,
    /// The variant; its `feature_enabled` says whether the flag is on.
    pub variant: Choice<'a>,
}
