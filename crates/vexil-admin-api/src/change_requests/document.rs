//! Change requests as documents: whole, and as items of lists.

use std::collections::BTreeMap;

use serde::Serialize;
use vexil_change_request::{
    Approval, ChangeRequest, Comment, EarlierTitle, Schedule, ScheduleStatus, Setback, SignedEffect,
};

use super::changes::{
    EffectConflicts, FeatureChanges, Findings, SegmentChange, feature_changes, segment_changes,
};
use super::person::PersonDocument;
use crate::timestamp::Timestamp;

/// A change request, as `GET …/change-requests/{id}` shows it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeRequestDocument {
    /// Identifies the request.
    pub id: i64,
    /// Its title, where somebody gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where the changes are made.
    pub environment: String,
    /// Whose flags are changed.
    pub project: String,
    /// How many people must approve.
    pub min_approvals: u32,
    /// How far it has come.
    pub state: &'static str,
    /// The changes of flags, by flag, in the order in which they were first named.
    pub features: Vec<FeatureChanges>,
    /// The changes of segments.
    pub segments: Vec<SegmentChange>,
    /// Who approved.
    pub approvals: Vec<ApprovalDocument>,
    /// Who rejected.
    pub rejections: Vec<ApprovalDocument>,
    /// What people said.
    pub comments: Vec<CommentDocument>,
    /// Whose request it is.
    pub created_by: PersonDocument,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it will be applied; there while it is scheduled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleDocument>,
    /// When each state was last entered; not there in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_timestamps: Option<BTreeMap<&'static str, Timestamp>>,
    /// What users would notice were it applied now; there while it is open, not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<EffectDocument>,
    /// What was approved last, also where that approval went since; not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved_effect: Option<EffectDocument>,
    /// Whether that is another effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect_changed: Option<bool>,
    /// The last time that approvals went, or that those it had were not enough any more; not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setback: Option<SetbackDocument>,
    /// The titles that it had after its draft, oldest first; there where it had others, not in lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_titles: Vec<EarlierTitleDocument>,
    /// Other open requests that change a flag for the same contexts; where one that is open is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect_conflicts: Option<EffectConflicts>,
    /// How many scheduled requests that share something with this one were not looked at: whether it would break them
    /// is not known; there where some were not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedules_unread: Option<usize>,
}

impl ChangeRequestDocument {
    /// The whole document.
    ///
    /// # Errors
    ///
    /// When the payload of an unsupported change is no JSON, which reading does not let in.
    pub fn whole(request: &ChangeRequest, findings: &Findings<'_>) -> Result<Self, serde_json::Error> {
        let timestamps = request
            .state_timestamps
            .iter()
            .map(|(state, at)| (state.name(), Timestamp(*at)))
            .collect();
        let last = last_signed(&request.approvals);
        let gone = request.setback.as_ref();
        let approved = last.or_else(|| gone.and_then(|setback| last_signed(&setback.approvals)));
        Ok(Self {
            state_timestamps: Some(timestamps),
            effect: findings.signed.as_ref().map(EffectDocument::from),
            approved_effect: approved.map(EffectDocument::from),
            effect_changed: findings
                .signed
                .as_ref()
                .zip(approved)
                .map(|(now, then)| now.digest != then.digest),
            setback: gone.map(SetbackDocument::from),
            earlier_titles: request
                .earlier_titles
                .iter()
                .map(EarlierTitleDocument::from)
                .collect(),
            effect_conflicts: findings.effect_conflicts.clone(),
            ..Self::item(request, findings)?
        })
    }

    /// The document as an item of a list: without the timestamps of its states.
    ///
    /// # Errors
    ///
    /// As [`ChangeRequestDocument::whole`].
    pub fn item(request: &ChangeRequest, findings: &Findings<'_>) -> Result<Self, serde_json::Error> {
        Ok(Self {
            id: request.id.0,
            title: request.title.clone(),
            environment: request.environment.to_string(),
            project: request.project.to_string(),
            min_approvals: request.min_approvals,
            state: request.state.name(),
            features: feature_changes(request, findings)?,
            segments: segment_changes(request, findings)?,
            approvals: request.approvals.iter().map(ApprovalDocument::from).collect(),
            rejections: request.rejections.iter().map(ApprovalDocument::from).collect(),
            comments: request.comments.iter().map(CommentDocument::from).collect(),
            created_by: PersonDocument::from(&request.created_by),
            created_at: Timestamp(request.created_at),
            schedule: request.schedule.as_ref().map(ScheduleDocument::from),
            state_timestamps: None,
            effect: None,
            approved_effect: None,
            effect_changed: None,
            setback: None,
            earlier_titles: Vec::new(),
            effect_conflicts: None,
            schedules_unread: Some(findings.schedules_unread).filter(|unread| *unread > 0),
        })
    }
}

