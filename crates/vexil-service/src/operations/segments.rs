//! Segments: created, edited, removed, and who uses them.

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_admin_api::error::ErrorDetail;
use vexil_admin_api::segment::{SegmentForm, SegmentsOfStrategy};
use vexil_change_request::validate::{self, Problem};
use vexil_change_request::{Change, ChangeRequest, SegmentUpdate, State, StrategyUpdate};
use vexil_domain::{
    ActivationStrategy, EnvironmentName, FeatureFlag, ProjectId, Segment, SegmentId, Snapshot,
};
use vexil_store::ChangeRequestFilter;

use super::direct::{EditScope, change_flag, change_segment};
use super::same_name::check_same;
use crate::operations::Error;
use crate::transaction::Transaction;

/// Creates a segment.
pub fn create(tx: &mut Transaction<'_>, form: &SegmentForm) -> Result<Segment, Error> {
    check_content(&validate::segment(&form.name, &form.constraints))?;
    check_free(&tx.snapshot, &form.name)?;
    if let Some(project) = form
        .project
        .as_ref()
        .filter(|id| !tx.snapshot.projects.contains_key(*id))
    {
        return Err(Error::invalid(format!(
            "There is no project \"{project}\" that could own the segment."
        )));
    }
    let id = SegmentId(tx.counters.segment);
    tx.counters.segment += 1;
    let segment = Segment {
        description: form.description.clone().flatten(),
        project: form.project.clone(),
        created_by: Some(tx.actor.name.clone()),
        created_at: Some(tx.now),
        ..Segment::new(id, form.name.clone(), form.constraints.clone())
    };
    tx.snapshot.segments.insert(id, Arc::new(segment.clone()));
    Ok(segment)
}

/// Refuses content that may not be stored, with everything that is wrong with it.
pub fn check_content(problems: &[Problem]) -> Result<(), Error> {
    if problems.is_empty() {
        return Ok(());
    }
    let detail = |problem: &Problem| {
        let path = format!("/body{}", problem.path);
        ErrorDetail {
            message: format!("`{path}`: {}", problem.message),
            path: Some(path),
            ..ErrorDetail::default()
        }
    };
    let details: Vec<ErrorDetail> = problems.iter().map(detail).collect();
    let message = details
        .iter()
        .map(|detail| detail.message.as_str())
        .collect::<Vec<_>>()
        .join("; ");
    Err(Error::Invalid { message, details })
}

/// Checks that no segment has a name.
pub fn check_free(snapshot: &Snapshot, name: &str) -> Result<(), Error> {
    if snapshot.segments.values().any(|segment| segment.name == name) {
        return Err(Error::NameExists("Segment name already exists".to_owned()));
    }
    Ok(())
}

/// A segment, which must be there.
pub fn find(snapshot: &Snapshot, id: SegmentId) -> Result<&Segment, Error> {
    let missing = || Error::NotFound(format!("No segment exists with ID \"{id}\""));
    snapshot.segments.get(&id).map(AsRef::as_ref).ok_or_else(missing)
}

/// Replaces what a segment says.
pub fn edit(tx: &mut Transaction<'_>, id: SegmentId, form: &SegmentForm) -> Result<(), Error> {
    let segment = find(&tx.snapshot, id)?;
    let said = form.id.map(|said| said.to_string());
    check_same("id of a segment", said.as_deref(), &id.to_string())?;
    let owner = owner(segment);
    let update = SegmentUpdate {
        id,
        name: form.name.clone(),
        description: form
            .description
            .clone()
            .unwrap_or_else(|| segment.description.clone()),
        project: form.project.clone(),
        constraints: form.constraints.clone(),
    };
    change_segment(tx, &owner, Change::UpdateSegment(update))
}

/// Removes a segment that neither a live flag nor an open change request uses.
pub fn remove(tx: &mut Transaction<'_>, id: SegmentId) -> Result<(), Error> {
    let owner = owner(find(&tx.snapshot, id)?);
    let open = open_change_requests(tx)?;
    let proposed = proposed_uses(&open, id);
    if let Some(proposed) = proposed.first() {
        return Err(Error::Conflict(format!(
            "The segment {id} is used by the open change request {}, so it cannot be deleted.",
            proposed.request.id
        )));
    }
    change_segment(tx, &owner, Change::DeleteSegment { id })
}

