//! Rows of what a change request lists.

use std::collections::BTreeSet;

use diesel::prelude::*;
use vexil_change_request::{
    Approval, ChangeId, ChangeRequest, Comment, CommentId, EarlierTitle, EffectDigest, PlannedChange,
    SignedEffect,
};
use vexil_domain::ActorId;

use super::actor;
use crate::configuration::rows::position;
use crate::error::DbError;
use crate::schema::{
    change_request_changes, change_request_comments, change_request_reviewers, change_request_reviews,
    change_request_segments, change_request_titles,
};
use crate::{instant, json};

/// One change.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = change_request_changes, treat_none_as_default_value = false)]
pub(crate) struct ChangeRow {
    pub(crate) change_request: i64,
    position: i64,
    id: i64,
    flag: Option<String>,
    change: String,
    found: Option<String>,
    created_by_id: i64,
    created_by_name: String,
    created_at: i64,
}

impl ChangeRow {
    pub(crate) fn all(request: &ChangeRequest) -> Result<Vec<Self>, DbError> {
        let row = |(place, it): (usize, &PlannedChange)| {
            let before = it.before.as_ref();
            Ok(Self {
                change_request: request.id.0,
                position: position(place),
                id: it.id.0,
                flag: it.flag.as_ref().map(ToString::to_string),
                change: json::to_text(&it.change, "a change")?,
                found: before
                    .map(|it| json::to_text(it, "what a change found"))
                    .transpose()?,
                created_by_id: it.created_by.id.0,
                created_by_name: it.created_by.name.clone(),
                created_at: instant::to_stored(it.created_at),
            })
        };
        request.changes.iter().enumerate().map(row).collect()
    }

    pub(crate) fn into_change(self) -> Result<PlannedChange, DbError> {
        let found = self.found.as_deref();
        Ok(PlannedChange {
            id: ChangeId(self.id),
            flag: self.flag.map(Into::into),
            change: json::from_text(&self.change, "a change")?,
            before: found
                .map(|text| json::from_text(text, "what a change found"))
                .transpose()?,
            created_by: actor(self.created_by_id, self.created_by_name),
            created_at: instant::from_stored(self.created_at)?,
        })
    }
}

/// A segment that a change names.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = change_request_segments, treat_none_as_default_value = false)]
pub(crate) struct SegmentRow {
    change_request: i64,
    segment: i64,
}

impl SegmentRow {
    pub(crate) fn all(request: &ChangeRequest) -> Vec<Self> {
        let changes = request.changes.iter().map(|planned| &planned.change);
        let named: BTreeSet<i64> = changes
            .flat_map(|change| {
                change
                    .segment()
                    .into_iter()
                    .chain(change.segments_used().iter().copied())
            })
            .map(|id| id.0)
            .collect();
        let row = |segment| Self {
            change_request: request.id.0,
            segment,
        };
        named.into_iter().map(row).collect()
    }
}

/// An approval or a rejection.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = change_request_reviews, treat_none_as_default_value = false)]
pub(crate) struct ReviewRow {
    pub(crate) change_request: i64,
    position: i64,
    pub(crate) approved: bool,
    created_by_id: i64,
    created_by_name: String,
    created_at: i64,
    effect: Option<String>,
    effect_words: Option<String>,
    effect_revision: Option<i64>,
}

impl ReviewRow {
    pub(crate) fn all(request: &ChangeRequest) -> Vec<Self> {
        let approvals = request.approvals.iter().map(|it| (true, it));
        let both = approvals.chain(request.rejections.iter().map(|it| (false, it)));
        let row = |(place, (approved, it)): (usize, (bool, &Approval))| Self {
            change_request: request.id.0,
            position: position(place),
            approved,
            created_by_id: it.created_by.id.0,
            created_by_name: it.created_by.name.clone(),
            created_at: instant::to_stored(it.created_at),
            effect: it.effect.as_ref().map(|signed| signed.digest.to_string()),
            effect_words: it.effect.as_ref().map(|signed| signed.words.clone()),
            effect_revision: it.effect.as_ref().map(|signed| signed.revision as i64),
        };
        both.enumerate().map(row).collect()
    }

    pub(crate) fn into_approval(self) -> Result<Approval, DbError> {
        Ok(Approval {
            created_by: actor(self.created_by_id, self.created_by_name),
            created_at: instant::from_stored(self.created_at)?,
            effect: self.effect.map(|digest| SignedEffect {
                digest: EffectDigest::from_stored(digest),
                words: self.effect_words.unwrap_or_default(),
                revision: self.effect_revision.unwrap_or_default() as u64,
            }),
        })
    }
}

/// A comment.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = change_request_comments, treat_none_as_default_value = false)]
pub(crate) struct CommentRow {
    pub(crate) change_request: i64,
    position: i64,
    id: i64,
    text: String,
    created_by_id: i64,
    created_by_name: String,
    created_at: i64,
}

impl CommentRow {
    pub(crate) fn all(request: &ChangeRequest) -> Vec<Self> {
        let row = |(place, it): (usize, &Comment)| Self {
            change_request: request.id.0,
            position: position(place),
            id: it.id.0,
            text: it.text.clone(),
            created_by_id: it.created_by.id.0,
            created_by_name: it.created_by.name.clone(),
            created_at: instant::to_stored(it.created_at),
        };
        request.comments.iter().enumerate().map(row).collect()
    }

    pub(crate) fn into_comment(self) -> Result<Comment, DbError> {
        Ok(Comment {
            id: CommentId(self.id),
            text: self.text,
            created_by: actor(self.created_by_id, self.created_by_name),
            created_at: instant::from_stored(self.created_at)?,
        })
    }
}

/// A title that it had.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = change_request_titles, treat_none_as_default_value = false)]
pub(crate) struct TitleRow {
    pub(crate) change_request: i64,
    position: i64,
    title: Option<String>,
    until: i64,
    by_id: i64,
    by_name: String,
}

impl TitleRow {
    pub(crate) fn all(request: &ChangeRequest) -> Vec<Self> {
        let row = |(place, it): (usize, &EarlierTitle)| Self {
            change_request: request.id.0,
            position: position(place),
            title: it.title.clone(),
            until: instant::to_stored(it.until),
            by_id: it.by.id.0,
            by_name: it.by.name.clone(),
        };
        request.earlier_titles.iter().enumerate().map(row).collect()
    }

    pub(crate) fn into_title(self) -> Result<EarlierTitle, DbError> {
        Ok(EarlierTitle {
            title: self.title,
            until: instant::from_stored(self.until)?,
            by: actor(self.by_id, self.by_name),
        })
    }
}

/// Somebody asked for a review.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = change_request_reviewers, treat_none_as_default_value = false)]
pub(crate) struct ReviewerRow {
    pub(crate) change_request: i64,
    position: i64,
    actor: i64,
}

impl ReviewerRow {
    pub(crate) fn all(request: &ChangeRequest) -> Vec<Self> {
        let row = |(place, it): (usize, &ActorId)| Self {
            change_request: request.id.0,
            position: position(place),
            actor: it.0,
        };
        request.requested_reviewers.iter().enumerate().map(row).collect()
    }

    pub(crate) fn actor(&self) -> ActorId {
        ActorId(self.actor)
    }
}