fn last_signed(approvals: &[Approval]) -> Option<&SignedEffect> {
    let mut signed = approvals.iter().filter_map(|approval| approval.effect.as_ref());
    signed.next_back()
}

/// That approvals went, or that those it had were not enough any more.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetbackDocument {
    /// When.
    pub created_at: Timestamp,
    /// Who took the step in which it was noticed, or the server.
    pub created_by: PersonDocument,
    /// Why, in words.
    pub reason: String,
    /// The approvals that went.
    pub approvals: Vec<ApprovalDocument>,
}

impl From<&Setback> for SetbackDocument {
    fn from(setback: &Setback) -> Self {
        Self {
            created_at: Timestamp(setback.at),
            created_by: PersonDocument::from(&setback.by),
            reason: setback.reason.clone(),
            approvals: setback.approvals.iter().map(ApprovalDocument::from).collect(),
        }
    }
}

/// A title that it had.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EarlierTitleDocument {
    /// The title; not there where it had none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When it got another.
    pub created_at: Timestamp,
    /// Who gave it the other.
    pub created_by: PersonDocument,
}

impl From<&EarlierTitle> for EarlierTitleDocument {
    fn from(earlier: &EarlierTitle) -> Self {
        Self {
            title: earlier.title.clone(),
            created_at: Timestamp(earlier.until),
            created_by: PersonDocument::from(&earlier.by),
        }
    }
}

/// What users would notice, and when that was found.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EffectDocument {
    /// Tells it from every other: equal effects have equal digests.
    pub digest: String,
    /// The same in words.
    pub words: String,
    /// The revision of the configuration at which it was found.
    pub revision: u64,
}

impl From<&SignedEffect> for EffectDocument {
    fn from(signed: &SignedEffect) -> Self {
        Self {
            digest: signed.digest.to_string(),
            words: signed.words.clone(),
            revision: signed.revision,
        }
    }
}

/// An approval or a rejection.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalDocument {
    /// Who gave it.
    pub created_by: PersonDocument,
    /// When.
    pub created_at: Timestamp,
}

impl From<&Approval> for ApprovalDocument {
    fn from(approval: &Approval) -> Self {
        Self {
            created_by: PersonDocument::from(&approval.created_by),
            created_at: Timestamp(approval.created_at),
        }
    }
}

/// Something that somebody said.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentDocument {
    /// Identifies the comment.
    pub id: i64,
    /// What was said.
    pub text: String,
    /// Who said it.
    pub created_by: PersonDocument,
    /// When.
    pub created_at: Timestamp,
}

impl From<&Comment> for CommentDocument {
    fn from(comment: &Comment) -> Self {
        Self {
            id: comment.id.0,
            text: comment.text.clone(),
            created_by: PersonDocument::from(&comment.created_by),
            created_at: Timestamp(comment.created_at),
        }
    }
}

/// When a change request will be applied, and whether it will.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleDocument {
    /// When.
    pub scheduled_at: Timestamp,
    /// `pending`, `failed` or `suspended`.
    pub status: &'static str,
    /// Why it failed or was suspended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The same for what failed, under the name that older clients read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
}

impl From<&Schedule> for ScheduleDocument {
    fn from(schedule: &Schedule) -> Self {
        let reason = schedule.status.reason().map(str::to_owned);
        let failed = matches!(schedule.status, ScheduleStatus::Failed { .. });
        Self {
            scheduled_at: Timestamp(schedule.scheduled_at),
            status: schedule.status.name(),
            failure_reason: reason.clone().filter(|_| failed),
            reason,
        }
    }
}
