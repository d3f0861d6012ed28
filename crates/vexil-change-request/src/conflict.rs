//! Conflicts between change requests, and with edits made since.

use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_domain::Snapshot;

use crate::{ChangeId, ChangeRequest, ChangeRequestId, IssueLevel, overlay};

/// For each change of `request`, which of the `scheduled` requests could no longer be applied once
/// the change is made. Changes that break none are left out.
#[must_use]
pub fn schedule_conflicts(
    live: &Snapshot,
    request: &ChangeRequest,
    scheduled: &[&ChangeRequest],
    now: OffsetDateTime,
) -> BTreeMap<ChangeId, Vec<ChangeRequestId>> {
    let others: Vec<(&ChangeRequest, BTreeSet<ChangeId>)> = scheduled
        .iter()
        .filter(|other| other.id != request.id)
        .map(|other| (*other, blocked(live, other, now)))
        .collect();
    let mut conflicts = BTreeMap::new();
    for planned in &request.changes {
        let one = std::slice::from_ref(planned);
        let made = overlay(live, &request.scope(now), one).proposed;
        let broken: Vec<ChangeRequestId> = others
            .iter()
            .filter(|(other, already)| !blocked(&made, other, now).is_subset(already))
            .map(|(other, _)| other.id)
            .collect();
        if !broken.is_empty() {
            conflicts.insert(planned.id, broken);
        }
    }
    conflicts
}

/// Why a scheduled request must not be applied as things stand: a change cannot be made, or would
/// overwrite a newer edit. `None` when nothing stands against it.
#[must_use]
pub fn suspension(live: &Snapshot, request: &ChangeRequest, now: OffsetDateTime) -> Option<String> {
    let outcome = overlay(live, &request.scope(now), &request.changes);
    let grave = |level| matches!(level, IssueLevel::Blocks | IssueLevel::Stale);
    let reasons: Vec<String> = outcome
        .issues
        .iter()
        .filter(|issue| grave(issue.level()))
        .map(ToString::to_string)
        .collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

fn blocked(live: &Snapshot, request: &ChangeRequest, now: OffsetDateTime) -> BTreeSet<ChangeId> {
    let outcome = overlay(live, &request.scope(now), &request.changes);
    outcome.blocks().map(|issue| issue.change).collect()
}
