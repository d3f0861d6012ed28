//! One environment as an SDK sees it: what the engine compiles.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Dependency, EnvironmentName, FlagName, FlagSettings, ProjectId, Segment, SegmentId};

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
    pub kind: String,
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
        EnvironmentFlag {
            name: self.name.clone(),
            project: self.project.clone(),
            kind: self.kind.clone(),
            description: self.description.clone(),
            stale: self.stale,
            impression_data: self.impression_data,
            dependencies: self.dependencies.clone(),
            settings: self.environments.get(environment).cloned().unwrap_or_default(),
        }
    }
}
