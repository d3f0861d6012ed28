//! Which flags can come out differently on two sides.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, FlagName, SegmentId};

/// The flags that can be decided differently before and after, by name: those that differ, those that
/// use a segment that differs, and those that depend on one of these. All others are equal for every
/// context.
#[must_use]
pub fn affected_flags(before: &EnvironmentSnapshot, after: &EnvironmentSnapshot) -> Vec<FlagName> {
    let segments = differing(&before.segments, &after.segments);
    let mut affected = differing(&before.flags, &after.flags);
    if !segments.is_empty() {
        let using = after.flags.values().filter(|flag| uses(flag, &segments));
        affected.extend(using.map(|flag| flag.name.clone()));
    }
    let depends = |flag: &&Arc<EnvironmentFlag>| {
        flag.dependencies
            .iter()
            .any(|dependency| affected.contains(&dependency.parent))
    };
    let children: Vec<FlagName> = after
        .flags
        .values()
        .filter(depends)
        .map(|flag| flag.name.clone())
        .collect();
    affected.extend(children);
    affected.into_iter().collect()
}

fn differing<K: Ord + Clone, V: PartialEq>(
    before: &BTreeMap<K, Arc<V>>,
    after: &BTreeMap<K, Arc<V>>,
) -> BTreeSet<K> {
    let changed = after.iter().filter(|(key, value)| {
        before
            .get(*key)
            .is_none_or(|old| !Arc::ptr_eq(old, value) && old != *value)
    });
    let gone = before.keys().filter(|key| !after.contains_key(*key));
    changed.map(|(key, _)| key).chain(gone).cloned().collect()
}

fn uses(flag: &EnvironmentFlag, segments: &BTreeSet<SegmentId>) -> bool {
    let mut used = flag
        .settings
        .strategies
        .iter()
        .flat_map(|strategy| &strategy.segments);
    used.any(|segment| segments.contains(segment))
}