fn owner(segment: &Segment) -> ProjectId {
    segment.project.clone().unwrap_or_else(|| "".into())
}

fn open_change_requests(tx: &Transaction<'_>) -> Result<Vec<ChangeRequest>, Error> {
    Ok(tx.change_requests(&open_filter())?.items)
}

/// Change requests that may still be applied one day.
#[must_use]
pub fn open_filter() -> ChangeRequestFilter {
    let open = State::ALL.iter().copied().filter(|state| state.is_open());
    ChangeRequestFilter {
        states: open.collect(),
        ..ChangeRequestFilter::default()
    }
}

/// A strategy that an open change request would add or change so that it uses a segment.
#[derive(Debug, Clone, Copy)]
pub struct ProposedUse<'a> {
    /// The change request.
    pub request: &'a ChangeRequest,
    /// The flag.
    pub flag: &'a str,
    /// The strategy, where it exists already.
    pub strategy: Option<&'a str>,
    /// The strategy type, where the change says it.
    pub kind: Option<&'a str>,
}

/// Which strategies open change requests would let use a segment.
#[must_use]
pub fn proposed_uses(requests: &[ChangeRequest], id: SegmentId) -> Vec<ProposedUse<'_>> {
    let mut uses = Vec::new();
    for request in requests {
        for planned in &request.changes {
            let (strategy, kind) = match &*planned.change {
                Change::AddStrategy(new) => (None, Some(new.name.as_str())),
                Change::UpdateStrategy(update) => (Some(update.id.as_str()), update.name.as_deref()),
                _ => continue,
            };
            if planned.change.segments_used().contains(&id) {
                let flag = planned.flag.as_ref().map_or("", |flag| flag.as_str());
                uses.push(ProposedUse {
                    request,
                    flag,
                    strategy,
                    kind,
                });
            }
        }
    }
    uses
}

/// A strategy, with where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Stands<'a> {
    /// The flag.
    pub flag: &'a FeatureFlag,
    /// The environment.
    pub environment: &'a EnvironmentName,
    /// The strategy.
    pub strategy: &'a ActivationStrategy,
}

/// The strategies of all live flags.
pub fn strategies(snapshot: &Snapshot) -> impl Iterator<Item = Stands<'_>> {
    snapshot
        .flags
        .values()
        .map(AsRef::as_ref)
        .filter(|flag| !flag.is_archived())
        .flat_map(|flag| {
            flag.environments.iter().flat_map(move |(environment, settings)| {
                settings.strategies.iter().map(move |strategy| Stands {
                    flag,
                    environment,
                    strategy,
                })
            })
        })
}

/// In how many projects, and by how many flags, something is used.
pub fn count_uses<'a>(snapshot: &'a Snapshot, uses: impl Fn(&ActivationStrategy) -> bool) -> (usize, usize) {
    let mut projects = BTreeSet::new();
    let mut flags = BTreeSet::new();
    for found in strategies(snapshot).filter(|found: &Stands<'a>| uses(found.strategy)) {
        projects.insert(&found.flag.project);
        flags.insert(&found.flag.name);
    }
    (projects.len(), flags.len())
}

/// Lets a strategy use exactly these segments.
pub fn assign(tx: &mut Transaction<'_>, wanted: &SegmentsOfStrategy) -> Result<(), Error> {
    let here = |found: &Stands<'_>| {
        found.strategy.id == wanted.strategy
            && found.flag.project.as_str() == wanted.project
            && found.environment.as_str() == wanted.environment
    };
    let missing = || {
        Error::NotFound(format!(
            "Could not find strategy with id={} in environment \"{}\" of project \"{}\"",
            wanted.strategy, wanted.environment, wanted.project
        ))
    };
    let found = strategies(&tx.snapshot).find(here).ok_or_else(missing)?;
    let update = StrategyUpdate {
        parameters: found.strategy.parameters.clone(),
        constraints: found.strategy.constraints.clone(),
        variants: found.strategy.variants.clone(),
        segments: Some(wanted.segments.clone()),
        ..StrategyUpdate::new(found.strategy.id.clone())
    };
    let place = EditScope::in_environment(&found.flag.project, found.environment);
    let flag = found.flag.name.clone();
    change_flag(tx, &place, &flag, Change::UpdateStrategy(update))
}
