//! Archiving flags.

use std::collections::VecDeque;

use vexil_domain::FlagName;

use super::{Made, Overlay, Problem};
use crate::{PlannedChange, ProblemCode};

impl Overlay<'_> {
    /// Takes note of a flag to archive. A flag that this request archives already may be named again.
    pub(super) fn archive(&mut self, flag: &FlagName) -> Made {
        if !self.archiving.contains_key(flag) {
            self.check_live(flag)?;
        }
        self.archiving.entry(flag.clone()).or_default().push(self.at);
        Ok(())
    }

    /// Archives the flags that were to be archived and on which no flag depends that stays.
    pub(super) fn settle_archives(&mut self, changes: &[PlannedChange]) {
        if self.archiving.is_empty() {
            return;
        }
        self.refuse_archives(changes);
        let now = self.scope.now;
        for name in std::mem::take(&mut self.archiving).into_keys() {
            let mut dependencies = Vec::new();
            if let Some(flag) = self.flag_mut(&name) {
                flag.archived_at = Some(now);
                dependencies = std::mem::take(&mut flag.dependencies);
            }
            self.dependents().replace(&name, &dependencies, &[]);
            self.switched.remove(&name);
            self.edited.remove(&name);
        }
    }

    /// Leaves out the archives of flags on which a flag depends that stays. One that is refused stays
    /// too, so its parents are looked at again: each flag at most once for each of its children.
    fn refuse_archives(&mut self, changes: &[PlannedChange]) {
        let mut waiting: VecDeque<FlagName> = self.archiving.keys().cloned().collect();
        while let Some(flag) = waiting.pop_front() {
            let Some(child) = self.child_that_stays(&flag) else {
                continue;
            };
            let Some(places) = self.archiving.remove(&flag) else {
                continue;
            };
            for at in places {
                let Some(planned) = changes.get(at) else { continue };
                let message = format!(
                    "`{child}` depends on the flag `{flag}`; archive it too, or remove its dependency"
                );
                self.raise(
                    at,
                    planned,
                    Problem::new(ProblemCode::ArchiveHasChildren, message),
                );
            }
            let parents = self.parents(&flag);
            waiting.extend(
                parents
                    .into_iter()
                    .filter(|parent| self.archiving.contains_key(parent)),
            );
        }
    }

    fn parents(&self, flag: &FlagName) -> Vec<FlagName> {
        let flag = self.proposed.flags.get(flag);
        let dependencies = flag.into_iter().flat_map(|flag| &flag.dependencies);
        dependencies.map(|dependency| dependency.parent.clone()).collect()
    }

    fn child_that_stays(&mut self, flag: &FlagName) -> Option<FlagName> {
        if !self.archiving.contains_key(flag) {
            return None;
        }
        self.dependents();
        let mut children = self.dependents.as_ref()?.on(flag);
        children
            .find(|child| !self.archiving.contains_key(*child))
            .cloned()
    }
}
