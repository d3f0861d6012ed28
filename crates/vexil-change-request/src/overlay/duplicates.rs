//! Notes on changes that a later change of the same request does away with.

use std::collections::{BTreeMap, BTreeSet};

use super::{Overlay, Place, Problem};
use crate::{Change, PlannedChange, ProblemCode, ProblemLevel};

impl Overlay<'_> {
    pub(super) fn note_duplicates(&mut self, changes: &[PlannedChange]) {
        let blocked: BTreeSet<usize> = self
            .problems
            .iter()
            .filter(|(_, problem)| problem.level() == ProblemLevel::Blocks)
            .map(|(at, _)| *at)
            .collect();
        let mut last: BTreeMap<Place<'_>, usize> = BTreeMap::new();
        for (at, planned) in changes.iter().enumerate().filter(|(at, _)| !blocked.contains(at)) {
            let Some(place) = Place::of(planned) else { continue };
            let Some(earlier) = last.insert(place, at) else {
                continue;
            };
            let Some(overruled) = changes
                .get(earlier)
                .filter(|change| can_be_overruled(&change.change))
            else {
                continue;
            };
            let message = format!(
                "change {} ({}) of the same thing overrules it",
                planned.id,
                planned.change.action()
            );
            self.raise(
                earlier,
                overruled,
                Problem::new(ProblemCode::DuplicateChange, message),
            );
        }
    }
}

/// A strategy that is gone stays gone: the later removal is the one without effect.
fn can_be_overruled(change: &Change) -> bool {
    !matches!(change, Change::DeleteStrategy { .. })
}
