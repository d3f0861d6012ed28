//! The whole instance at one moment, and the difference of two moments.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{
    Environment, EnvironmentName, FeatureFlag, FlagName, Project, ProjectId, Segment, SegmentId,
    StrategyType, TagType,
};

/// Everything that is configured, at one moment. Cloning shares all values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    /// Projects by id.
    pub projects: BTreeMap<ProjectId, Arc<Project>>,
    /// Environments by name.
    pub environments: BTreeMap<EnvironmentName, Arc<Environment>>,
    /// Flags by name, archived ones included.
    pub flags: BTreeMap<FlagName, Arc<FeatureFlag>>,
    /// Segments by id.
    pub segments: BTreeMap<SegmentId, Arc<Segment>>,
    /// Strategy types by name.
    pub strategy_types: BTreeMap<String, Arc<StrategyType>>,
    /// Tag types by name.
    pub tag_types: BTreeMap<String, Arc<TagType>>,
}

/// One value written: put in place, or taken away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write<K, V> {
    /// The value is new or changed.
    Upsert(Arc<V>),
    /// The value of this key is gone.
    Delete(K),
}

/// What turns one snapshot into another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SnapshotDelta {
    /// Changed projects.
    pub projects: Vec<Write<ProjectId, Project>>,
    /// Changed environments.
    pub environments: Vec<Write<EnvironmentName, Environment>>,
    /// Changed flags.
    pub flags: Vec<Write<FlagName, FeatureFlag>>,
    /// Changed segments.
    pub segments: Vec<Write<SegmentId, Segment>>,
    /// Changed strategy types.
    pub strategy_types: Vec<Write<String, StrategyType>>,
    /// Changed tag types.
    pub tag_types: Vec<Write<String, TagType>>,
}

impl SnapshotDelta {
    /// Whether the two snapshots are equal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.projects.is_empty()
            && self.environments.is_empty()
            && self.flags.is_empty()
            && self.segments.is_empty()
            && self.strategy_types.is_empty()
            && self.tag_types.is_empty()
    }
}

impl Snapshot {
    /// What turns `earlier` into `self`. Values that both share are not compared.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> SnapshotDelta {
        SnapshotDelta {
            projects: difference(&earlier.projects, &self.projects),
            environments: difference(&earlier.environments, &self.environments),
            flags: difference(&earlier.flags, &self.flags),
            segments: difference(&earlier.segments, &self.segments),
            strategy_types: difference(&earlier.strategy_types, &self.strategy_types),
            tag_types: difference(&earlier.tag_types, &self.tag_types),
        }
    }

    /// Applies what [`Snapshot::since`] found.
    pub fn apply(&mut self, delta: &SnapshotDelta) {
        put_all(&mut self.projects, &delta.projects, |project| project.id.clone());
        put_all(&mut self.environments, &delta.environments, |environment| {
            environment.name.clone()
        });
        put_all(&mut self.flags, &delta.flags, |flag| flag.name.clone());
        put_all(&mut self.segments, &delta.segments, |segment| segment.id);
        put_all(&mut self.strategy_types, &delta.strategy_types, |kind| {
            kind.name.clone()
        });
        put_all(&mut self.tag_types, &delta.tag_types, |kind| kind.name.clone());
    }
}

fn difference<K: Ord + Clone, V: PartialEq>(
    earlier: &BTreeMap<K, Arc<V>>,
    later: &BTreeMap<K, Arc<V>>,
) -> Vec<Write<K, V>> {
    let put = later.iter().filter_map(|(key, value)| match earlier.get(key) {
        Some(old) if Arc::ptr_eq(old, value) || old == value => None,
        _ => Some(Write::Upsert(Arc::clone(value))),
    });
    let gone = earlier
        .keys()
        .filter(|key| !later.contains_key(*key))
        .map(|key| Write::Delete(key.clone()));
    put.chain(gone).collect()
}

fn put_all<K: Ord, V>(into: &mut BTreeMap<K, Arc<V>>, writes: &[Write<K, V>], key_of: impl Fn(&V) -> K) {
    for write in writes {
        match write {
            Write::Upsert(value) => drop(into.insert(key_of(value), Arc::clone(value))),
            Write::Delete(key) => drop(into.remove(key)),
        }
    }
}
