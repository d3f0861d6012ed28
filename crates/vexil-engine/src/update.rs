//! What changes from one engine to the next.

use std::collections::BTreeMap;
use std::sync::Arc;

use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, FlagName, Segment, SegmentId, Write};

/// Flags and segments that were put or taken away.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Update {
    /// Changed flags.
    pub flags: Vec<Write<FlagName, EnvironmentFlag>>,
    /// Changed segments.
    pub segments: Vec<Write<SegmentId, Segment>>,
}

impl Update {
    /// What turns one snapshot into another. Flags and segments that the two share are not looked into.
    #[must_use]
    pub fn between(from: &EnvironmentSnapshot, to: &EnvironmentSnapshot) -> Self {
        Self {
            flags: writes(&from.flags, &to.flags),
            segments: writes(&from.segments, &to.segments),
        }
    }

    /// Makes the changes in a snapshot.
    pub fn apply(&self, snapshot: &mut EnvironmentSnapshot) {
        for write in &self.flags {
            match write {
                Write::Upsert(flag) => drop(snapshot.flags.insert(flag.name.clone(), Arc::clone(flag))),
                Write::Delete(name) => drop(snapshot.flags.remove(name)),
            }
        }
        for write in &self.segments {
            match write {
                Write::Upsert(segment) => drop(snapshot.segments.insert(segment.id, Arc::clone(segment))),
                Write::Delete(id) => drop(snapshot.segments.remove(id)),
            }
        }
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty() && self.segments.is_empty()
    }
}

fn writes<K: Ord + Clone, V: PartialEq>(
    from: &BTreeMap<K, Arc<V>>,
    to: &BTreeMap<K, Arc<V>>,
) -> Vec<Write<K, V>> {
    let is_new = |key: &K, value: &Arc<V>| {
        let before = from.get(key);
        before.is_none_or(|before| !Arc::ptr_eq(before, value) && before != value)
    };
    let changed = to.iter().filter(|(key, value)| is_new(key, value));
    let gone = from.keys().filter(|key| !to.contains_key(*key));
    let changed = changed.map(|(_, value)| Write::Upsert(Arc::clone(value)));
    changed
        .chain(gone.map(|key| Write::Delete(key.clone())))
        .collect()
}
