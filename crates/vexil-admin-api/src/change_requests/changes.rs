//! The changes of a request as documents, with what stands against each.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use vexil_change_request::{
    Before, Change, ChangeId, ChangeRequest, ChangeRequestId, Outcome, PlannedChange, SignedEffect,
};
use vexil_domain::{FlagName, SegmentId, Snapshot};

use super::person::PersonDocument;
use crate::timestamp::Timestamp;

/// What is known of a request's changes beside the request itself.
#[derive(Debug)]
pub struct Findings<'a> {
    /// The configuration as it is.
    pub snapshot: &'a Snapshot,
    /// What came of laying the changes over it; `None` where nobody asks, as for closed requests.
    pub outcome: Option<Outcome>,
    /// What users would notice; `None` where nobody asks.
    pub signed: Option<SignedEffect>,
    /// Scheduled requests that the changes would break.
    pub schedule_conflicts: BTreeMap<ChangeId, Vec<ChangeRequestReference>>,
    /// How many scheduled requests that share something with this one were not looked at.
    pub schedules_unread: usize,
    /// Other open requests that change a flag for the same contexts; `None` where nobody asks.
    pub effect_conflicts: Option<EffectConflicts>,
}

impl<'a> Findings<'a> {
    /// Nothing but the configuration.
    #[must_use]
    pub fn none(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            outcome: None,
            signed: None,
            schedule_conflicts: BTreeMap::new(),
            schedules_unread: 0,
            effect_conflicts: None,
        }
    }
}

/// Other open requests that change a flag for contexts that one request changes as well.
#[derive(Debug, Clone, Serialize)]
pub struct EffectConflicts {
    /// Those that were found, and those of which it could not be told.
    pub found: Vec<EffectConflictDocument>,
    /// How many requests were not compared, or not with all of their flags.
    pub unread: u64,
}

/// Another open request that changes a flag for contexts that this one changes as well.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EffectConflictDocument {
    /// The other request.
    pub change_request: ChangeRequestReference,
    /// The environment.
    pub environment: String,
    /// The flag.
    pub flag: String,
    /// Contexts that both change, in words; `None` where it could not be told whether there are any.
    pub words: Option<String>,
    /// The fields of one of them.
    pub context: Option<BTreeMap<String, String>>,
}

/// A change request that is referred to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeRequestReference {
    /// Identifies the request.
    pub id: i64,
    /// Its title, where somebody gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl From<&ChangeRequest> for ChangeRequestReference {
    fn from(request: &ChangeRequest) -> Self {
        let ChangeRequestId(id) = request.id;
        Self {
            id,
            title: request.title.clone(),
        }
    }
}

/// All changes of one flag.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FeatureChanges {
    /// The flag.
    pub name: String,
    /// Why no change of it can be applied, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
    /// Its changes, in their order.
    pub changes: Vec<ChangeDocument>,
    /// What is changed besides, so that a flag that is on has an enabled strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_change: Option<DefaultChangeDocument>,
}

/// One change.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeDocument {
    /// Identifies the change.
    pub id: i64,
    /// What kind of change it is.
    pub action: String,
    /// Its payload, with a `snapshot` of what was there when it was proposed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload: Option<Value>,
    /// Why it cannot be applied, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
    /// Who proposed it.
    pub created_by: PersonDocument,
    /// When.
    pub created_at: Timestamp,
    /// Scheduled requests that it would break.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule_conflicts: Option<ScheduleConflicts>,
}

/// One change of a segment.
#[derive(Debug, Clone, Serialize)]
pub struct SegmentChange {
    /// The segment's present name.
    pub name: String,
    /// The change.
    #[serde(flatten)]
    pub change: ChangeDocument,
}

/// Scheduled requests that a change would break.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleConflicts {
    /// The requests, by id.
    pub change_requests: Vec<ChangeRequestReference>,
}

/// A change that nobody asked for.
#[derive(Debug, Clone, Serialize)]
pub struct DefaultChangeDocument {
    /// `addStrategy` or `updateEnabled`.
    pub action: String,
    /// Its payload.
    pub payload: Value,
}

