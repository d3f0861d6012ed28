//! Archiving flags.

use vexil_domain::FlagName;

use super::{Made, Overlay, Refused};
use crate::{IssueCode, PlannedChange};

impl Overlay<'_> {
    /// Takes note of a flag to archive. A flag that this request archives already may be named again.
    pub(super) fn archive(&mut self, flag: &FlagName) -> Made {
        if !self.archiving.iter().any(|(_, archived)| archived == flag) {
            self.check_live(flag)?;
        }
        self.archiving.push((self.at, flag.clone()));
        Ok(())
    }

    /// Archives the flags that were to be archived and on which no flag depends that stays.
    pub(super) fn settle_archives(&mut self, changes: &[PlannedChange]) {
        let mut archiving = std::mem::take(&mut self.archiving);
        while let Some((place, child)) = self.first_with_child(&archiving) {
            let (at, flag) = archiving.remove(place);
            if let Some(planned) = changes.get(at) {
                let message = format!(
                    "`{child}` depends on the flag `{flag}`; archive it too, or remove its dependency"
                );
                self.raise(at, planned, Refused::new(IssueCode::ArchiveHasChildren, message));
            }
        }
        let now = self.scope.now;
        for (_, name) in archiving {
            if let Some(flag) = self.flag_mut(&name) {
                flag.archived_at = Some(now);
                flag.dependencies.clear();
            }
            self.switched.remove(&name);
            self.edited.remove(&name);
        }
    }

    /// The first of the flags to archive on which a flag depends that stays, and that flag.
    fn first_with_child(&self, archiving: &[(usize, FlagName)]) -> Option<(usize, FlagName)> {
        let goes = |child: &FlagName| archiving.iter().any(|(_, archived)| archived == child);
        archiving.iter().enumerate().find_map(|(place, (_, flag))| {
            let child = self.children(flag).find(|child| !goes(child))?;
            Some((place, child.clone()))
        })
    }
}
