//! Changes: the edits that can be proposed, each with its payload.

use vexil_domain::{Constraint, Dependency, FlagName, Parameters, ProjectId, SegmentId, StrategyId, Variant};

/// One edit of a flag in an environment, of a flag in all environments, or of a segment.
///
/// Which flag a change is for stands beside it, in [`crate::PlannedChange::flag`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Turns the flag on or off in the environment.
    UpdateEnabled(UpdateEnabled),
    /// Adds an activation strategy.
    AddStrategy(NewStrategy),
    /// Replaces what an activation strategy says.
    UpdateStrategy(StrategyUpdate),
    /// Removes an activation strategy.
    DeleteStrategy {
        /// Which one.
        id: StrategyId,
    },
    /// Gives activation strategies new places; those not named keep theirs.
    ReorderStrategy(Vec<StrategyPlace>),
    /// Replaces the flag's variants in the environment.
    PatchVariant {
        /// All variants there will be.
        variants: Vec<Variant>,
    },
    /// Archives the flag, in all environments.
    ArchiveFeature,
    /// Makes the flag depend on a parent, in all environments. An earlier dependency on the same
    /// parent is replaced.
    AddDependency(Dependency),
    /// Takes away the flag's dependencies, in all environments.
    DeleteDependency {
        /// The only parent to let go; every parent when `None`.
        parent: Option<FlagName>,
    },
    /// Replaces what a segment says, wherever it is used.
    UpdateSegment(SegmentUpdate),
    /// Removes a segment that nothing uses.
    DeleteSegment {
        /// Which one.
        id: SegmentId,
    },
    /// An action that this version can keep and show, but neither preview nor apply.
    Unsupported {
        /// The action's name.
        action: String,
        /// Its payload as JSON text, as it was sent; `None` where there was none.
        payload: Option<String>,
    },
}

impl Change {
    /// The names of the actions that can be previewed and applied.
    pub const ACTIONS: &'static [&'static str] = &[
        "updateEnabled",
        "addStrategy",
        "updateStrategy",
        "deleteStrategy",
        "reorderStrategy",
        "patchVariant",
        "archiveFeature",
        "addDependency",
        "deleteDependency",
        "updateSegment",
        "deleteSegment",
    ];

    /// The names of the actions of release plans and safeguards: kept and shown as
    /// [`Change::Unsupported`].
    pub const UNSUPPORTED_ACTIONS: &'static [&'static str] = &[
        "addReleasePlan",
        "deleteReleasePlan",
        "startMilestone",
        "updateMilestoneStrategy",
        "changeMilestoneProgression",
        "deleteMilestoneProgression",
        "resumeMilestoneProgression",
        "changeReleasePlanSafeguard",
        "changeSafeguard",
        "deleteReleasePlanSafeguard",
        "deleteSafeguard",
        "changeFeatureEnvSafeguard",
        "deleteFeatureEnvSafeguard",
    ];

    /// The action's name.
    #[must_use]
    pub fn action(&self) -> &str {
        match self {
            Self::UpdateEnabled(_) => "updateEnabled",
            Self::AddStrategy(_) => "addStrategy",
            Self::UpdateStrategy(_) => "updateStrategy",
            Self::DeleteStrategy { .. } => "deleteStrategy",
            Self::ReorderStrategy(_) => "reorderStrategy",
            Self::PatchVariant { .. } => "patchVariant",
            Self::ArchiveFeature => "archiveFeature",
            Self::AddDependency(_) => "addDependency",
            Self::DeleteDependency { .. } => "deleteDependency",
            Self::UpdateSegment(_) => "updateSegment",
            Self::DeleteSegment { .. } => "deleteSegment",
            Self::Unsupported { action, .. } => action,
        }
    }

    /// The segment that is changed; `None` for changes of flags.
    #[must_use]
    pub fn segment(&self) -> Option<SegmentId> {
        match self {
            Self::UpdateSegment(update) => Some(update.id),
            Self::DeleteSegment { id } => Some(*id),
            _ => None,
        }
    }

    /// The existing activation strategy that is updated or removed.
    #[must_use]
    pub fn strategy(&self) -> Option<&StrategyId> {
        match self {
            Self::UpdateStrategy(update) => Some(&update.id),
            Self::DeleteStrategy { id } => Some(id),
            _ => None,
        }
    }

    /// The segments that the change makes a strategy use.
    #[must_use]
    pub fn segments_used(&self) -> &[SegmentId] {
        match self {
            Self::AddStrategy(new) => &new.segments,
            Self::UpdateStrategy(update) => update.segments.as_deref().unwrap_or_default(),
            _ => &[],
        }
    }
}

