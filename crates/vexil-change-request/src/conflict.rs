//! Conflicts between change requests, and with edits made since.

use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_budget::Budget;
use vexil_domain::{FlagName, SegmentId, Snapshot};

use crate::{Change, ChangeId, ChangeRequest, ChangeRequestId, PlannedChange, ProblemCode, overlay};

/// Which scheduled requests could no longer be applied once another one is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScheduleConflicts {
    /// The requests, by the change that is the reason. Changes that break none are left out.
    pub by_change: BTreeMap<ChangeId, Vec<ChangeRequestId>>,
    /// How many requests were not looked at, since the budget did not pay for them.
    pub unread: usize,
}

/// Which of the `scheduled` requests could no longer be applied once `request` is, and because of which of
/// its changes.
///
/// Only requests that share a flag, a segment or the name of a segment with `request` are looked at, and
/// each of them is laid over the snapshot twice: as it is, and with `request` applied. That ends where the
/// budget does.
#[must_use]
pub fn schedule_conflicts(
    live: &Snapshot,
    request: &ChangeRequest,
    scheduled: &[&ChangeRequest],
    now: OffsetDateTime,
    budget: &Budget,
) -> ScheduleConflicts {
    let ours = by_target(&request.changes);
    let shares = |other: &&&ChangeRequest| {
        let mut targets = other.changes.iter().flat_map(targets);
        other.id != request.id && targets.any(|target| ours.contains_key(&target))
    };
    let mut others = scheduled.iter().filter(shares).copied().peekable();
    let mut found = ScheduleConflicts::default();
    if others.peek().is_none() {
        return found;
    }
    if budget.spend(request.work_on(live)).is_err() {
        found.unread = others.count();
        return found;
    }
    let applied = overlay(live, &request.scope(now), &request.changes).proposed;
    for other in others {
        if budget.spend(other.work_on(live).saturating_mul(2)).is_err() {
            found.unread += 1;
            continue;
        }
        for (target, codes) in newly_blocked(live, &applied, other, now) {
            for ours in ours.get(&target).into_iter().flatten() {
                if !codes.iter().any(|code| may_cause(&ours.change, *code)) {
                    continue;
                }
                let named = found.by_change.entry(ours.id).or_default();
                if named.last() != Some(&other.id) {
                    named.push(other.id);
                }
            }
        }
    }
    found
}

/// What two requests can get into each other's way about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Target<'a> {
    Flag(&'a FlagName),
    Segment(SegmentId),
    SegmentName(&'a str),
}

/// What a change writes, and what it needs: its flag, the parent or the segments that it names.
fn targets(planned: &PlannedChange) -> impl Iterator<Item = Target<'_>> {
    let parent = match &*planned.change {
        Change::AddDependency(dependency) => Some(&dependency.parent),
        _ => None,
    };
    let name = match &*planned.change {
        Change::UpdateSegment(update) => Some(update.name.as_str()),
        _ => None,
    };
    let flags = planned.flag.iter().chain(parent).map(Target::Flag);
    let segments = planned.change.segment().into_iter();
    let segments = segments.chain(planned.change.segments_used().iter().copied());
    flags
        .chain(segments.map(Target::Segment))
        .chain(name.map(Target::SegmentName))
}

fn by_target(changes: &[PlannedChange]) -> BTreeMap<Target<'_>, Vec<&PlannedChange>> {
    let mut all: BTreeMap<Target<'_>, Vec<&PlannedChange>> = BTreeMap::new();
    for planned in changes {
        for target in targets(planned) {
            all.entry(target).or_default().push(planned);
        }
    }
    all
}

/// What cannot be changed any more as a request wants it, with the reasons that are new.
fn newly_blocked<'a>(
    live: &Snapshot,
    applied: &Snapshot,
    request: &'a ChangeRequest,
    now: OffsetDateTime,
) -> BTreeMap<Target<'a>, BTreeSet<ProblemCode>> {
    let before = blocked(live, request, now);
    let mut after = blocked(applied, request, now);
    after.retain(|change, _| !before.contains_key(change));
    let mut found: BTreeMap<Target<'_>, BTreeSet<ProblemCode>> = BTreeMap::new();
    for planned in &request.changes {
        let Some(codes) = after.get(&planned.id) else {
            continue;
        };
        for target in targets(planned) {
            found.entry(target).or_default().extend(codes);
        }
    }
    found
}

fn blocked(
    live: &Snapshot,
    request: &ChangeRequest,
    now: OffsetDateTime,
) -> BTreeMap<ChangeId, Vec<ProblemCode>> {
    let outcome = overlay(live, &request.scope(now), &request.changes);
    let mut blocked: BTreeMap<ChangeId, Vec<ProblemCode>> = BTreeMap::new();
    for problem in outcome.blocks() {
        blocked.entry(problem.change).or_default().push(problem.code);
    }
    blocked
}

/// Whether such a change can be the reason why another one of the same target is blocked like this.
fn may_cause(change: &Change, code: ProblemCode) -> bool {
    use ProblemCode as Code;
    match code {
        Code::FlagArchived | Code::DependencyParentArchived => matches!(change, Change::ArchiveFeature),
        Code::StrategyMissing | Code::PlaceMissing => matches!(change, Change::DeleteStrategy { .. }),
        Code::StrategyExists | Code::StrategyLimit => matches!(change, Change::AddStrategy(_)),
        Code::SegmentMissing => matches!(change, Change::DeleteSegment { .. }),
        Code::SegmentForeign | Code::SegmentNameTaken => matches!(change, Change::UpdateSegment(_)),
        Code::SegmentInUse | Code::SegmentProjectInvalid => {
            matches!(change, Change::AddStrategy(_) | Change::UpdateStrategy(_))
        }
        Code::ArchiveHasChildren | Code::DependencyTransitive => matches!(change, Change::AddDependency(_)),
        Code::DependencyMissing => matches!(
            change,
            Change::AddDependency(_) | Change::DeleteDependency { .. } | Change::ArchiveFeature
        ),
        _ => true,
    }
}

impl ChangeRequest {
    /// Units of work that it takes to lay the request over a snapshot, and to tell what differs.
    #[must_use]
    pub fn work_on(&self, live: &Snapshot) -> u64 {
        /// So many bytes of a request are copied, compared and told for one unit.
        const BYTES: usize = 64;
        let size = self.changes.iter().map(PlannedChange::weight).sum::<usize>() / BYTES;
        (size + live.flags.len() / 8) as u64
    }
}