pub(super) fn feature_changes(
    request: &ChangeRequest,
    findings: &Findings<'_>,
) -> Result<Vec<FeatureChanges>, serde_json::Error> {
    let found = Found::of(findings);
    let mut places: BTreeMap<&FlagName, usize> = BTreeMap::new();
    let mut features: Vec<FeatureChanges> = Vec::new();
    for planned in &request.changes {
        let Some(flag) = &planned.flag else { continue };
        let change = change_document(planned, findings, &found)?;
        let known = places.get(flag).and_then(|place| features.get_mut(*place));
        if let Some(feature) = known {
            feature.changes.push(change);
            continue;
        }
        places.insert(flag, features.len());
        features.push(FeatureChanges {
            name: flag.to_string(),
            conflict: found.of_flags.get(flag).map(|text| (*text).to_owned()),
            changes: vec![change],
            default_change: found
                .defaults
                .get(flag)
                .map(|change| default_change(change))
                .transpose()?,
        });
    }
    Ok(features)
}

pub(super) fn segment_changes(
    request: &ChangeRequest,
    findings: &Findings<'_>,
) -> Result<Vec<SegmentChange>, serde_json::Error> {
    let found = Found::of(findings);
    let segment_of = |planned: &PlannedChange| planned.change.segment();
    let of_segments = request
        .changes
        .iter()
        .filter_map(|planned| segment_of(planned).map(|id| (planned, id)));
    of_segments
        .map(|(planned, id)| {
            Ok(SegmentChange {
                name: segment_name(id, planned, findings.snapshot),
                change: change_document(planned, findings, &found)?,
            })
        })
        .collect()
}

/// What came of laying the changes over the configuration, by what it is about.
struct Found<'a> {
    of_changes: BTreeMap<ChangeId, String>,
    of_flags: BTreeMap<&'a FlagName, &'a str>,
    defaults: BTreeMap<&'a FlagName, &'a Change>,
}

impl<'a> Found<'a> {
    fn of(findings: &'a Findings<'_>) -> Self {
        let outcome = findings.outcome.as_ref();
        let defaults = outcome
            .map(|outcome| outcome.defaults.as_slice())
            .unwrap_or_default();
        let mut first: BTreeMap<&FlagName, &Change> = BTreeMap::new();
        for default in defaults {
            first.entry(&default.flag).or_insert(&default.change);
        }
        Self {
            of_changes: outcome.map(Outcome::conflicts).unwrap_or_default(),
            of_flags: outcome.map(Outcome::conflicts_of_flags).unwrap_or_default(),
            defaults: first,
        }
    }
}

/// The name of a segment that a change is for: the present one, else the one it had, else its id.
pub(super) fn segment_name(id: SegmentId, planned: &PlannedChange, snapshot: &Snapshot) -> String {
    match (snapshot.segments.get(&id), &planned.before) {
        (Some(segment), _) => segment.name.clone(),
        (None, Some(Before::Segment(segment))) => segment.name.clone(),
        _ => id.to_string(),
    }
}

fn change_document(
    planned: &PlannedChange,
    findings: &Findings<'_>,
    found: &Found<'_>,
) -> Result<ChangeDocument, serde_json::Error> {
    let conflicts = findings.schedule_conflicts.get(&planned.id);
    Ok(ChangeDocument {
        id: planned.id.0,
        action: planned.change.action().to_owned(),
        payload: payload(planned)?,
        conflict: found.of_changes.get(&planned.id).cloned(),
        created_by: PersonDocument::from(&planned.created_by),
        created_at: Timestamp(planned.created_at),
        schedule_conflicts: conflicts.filter(|requests| !requests.is_empty()).map(|requests| {
            ScheduleConflicts {
                change_requests: requests.clone(),
            }
        }),
    })
}

/// The payload, with what was there when the change was proposed as its `snapshot`.
fn payload(planned: &PlannedChange) -> Result<Option<Value>, serde_json::Error> {
    let mut payload = planned.change.payload()?;
    let snapshot = match &planned.before {
        Some(Before::Strategy(strategy)) => serde_json::to_value(strategy)?,
        Some(Before::Variants(variants)) => serde_json::to_value(variants)?,
        Some(Before::Segment(segment)) => serde_json::to_value(segment)?,
        Some(Before::Enabled(_) | Before::Dependencies(_)) | None => return Ok(payload),
    };
    if let Some(Value::Object(members)) = &mut payload {
        members.insert("snapshot".to_owned(), snapshot);
    }
    Ok(payload)
}

fn default_change(change: &Change) -> Result<DefaultChangeDocument, serde_json::Error> {
    Ok(DefaultChangeDocument {
        action: change.action().to_owned(),
        payload: change.payload()?.unwrap_or_default(),
    })
}
