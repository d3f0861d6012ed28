//! Change requests as they are shown: one, lists of them, counts.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_admin_api::change_requests::{
    ActionableDocument, ChangeRequestDocument, ChangeRequestReference, CountDocument, Findings,
    ScheduledDocument, ScheduledQuery, SearchDocument, SearchItem, SearchQuery,
};
use vexil_budget::Budget;
use vexil_change_request::{
    Change, ChangeRequest, ChangeRequestId, ScheduleConflicts, State, overlay, schedule_conflicts,
};
use vexil_domain::{ActorId, FlagName, ProjectId, Snapshot};
use vexil_store::{ChangeRequestFilter, Page, StoreError};

use super::access::Identity;
use super::meetings::Meetings;
use crate::app::Reader;
use crate::operations::Error;
use crate::operations::signed_effects::effect_of;
use crate::serving_state::ServingState;

/// How much work is done to find conflicts with scheduled requests, for one answer: about a second's. What
/// is left is counted.
const CONFLICT_WORK: u64 = 4_000_000;

/// How much work is done to find conflicts in effect, for one answer: about half a second's. What is left is
/// named, or counted.
const EFFECT_CONFLICT_WORK: u64 = 4_000_000;

/// How many of a project's change requests are listed.
const LISTED: u64 = 300;

/// Change requests of one project, with those that are scheduled there.
pub struct Requests {
    /// The ones asked for, the newest first.
    pub asked: Vec<ChangeRequest>,
    /// The scheduled ones, with which the others may conflict.
    pub scheduled: Vec<ChangeRequest>,
    /// Others whose effects the one that is asked for may meet; `None` where nobody asks.
    pub proposed: Option<Page<ChangeRequest>>,
}

opaque!(Requests);

impl Requests {
    /// Reads those that fit `filter`, with all that are scheduled in its project.
    pub fn read(store: Reader<'_>, filter: &ChangeRequestFilter) -> Result<Self, StoreError> {
        let scheduled = ChangeRequestFilter {
            project: filter.project.clone(),
            states: vec![State::Scheduled],
            ..ChangeRequestFilter::default()
        };
        Ok(Self {
            asked: store.change_requests(filter)?.items,
            scheduled: store.change_requests(&scheduled)?.items,
            proposed: None,
        })
    }

    /// Reads one, with all that are scheduled in its project.
    pub fn read_one(store: Reader<'_>, project: &ProjectId, id: ChangeRequestId) -> Result<Self, StoreError> {
        let found = store.change_request(id)?;
        Ok(Self {
            asked: found
                .into_iter()
                .filter(|request| request.project == *project)
                .collect(),
            scheduled: store.change_requests(&in_state(project, State::Scheduled))?.items,
            proposed: Some(store.change_requests(&proposed(project))?),
        })
    }

    /// As items of a list, with everything that stands against their changes.
    pub fn items(
        &self,
        snapshot: &Snapshot,
        now: OffsetDateTime,
    ) -> Result<Vec<ChangeRequestDocument>, Error> {
        let budget = Budget::new(CONFLICT_WORK);
        let item = |request| {
            let findings = findings(snapshot, request, &self.scheduled, now, &budget);
            ChangeRequestDocument::item(request, &findings)
        };
        let items: Result<Vec<_>, _> = self.asked.iter().map(item).collect();
        items.map_err(Error::internal)
    }
}

/// One change request, with everything that stands against its changes.
pub fn whole(
    serving: &ServingState,
    request: &ChangeRequest,
    others: &Requests,
    now: OffsetDateTime,
) -> Result<ChangeRequestDocument, Error> {
    let snapshot = &serving.snapshot;
    let budget = Budget::new(CONFLICT_WORK);
    let mut findings = findings(snapshot, request, &others.scheduled, now, &budget);
    if request.state.is_open() {
        let effect = effect_of(serving, request, snapshot, now);
        findings.effect_conflicts = others.proposed.as_ref().map(|page| {
            let others = page.items.iter().filter(|other| other.id != request.id);
            let others: Vec<&ChangeRequest> = others.collect();
            let itself = u64::from(request.state.is_proposed());
            let more = page.total.saturating_sub(itself + others.len() as u64);
            let budget = Budget::new(EFFECT_CONFLICT_WORK);
            Meetings::of(serving, &effect.outcome, now, &budget).with(&others, more)
        });
        findings.signed = Some(effect.signed);
    }
    ChangeRequestDocument::whole(request, &findings).map_err(Error::internal)
}

/// What stands against the changes of an open request. Of closed ones nothing is asked.
pub(super) fn findings<'a>(
    snapshot: &'a Snapshot,
    request: &ChangeRequest,
    scheduled: &[ChangeRequest],
    now: OffsetDateTime,
    budget: &Budget,
) -> Findings<'a> {
    if request.state.is_closed() {
        return Findings::none(snapshot);
    }
    let others: Vec<&ChangeRequest> = scheduled
        .iter()
        .filter(|other| other.id != request.id && other.state == State::Scheduled)
        .collect();
    let references: BTreeMap<ChangeRequestId, ChangeRequestReference> = others
        .iter()
        .map(|other| (other.id, ChangeRequestReference::from(*other)))
        .collect();
    let ScheduleConflicts { by_change, unread } = schedule_conflicts(snapshot, request, &others, now, budget);
    let named = |ids: Vec<ChangeRequestId>| ids.iter().filter_map(|id| references.get(id).cloned()).collect();
    Findings {
        snapshot,
        signed: None,
        effect_conflicts: None,
        outcome: Some(overlay(snapshot, &request.scope(now), &request.changes)),
        schedules_unread: unread,
        schedule_conflicts: by_change
            .into_iter()
            .map(|(change, ids)| (change, named(ids)))
            .collect(),
    }
}