/// Turns a flag on or off in the environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct UpdateEnabled {
    /// Whether the flag will be on.
    pub enabled: bool,
    /// Whether a flag that is turned on gets its disabled strategies enabled. Without an enabled
    /// strategy it gets a default one.
    #[cfg_attr(
        feature = "serde",
        serde(
            rename = "shouldActivateDisabledStrategies",
            default,
            deserialize_with = "crate::document::null_is_default"
        )
    )]
    pub activate_disabled: bool,
}

/// An activation strategy to be added.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct NewStrategy {
    /// The id it gets. `None` in change requests, where it follows from the request and the change.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub id: Option<StrategyId>,
    /// The strategy type, such as `flexibleRollout`.
    pub name: String,
    /// What it is for, in a person's words.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub title: Option<String>,
    /// Whether it is left out of the decision; `None` means no.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub disabled: Option<bool>,
    /// The place; `None` means behind all others.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub sort_order: Option<i32>,
    /// The parameters of the strategy type.
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::document::parameters")
    )]
    pub parameters: Parameters,
    /// Conditions that must all hold.
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::document::null_is_default")
    )]
    pub constraints: Vec<Constraint>,
    /// Segments that must all hold.
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::document::null_is_default")
    )]
    pub segments: Vec<SegmentId>,
    /// Variants to pick from when this strategy is the first that holds.
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::document::null_is_default")
    )]
    pub variants: Vec<Variant>,
}

/// What an activation strategy will say. Constraints, variants and parameters that are missing
/// become empty; name, title, disabled and segments that are missing stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct StrategyUpdate {
    /// Which strategy.
    pub id: StrategyId,
    /// The strategy type.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub name: Option<String>,
    /// What it is for, in a person's words.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub title: Option<String>,
    /// Whether it is left out of the decision.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub disabled: Option<bool>,
    /// Kept and shown, but without effect: places are changed by [`Change::ReorderStrategy`].
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub sort_order: Option<i32>,
    /// The parameters of the strategy type.
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::document::parameters")
    )]
    pub parameters: Parameters,
    /// Conditions that must all hold.
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::document::null_is_default")
    )]
    pub constraints: Vec<Constraint>,
    /// Segments that must all hold.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub segments: Option<Vec<SegmentId>>,
    /// Variants to pick from when this strategy is the first that holds.
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::document::null_is_default")
    )]
    pub variants: Vec<Variant>,
}

impl StrategyUpdate {
    /// An update that keeps name, title, disabled and segments, and empties everything else.
    #[must_use]
    pub fn new(id: impl Into<StrategyId>) -> Self {
        Self {
            id: id.into(),
            name: None,
            title: None,
            disabled: None,
            sort_order: None,
            parameters: Parameters::new(),
            constraints: Vec::new(),
            segments: None,
            variants: Vec::new(),
        }
    }
}

/// The place that an activation strategy gets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct StrategyPlace {
    /// Which strategy.
    pub id: StrategyId,
    /// Its place among the strategies of the same flag and environment.
    pub sort_order: i32,
}

/// What a segment will say. Everything is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct SegmentUpdate {
    /// Which segment.
    pub id: SegmentId,
    /// Unique in the instance.
    pub name: String,
    /// What it is for.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub description: Option<String>,
    /// The project that will own it; `None` for a segment of the whole instance.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub project: Option<ProjectId>,
    /// Conditions that must all hold.
    #[cfg_attr(
        feature = "serde",
        serde(default, deserialize_with = "crate::document::null_is_default")
    )]
    pub constraints: Vec<Constraint>,
}
