//! Feature flags as people manage them: one value, with its settings in every environment.

use std::collections::BTreeSet;
use std::sync::Arc;

use time::OffsetDateTime;

use crate::{
    ActivationStrategy, Completion, EnvironmentName, FlagLink, FlagName, ProjectId, SmallMap, Tag, Variant,
};

/// The settings of a flag by environment, in the order of their names.
pub type SettingsByEnvironment = SmallMap<EnvironmentName, Arc<FlagSettings>>;

/// A feature flag with its settings in every environment of its project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureFlag {
    /// Unique in the instance, archived flags included.
    pub name: FlagName,
    /// The project that owns it.
    pub project: ProjectId,
    /// What it is for: `release`, `experiment`, `operational`, `kill-switch`, `permission`.
    pub kind: Arc<str>,
    /// A description in a person's words.
    pub description: Option<String>,
    /// Whether it has outlived its purpose.
    pub stale: bool,
    /// Whether it is older than flags of its type are expected to become. Counts only while it is not stale.
    pub potentially_stale: bool,
    /// Whether SDKs should emit an event each time it is evaluated.
    pub impression_data: bool,
    /// Who created it.
    pub created_by: Option<crate::Actor>,
    /// When it was created.
    pub created_at: OffsetDateTime,
    /// When it was archived; `None` while it is live.
    pub archived_at: Option<OffsetDateTime>,
    /// Flags that must be as asked for this one to be on.
    pub dependencies: Vec<Dependency>,
    /// Words to find it by. SDKs may ask for flags with a tag; they are told of none.
    pub tags: BTreeSet<Tag>,
    /// Where more is said of it.
    pub links: Vec<FlagLink>,
    /// That it has done what it was made for; `None` while nobody has said so.
    pub completed: Option<Completion>,
    /// Its settings by environment.
    pub environments: SettingsByEnvironment,
}

impl FeatureFlag {
    /// All variants that it can give, in any environment; a name may occur several times.
    pub fn variants(&self) -> impl Iterator<Item = &Variant> {
        self.environments.values().flat_map(|settings| {
            let of_strategies = settings.strategies.iter().flat_map(|strategy| &strategy.variants);
            of_strategies.chain(&settings.variants)
        })
    }

    /// A live release flag, off everywhere, with no settings yet.
    #[must_use]
    pub fn new(name: impl Into<FlagName>, project: impl Into<ProjectId>, created_at: OffsetDateTime) -> Self {
        Self {
            name: name.into(),
            project: project.into(),
            kind: "release".into(),
            description: None,
            stale: false,
            potentially_stale: false,
            impression_data: false,
            created_by: None,
            created_at,
            archived_at: None,
            dependencies: Vec::new(),
            tags: BTreeSet::new(),
            links: Vec::new(),
            completed: None,
            environments: SettingsByEnvironment::new(),
        }
    }

    /// Whether the flag is archived: kept, but gone from every evaluation.
    #[must_use]
    pub fn is_archived(&self) -> bool {
        self.archived_at.is_some()
    }

    /// Whether the flag has lived longer than expected and nobody has said that it is stale.
    #[must_use]
    pub fn is_potentially_stale(&self) -> bool {
        self.potentially_stale && !self.stale
    }
}

/// What a flag is in one environment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlagSettings {
    /// The switch. Off means off for everybody.
    pub enabled: bool,
    /// Ways in, in order (`sort_order`, then id), disabled ones included.
    pub strategies: Vec<ActivationStrategy>,
    /// Variants for when the strategy that holds has none of its own.
    pub variants: Vec<Variant>,
}

impl FlagSettings {
    /// Whether any strategy is not disabled.
    #[must_use]
    pub fn has_enabled_strategy(&self) -> bool {
        self.strategies.iter().any(|strategy| !strategy.disabled)
    }

    /// Puts the strategies in order: `sort_order`, then id.
    pub fn sort_strategies(&mut self) {
        self.strategies
            .sort_by(|a, b| (a.sort_order, &a.id).cmp(&(b.sort_order, &b.id)));
    }
}

/// What a flag asks of another flag, its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dependency {
    /// The parent.
    #[cfg_attr(feature = "serde", serde(rename = "feature"))]
    pub parent: FlagName,
    /// Whether the parent must be on (`true`) or off (`false`).
    #[cfg_attr(feature = "serde", serde(default = "yes"))]
    pub enabled: bool,
    /// The parent's variants that will do; any when empty. Counts only where the parent must be on.
    #[cfg_attr(feature = "serde", serde(default))]
    pub variants: Vec<String>,
}

#[cfg(feature = "serde")]
fn yes() -> bool {
    true
}
