//! Which requests can change one of some flags, told without laying out what they lead to.

use std::collections::BTreeSet;

use vexil_change_request::PlannedChange;
use vexil_domain::{EnvironmentSnapshot, FlagName, SegmentId};

/// What somebody has to change to change one of some flags: the flags, those that they depend on, and the
/// segments that any of these uses.
#[derive(Default)]
pub(super) struct Near {
    flags: BTreeSet<FlagName>,
    segments: BTreeSet<SegmentId>,
}

impl Near {
    /// Adds some flags as an environment has them now.
    pub(super) fn add(&mut self, flags: &[FlagName], now: &EnvironmentSnapshot) {
        let own = flags.iter().filter_map(|name| now.flags.get(name));
        let parents = own.flat_map(|flag| &flag.dependencies).map(|it| &it.parent);
        for name in flags.iter().chain(parents) {
            let strategies = now.flags.get(name).map(|flag| &flag.settings.strategies);
            let segments = strategies.into_iter().flatten().flat_map(|it| &it.segments);
            self.segments.extend(segments);
            self.flags.insert(name.clone());
        }
    }

    /// Whether one of these changes touches any of it. Where none does, none of the flags is changed.
    pub(super) fn is_touched_by(&self, changes: &[PlannedChange]) -> bool {
        changes.iter().any(|planned| {
            let segment = planned.change.segment();
            planned
                .flag
                .as_ref()
                .is_some_and(|flag| self.flags.contains(flag))
                || segment.is_some_and(|id| self.segments.contains(&id))
        })
    }
}
