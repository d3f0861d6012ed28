//! One environment as an SDK sees it: what the engine compiles.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::{
    ActivationStrategy, Dependency, EnvironmentName, FlagName, FlagSettings, ProjectId, Segment, SegmentId,
    Variant,
};

/// The live flags of one environment, and the segments they refer to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EnvironmentSnapshot {
    /// Flags by name.
    pub flags: BTreeMap<FlagName, Arc<EnvironmentFlag>>,
    /// Segments by id.
    pub segments: BTreeMap<SegmentId, Arc<Segment>>,
}

/// A flag in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentFlag {
    /// Identifies the flag.
    pub name: FlagName,
    /// The project that owns it.
    pub project: ProjectId,
    /// What it is for, such as `release`.
    pub kind: Arc<str>,
    /// A description in a person's words.
    pub description: Option<String>,
    /// Whether it has outlived its purpose.
    pub stale: bool,
    /// Whether SDKs should emit an event each time it is evaluated.
    pub impression_data: bool,
    /// Flags that must be as asked for this one to be on.
    pub dependencies: Vec<Dependency>,
    /// What it is in this environment; shared with the flag it was taken from.
    pub settings: Arc<FlagSettings>,
}

impl EnvironmentFlag {
    /// A release flag that is on for everybody: on, and without strategies.
    #[must_use]
    pub fn new(name: impl Into<FlagName>, project: impl Into<ProjectId>) -> Self {
        Self {
            name: name.into(),
            project: project.into(),
            kind: "release".into(),
            description: None,
            stale: false,
            impression_data: false,
            dependencies: Vec::new(),
            settings: Arc::new(FlagSettings {
                enabled: true,
                ..FlagSettings::default()
            }),
        }
    }

    /// The same with a strategy more.
    #[must_use]
    pub fn with_strategy(mut self, strategy: ActivationStrategy) -> Self {
        Arc::make_mut(&mut self.settings).strategies.push(strategy);
        self
    }

    /// The same with a variant more.
    #[must_use]
    pub fn with_variant(mut self, variant: Variant) -> Self {
        Arc::make_mut(&mut self.settings).variants.push(variant);
        self
    }

    /// The same, depending on another flag.
    #[must_use]
    pub fn with_dependency(mut self, dependency: Dependency) -> Self {
        self.dependencies.push(dependency);
        self
    }

    /// The same, switched on or off.
    #[must_use]
    pub fn switched(mut self, enabled: bool) -> Self {
        Arc::make_mut(&mut self.settings).enabled = enabled;
        self
    }
}

/// The flags, without segments; the last of the same name counts.
impl FromIterator<EnvironmentFlag> for EnvironmentSnapshot {
    fn from_iter<I: IntoIterator<Item = EnvironmentFlag>>(flags: I) -> Self {
        let flags = flags.into_iter();
        Self {
            flags: flags.map(|flag| (flag.name.clone(), Arc::new(flag))).collect(),
            segments: BTreeMap::new(),
        }
    }
}

impl crate::Snapshot {
    /// The live flags as `environment` sees them. A flag without settings there is off.
    ///
    /// Settings and segments are shared with the snapshot, not copied.
    #[must_use]
    pub fn in_environment(&self, environment: &EnvironmentName) -> EnvironmentSnapshot {
        let flags = self
            .flags
            .values()
            .filter(|flag| !flag.is_archived())
            .map(|flag| (flag.name.clone(), Arc::new(flag.in_environment(environment))))
            .collect();
        EnvironmentSnapshot {
            flags,
            segments: self.segments.clone(),
        }
    }
}

impl crate::FeatureFlag {
    /// The flag as `environment` sees it. Without settings there, it is off.
    #[must_use]
    pub fn in_environment(&self, environment: &EnvironmentName) -> EnvironmentFlag {
        // one copy, however many flags have no settings there
        static OFF: LazyLock<Arc<FlagSettings>> = LazyLock::new(Arc::default);
        let settings = self.environments.get(environment);
        EnvironmentFlag {
            name: self.name.clone(),
            project: self.project.clone(),
            kind: self.kind.clone(),
            description: self.description.clone(),
            stale: self.stale,
            impression_data: self.impression_data,
            dependencies: self.dependencies.clone(),
            settings: settings.cloned().unwrap_or_else(|| Arc::clone(&OFF)),
        }
    }
}
