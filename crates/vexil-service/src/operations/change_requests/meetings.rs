//! Open change requests that change a flag for the same contexts.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_admin_api::change_requests::{ChangeRequestReference, EffectConflictDocument, EffectConflicts};
use vexil_budget::{Budget, Exhausted};
use vexil_change_request::{ChangeRequest, Outcome, overlay, reach};
use vexil_domain::{EnvironmentName, FlagName};
use vexil_engine::Ambient;
use vexil_preview::{Comparison, Meeting, affected_flags};

use super::near::Near;
use crate::operations::diff::side;
use crate::operations::environment_view::EnvironmentView;
use crate::serving_state::ServingState;

/// What it takes to lay out the rules of one flag, before anything is asked.
const WORK_OF_A_FLAG: u64 = 200;

/// With how many others one is compared, of those that can meet it.
const COMPARED: usize = 20;

/// So many flags are named.
const MOST_NAMED: usize = 100;

/// The conflicts in effect of one change request with others.
pub(super) struct Meetings<'a> {
    serving: &'a ServingState,
    now: OffsetDateTime,
    own: BTreeMap<EnvironmentName, Own>,
    budget: &'a Budget,
    found: Vec<EffectConflictDocument>,
}

/// What the request does to an environment.
struct Own {
    before: EnvironmentView,
    after: EnvironmentView,
    /// The flags that can differ, sorted.
    flags: Vec<FlagName>,
}

/// Another request is not compared to its end.
struct Unread;

impl From<Exhausted> for Unread {
    fn from(_: Exhausted) -> Self {
        Self
    }
}

impl<'a> Meetings<'a> {
    /// Those of a request with this outcome, at the expense of `budget`.
    pub(super) fn of(
        serving: &'a ServingState,
        outcome: &Outcome,
        now: OffsetDateTime,
        budget: &'a Budget,
    ) -> Self {
        let reached = reach(&serving.snapshot, &outcome.proposed).flags;
        let mut own = BTreeMap::new();
        for (_, name) in reached {
            let view = || {
                let before = EnvironmentView::current(serving, &name);
                let after = EnvironmentView::proposed(serving, &name, &outcome.proposed);
                let flags = affected_flags(&before.snapshot, &after.snapshot);
                Own { before, after, flags }
            };
            own.entry(name.clone()).or_insert_with(view);
        }
        Self {
            serving,
            now,
            own,
            budget,
            found: Vec::new(),
        }
    }

    /// Those with `others`, beside which there are `more` that were not read.
    pub(super) fn with(mut self, others: &[&ChangeRequest], more: u64) -> EffectConflicts {
        let mut near = Near::default();
        for own in self.own.values() {
            near.add(&own.flags, &own.before.snapshot);
        }
        let mut unread = 0;
        let others = others.iter().filter(|other| near.is_touched_by(&other.changes));
        for (place, other) in others.enumerate() {
            unread += u64::from(place >= COMPARED || self.compare(other).is_err());
        }
        // who changes nothing is in nobody's way
        if self.own.values().any(|own| !own.flags.is_empty()) {
            unread += more;
        }
        EffectConflicts {
            found: self.found,
            unread,
        }
    }

    fn compare(&mut self, other: &ChangeRequest) -> Result<(), Unread> {
        let live = &self.serving.snapshot;
        let work = other.work_on(live);
        self.budget.spend(work)?;
        let outcome = overlay(live, &other.scope(self.now), &other.changes);
        let mut reached = reach(live, &outcome.proposed).flags;
        let mut seen = BTreeMap::new();
        reached.retain(|(_, name)| self.own.contains_key(name) && seen.insert(name.clone(), ()).is_none());
        for (_, name) in &reached {
            let Some(own) = self.own.get(name) else { continue };
            self.budget.spend(work)?;
            let third = EnvironmentView::proposed(self.serving, name, &outcome.proposed);
            let comparison = Comparison {
                before: side(&own.before),
                after: side(&own.after),
                environment: name.as_str(),
                ambient: Ambient::new(self.now, 0),
            };
            for flag in affected_flags(&own.before.snapshot, &third.snapshot) {
                if own.flags.binary_search(&flag).is_err() {
                    continue;
                }
                self.budget.spend(WORK_OF_A_FLAG)?;
                let place = match comparison.meeting(side(&third), &flag, self.budget) {
                    Meeting::Apart => continue,
                    Meeting::At(place) => Some(place),
                    Meeting::Undecided => None,
                };
                if self.found.len() >= MOST_NAMED {
                    return Err(Unread);
                }
                let witness = place.as_ref().and_then(|place| place.witness.as_ref());
                self.found.push(EffectConflictDocument {
                    change_request: ChangeRequestReference::from(other),
                    environment: name.to_string(),
                    flag: flag.to_string(),
                    context: witness.map(|witness| witness.context.iter().cloned().collect()),
                    words: place.map(|place| place.to_string()),
                });
            }
        }
        Ok(())
    }
}
