//! Short documents about change requests: counts, search results, schedules, rules, reviewers.

use std::collections::BTreeSet;

use serde::Serialize;
use vexil_change_request::ChangeRequest;
use vexil_domain::{Actor, Project, Snapshot};

use super::changes::segment_name;
use super::document::ScheduleDocument;
use super::person::PersonDocument;
use crate::timestamp::Timestamp;

/// How many change requests of a project there are, by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CountDocument {
    /// In every state.
    pub total: u64,
    /// Applied.
    pub applied: u64,
    /// Rejected.
    pub rejected: u64,
    /// In review.
    pub review_required: u64,
    /// Approved.
    pub approved: u64,
    /// Scheduled.
    pub scheduled: u64,
}

/// How many change requests wait for the one who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ActionableDocument {
    /// How many.
    pub total: u64,
}

/// A scheduled change request, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScheduledDocument {
    /// Identifies the request.
    pub id: i64,
    /// Where it will change flags.
    pub environment: String,
    /// Its title, where somebody gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl From<&ChangeRequest> for ScheduledDocument {
    fn from(request: &ChangeRequest) -> Self {
        Self {
            id: request.id.0,
            environment: request.environment.to_string(),
            title: request.title.clone(),
        }
    }
}

/// What was found.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchDocument {
    /// The change requests, the newest first.
    pub change_requests: Vec<SearchItem>,
    /// How many there are without offset and limit.
    pub total: u64,
}

/// A change request that was found.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchItem {
    /// Identifies the request.
    pub id: i64,
    /// Its title, where somebody gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it changes flags.
    pub environment: String,
    /// Whose flags it changes.
    pub project: String,
    /// Whose request it is.
    pub created_by: PersonDocument,
    /// When it was opened.
    pub created_at: Timestamp,
    /// The names of the flags it changes, each once.
    pub features: Vec<String>,
    /// The names of the segments it changes, each once.
    pub segments: Vec<String>,
    /// How far it has come.
    pub state: &'static str,
    /// When it will be applied; there while it is scheduled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleDocument>,
}

impl SearchItem {
    /// The item for `request`; segments have their names from `snapshot`.
    #[must_use]
    pub fn new(request: &ChangeRequest, snapshot: &Snapshot) -> Self {
        let flags = request.changes.iter().filter_map(|planned| planned.flag.as_ref());
        let segments = request.changes.iter().filter_map(|planned| {
            let id = planned.change.segment()?;
            Some(segment_name(id, planned, snapshot))
        });
        Self {
            id: request.id.0,
            title: request.title.clone(),
            environment: request.environment.to_string(),
            project: request.project.to_string(),
            created_by: PersonDocument::from(&request.created_by),
            created_at: Timestamp(request.created_at),
            features: once_each(flags.map(ToString::to_string)),
            segments: once_each(segments),
            state: request.state.name(),
            schedule: request.schedule.as_ref().map(ScheduleDocument::from),
        }
    }
}

fn once_each(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// The rule of a project in one environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleDocument {
    /// The environment.
    pub environment: String,
    /// Its kind, such as `production`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether direct edits are refused.
    pub change_request_enabled: bool,
    /// How many people must approve; `None` where direct edits are not refused.
    pub required_approvals: Option<u32>,
    /// What becomes of approvals when the effect becomes another one: `refuse` or `warn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_effect: Option<&'static str>,
}

impl RuleDocument {
    /// The rules of a project in its environments, in the order of those.
    #[must_use]
    pub fn all(project: &Project, snapshot: &Snapshot) -> Vec<Self> {
        let mut environments: Vec<_> = project.environments.iter().collect();
        let order = |name| {
            snapshot
                .environments
                .get(name)
                .map_or(i32::MAX, |found| found.sort_order)
        };
        environments.sort_by_key(|(name, _)| order(*name));
        environments
            .into_iter()
            .map(|(name, settings)| Self {
                environment: name.to_string(),
                kind: snapshot
                    .environments
                    .get(name)
                    .map(|environment| environment.kind.clone())
                    .unwrap_or_default(),
                change_request_enabled: settings.change_requests.is_some(),
                required_approvals: settings.change_requests.map(|rule| rule.required_approvals),
                changed_effect: settings.change_requests.map(|rule| rule.changed_effect.name()),
            })
            .collect()
    }
}

/// People who are, or may be, asked to review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewersDocument {
    /// The people.
    pub reviewers: Vec<ReviewerDocument>,
}

/// Somebody who is, or may be, asked to review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewerDocument {
    /// Identifies who it is.
    pub id: i64,
    /// The e-mail address; empty for tokens.
    pub email: String,
    /// The user name.
    pub username: Option<String>,
    /// The name shown to people.
    pub name: Option<String>,
    /// A picture, where there is one.
    pub image_url: Option<String>,
}

impl From<&Actor> for ReviewerDocument {
    fn from(actor: &Actor) -> Self {
        Self {
            id: actor.id.0,
            email: String::new(),
            username: Some(actor.name.clone()),
            name: None,
            image_url: None,
        }
    }
}