/// A project's change requests as its list shows them: the newest, without conflicts.
pub fn listed(snapshot: &Snapshot, requests: &[ChangeRequest]) -> Result<Vec<ChangeRequestDocument>, Error> {
    let findings = Findings::none(snapshot);
    let items: Result<Vec<_>, _> = requests
        .iter()
        .map(|request| ChangeRequestDocument::item(request, &findings))
        .collect();
    items.map_err(Error::internal)
}

/// How many a project has, by state. None is read.
pub fn count(store: Reader<'_>, project: &ProjectId) -> Result<CountDocument, StoreError> {
    let total = |filter: ChangeRequestFilter| {
        let counted = ChangeRequestFilter {
            limit: Some(0),
            ..filter
        };
        store.change_requests(&counted).map(|page| page.total)
    };
    Ok(CountDocument {
        total: total(all(project))?,
        applied: total(in_state(project, State::Applied))?,
        rejected: total(in_state(project, State::Rejected))?,
        review_required: total(in_state(project, State::InReview))?,
        approved: total(in_state(project, State::Approved))?,
        scheduled: total(in_state(project, State::Scheduled))?,
    })
}

/// How many wait for `who` to approve or apply them.
#[must_use]
pub fn actionable(requests: &[ChangeRequest], who: &Identity) -> ActionableDocument {
    let waiting = requests
        .iter()
        .filter(|request| request.is_actionable_by(&who.caller_for(request)));
    ActionableDocument {
        total: waiting.count() as u64,
    }
}

/// The scheduled requests that touch what is asked about.
pub fn scheduled(requests: &[ChangeRequest], query: &ScheduledQuery) -> Vec<ScheduledDocument> {
    let touching = requests.iter().filter(|request| touches(request, query));
    touching.map(ScheduledDocument::from).collect()
}

fn touches(request: &ChangeRequest, query: &ScheduledQuery) -> bool {
    request.changes.iter().any(|planned| {
        let flag = planned.flag.as_ref();
        let names = |flags: &[FlagName]| flag.is_some_and(|flag| flags.contains(flag));
        let strategy = match &*planned.change {
            Change::ReorderStrategy(places) => {
                places.iter().any(|place| query.strategies.contains(&place.id))
            }
            change => change.strategy().is_some_and(|id| query.strategies.contains(id)),
        };
        let variants = matches!(*planned.change, Change::PatchVariant { .. });
        names(&query.flags) || strategy || (variants && names(&query.variants_of))
    })
}

/// What a search found.
#[must_use]
pub fn found(snapshot: &Snapshot, page: &Page<ChangeRequest>) -> SearchDocument {
    SearchDocument {
        change_requests: page
            .items
            .iter()
            .map(|request| SearchItem::new(request, snapshot))
            .collect(),
        total: page.total,
    }
}

/// The newest of a project.
#[must_use]
pub fn newest(project: &ProjectId) -> ChangeRequestFilter {
    ChangeRequestFilter {
        limit: Some(LISTED),
        ..all(project)
    }
}

/// All of a project.
fn all(project: &ProjectId) -> ChangeRequestFilter {
    ChangeRequestFilter {
        project: Some(project.clone()),
        ..ChangeRequestFilter::default()
    }
}

/// All of a project in one state.
#[must_use]
pub fn in_state(project: &ProjectId, state: State) -> ChangeRequestFilter {
    ChangeRequestFilter {
        states: vec![state],
        ..all(project)
    }
}

/// All of a project that are open.
pub fn open(project: &ProjectId) -> ChangeRequestFilter {
    ChangeRequestFilter {
        states: states(State::is_open),
        ..all(project)
    }
}

/// The newest of a project that others can see and that are not applied yet.
fn proposed(project: &ProjectId) -> ChangeRequestFilter {
    ChangeRequestFilter {
        states: states(State::is_proposed),
        limit: Some(LISTED),
        ..all(project)
    }
}

/// The pending ones of one person.
pub fn pending_of(project: &ProjectId, author: ActorId) -> ChangeRequestFilter {
    ChangeRequestFilter {
        states: states(State::is_pending),
        created_by: Some(author),
        ..all(project)
    }
}

/// The pending ones that change a flag.
pub fn pending_for(project: &ProjectId, flag: &FlagName) -> ChangeRequestFilter {
    ChangeRequestFilter {
        states: states(State::is_pending),
        flag: Some(flag.clone()),
        ..all(project)
    }
}

/// What a search asks for.
#[must_use]
pub fn searched(query: &SearchQuery) -> ChangeRequestFilter {
    ChangeRequestFilter {
        created_by: query.created_by,
        requested_reviewer: query.requested_reviewer,
        states: query.states.clone(),
        offset: query.offset,
        limit: Some(query.limit),
        ..ChangeRequestFilter::default()
    }
}

fn states(wanted: fn(State) -> bool) -> Vec<State> {
    State::ALL
        .iter()
        .copied()
        .filter(|state| wanted(*state))
        .collect()
}
