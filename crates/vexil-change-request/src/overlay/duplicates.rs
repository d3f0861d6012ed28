//! Notes on changes that a later change of the same request does away with.

use std::collections::{BTreeMap, BTreeSet};

use vexil_domain::{FlagName, SegmentId, StrategyId};

use super::{Overlay, Refused};
use crate::{Change, IssueCode, IssueLevel, PlannedChange};

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Place<'a> {
    Switch(Option<&'a FlagName>),
    Strategy(&'a StrategyId),
    Variants(Option<&'a FlagName>),
    Archive(Option<&'a FlagName>),
    Dependencies(Option<&'a FlagName>),
    Segment(SegmentId),
}

impl Overlay<'_> {
    pub(super) fn note_duplicates(&mut self, changes: &[PlannedChange]) {
        let blocked: BTreeSet<usize> = self
            .issues
            .iter()
            .filter(|(_, issue)| issue.level() == IssueLevel::Blocks)
            .map(|(at, _)| *at)
            .collect();
        let mut last: BTreeMap<Place<'_>, usize> = BTreeMap::new();
        for (at, planned) in changes.iter().enumerate().filter(|(at, _)| !blocked.contains(at)) {
            let Some(place) = place(planned) else { continue };
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
                Refused::new(IssueCode::DuplicateChange, message),
            );
        }
    }
}

fn place(planned: &PlannedChange) -> Option<Place<'_>> {
    let flag = planned.flag.as_ref();
    Some(match &planned.change {
        Change::UpdateEnabled(_) => Place::Switch(flag),
        Change::UpdateStrategy(update) => Place::Strategy(&update.id),
        Change::DeleteStrategy { id } => Place::Strategy(id),
        Change::PatchVariant { .. } => Place::Variants(flag),
        Change::ArchiveFeature => Place::Archive(flag),
        Change::AddDependency(_) | Change::DeleteDependency { .. } => Place::Dependencies(flag),
        Change::UpdateSegment(update) => Place::Segment(update.id),
        Change::DeleteSegment { id } => Place::Segment(*id),
        Change::AddStrategy(_) | Change::ReorderStrategy(_) | Change::Unsupported { .. } => return None,
    })
}

/// A strategy that is gone stays gone: the later removal is the one without effect.
fn can_be_overruled(change: &Change) -> bool {
    !matches!(change, Change::DeleteStrategy { .. })
}
