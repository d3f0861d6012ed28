//! The answer to "which variant?".

use std::sync::Arc;

use vexil_domain::{FlagName, Payload, ProjectId};

use crate::FlagId;
use crate::program::Variant;

/// The variant a user gets, borrowed from the engine.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// The variant's name; `disabled` where there is none.
    pub name: &'a str,
    /// The variant's data.
    pub payload: Option<&'a Payload>,
    /// Whether a variant was chosen.
    pub enabled: bool,
    /// Whether the flag is on.
    pub feature_enabled: bool,
    variant: Option<&'a Variant>,
}

/// A [`Choice`] to keep, also after the engine is gone. It shares the name and the data with the engine, so that keeping
/// one takes no allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedChoice {
    variant: Option<(Arc<str>, Option<Arc<Payload>>)>,
    feature_enabled: bool,
}

impl OwnedChoice {
    /// The variant's name; `disabled` where there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.variant.as_ref().map_or(DISABLED, |(name, _)| name)
    }

    /// The variant's data.
    #[must_use]
    pub fn payload(&self) -> Option<&Payload> {
        self.variant.as_ref()?.1.as_deref()
    }

    /// Whether a variant was chosen.
    #[must_use]
    pub fn enabled(&self) -> bool {
        self.variant.is_some()
    }

    /// Whether the flag is on.
    #[must_use]
    pub fn feature_enabled(&self) -> bool {
        self.feature_enabled
    }
}

impl PartialEq for Choice<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.payload == other.payload
            && self.enabled == other.enabled
            && self.feature_enabled == other.feature_enabled
    }
}

impl Eq for Choice<'_> {}

/// The name of no variant.
const DISABLED: &str = "disabled";

impl<'a> Choice<'a> {
    /// A variant of a flag that is on.
    #[inline]
    pub(crate) fn of(variant: &'a Variant) -> Self {
        Self {
            name: &variant.name,
            payload: variant.payload.as_deref(),
            enabled: true,
            feature_enabled: true,
            variant: Some(variant),
        }
    }

    /// The choice to keep.
    #[must_use]
    pub fn into_owned(self) -> OwnedChoice {
        OwnedChoice {
            variant: self
                .variant
                .map(|one| (Arc::clone(&one.name), one.payload.clone())),
            feature_enabled: self.feature_enabled,
        }
    }

    /// No variant, of a flag that is on or off.
    #[must_use]
    pub const fn disabled(feature_enabled: bool) -> Self {
        Self {
            name: DISABLED,
            payload: None,
            enabled: false,
            feature_enabled,
            variant: None,
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

/// A flag with its answer, to keep, also after the engine is gone. It shares names and data with the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedResolved {
    /// The flag's handle.
    pub id: FlagId,
    /// The flag's name.
    pub name: FlagName,
    /// The project that owns the flag.
    pub project: ProjectId,
    /// Whether SDKs should emit an event each time the flag is evaluated.
    pub impression_data: bool,
    /// The variant; its `feature_enabled` says whether the flag is on.
    pub variant: OwnedChoice,
}

impl Resolved<'_> {
    /// The flag and its answer, to keep.
    #[must_use]
    pub fn into_owned(self) -> OwnedResolved {
        OwnedResolved {
            id: self.id,
            name: self.name.clone(),
            project: self.project.clone(),
            impression_data: self.impression_data,
            variant: self.variant.into_owned(),
        }
    }
}
