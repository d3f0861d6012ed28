//! Rows of change requests.

mod parts;

pub(super) use parts::{ChangeRow, CommentRow, ReviewRow, ReviewerRow, SegmentRow, TitleRow};

use std::collections::BTreeMap;

use diesel::prelude::*;
use time::OffsetDateTime;
use vexil_change_request::{ChangeRequest, ChangeRequestId, Schedule, ScheduleStatus, State};
use vexil_domain::{Actor, ActorId};

use crate::error::DbError;
use crate::schema::change_requests;
use crate::{instant, json};

/// What the document is, where it cannot be read.
const SETBACK: &str = "how approvals went";

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = change_requests, treat_none_as_default_value = false)]
pub(super) struct ChangeRequestRow {
    pub(super) id: i64,
    title: Option<String>,
    project: String,
    environment: String,
    min_approvals: i64,
    state: String,
    created_by_id: i64,
    created_by_name: String,
    created_at: i64,
    state_timestamps: String,
    scheduled_at: Option<i64>,
    scheduled_by_id: Option<i64>,
    scheduled_by_name: Option<String>,
    schedule_status: Option<String>,
    schedule_reason: Option<String>,
    setback: Option<String>,
}

impl ChangeRequestRow {
    pub(super) fn new(request: &ChangeRequest) -> Result<Self, DbError> {
        let entered = |(state, at): (&State, &OffsetDateTime)| (state.name(), instant::to_stored(*at));
        let timestamps: BTreeMap<_, _> = request.state_timestamps.iter().map(entered).collect();
        let schedule = request.schedule.as_ref();
        Ok(Self {
            id: request.id.0,
            title: request.title.clone(),
            project: request.project.to_string(),
            environment: request.environment.to_string(),
            min_approvals: request.min_approvals.into(),
            state: request.state.name().to_owned(),
            created_by_id: request.created_by.id.0,
            created_by_name: request.created_by.name.clone(),
            created_at: instant::to_stored(request.created_at),
            state_timestamps: json::to_text(&timestamps, "a map of timestamps")?,
            scheduled_at: schedule.map(|it| instant::to_stored(it.scheduled_at)),
            scheduled_by_id: schedule.map(|it| it.scheduled_by.id.0),
            scheduled_by_name: schedule.map(|it| it.scheduled_by.name.clone()),
            schedule_status: schedule.map(|it| it.status.name().to_owned()),
            schedule_reason: schedule.and_then(|it| it.status.reason()).map(ToOwned::to_owned),
            setback: request
                .setback
                .as_ref()
                .map(|it| json::to_text(it, SETBACK))
                .transpose()?,
        })
    }

    /// The change request, without what it lists.
    pub(super) fn into_change_request(self) -> Result<ChangeRequest, DbError> {
        let timestamps: BTreeMap<String, i64> =
            json::from_text(&self.state_timestamps, "a map of timestamps")?;
        let mut state_timestamps = BTreeMap::new();
        for (name, at) in timestamps {
            state_timestamps.insert(state(&name)?, instant::from_stored(at)?);
        }
        let schedule = self.schedule()?;
        Ok(ChangeRequest {
            id: ChangeRequestId(self.id),
            title: self.title,
            project: self.project.into(),
            environment: self.environment.into(),
            min_approvals: json::narrow(self.min_approvals, "a number of approvals")?,
            state: state(&self.state)?,
            changes: Vec::new(),
            approvals: Vec::new(),
            rejections: Vec::new(),
            comments: Vec::new(),
            requested_reviewers: Vec::new(),
            earlier_titles: Vec::new(),
            created_by: actor(self.created_by_id, self.created_by_name),
            created_at: instant::from_stored(self.created_at)?,
            state_timestamps,
            schedule,
            setback: self
                .setback
                .as_deref()
                .map(|text| json::from_text(text, SETBACK))
                .transpose()?,
        })
    }

    fn schedule(&self) -> Result<Option<Schedule>, DbError> {
        let who = self.scheduled_by_id.zip(self.scheduled_by_name.clone());
        let Some(((at, (id, name)), status)) =
            self.scheduled_at.zip(who).zip(self.schedule_status.as_deref())
        else {
            return Ok(None);
        };
        let reason = self.schedule_reason.clone().unwrap_or_default();
        let status = match status {
            "pending" => ScheduleStatus::Pending,
            "failed" => ScheduleStatus::Failed { reason },
            "suspended" => ScheduleStatus::Suspended { reason },
            other => return Err(json::corrupt("the status of a schedule", format!("`{other}`"))),
        };
        Ok(Some(Schedule {
            scheduled_at: instant::from_stored(at)?,
            scheduled_by: actor(id, name),
            status,
        }))
    }
}

fn state(name: &str) -> Result<State, DbError> {
    State::from_name(name).ok_or_else(|| json::corrupt("the state of a change request", format!("`{name}`")))
}

fn actor(id: i64, name: String) -> Actor {
    Actor {
        id: ActorId(id),
        name,
    }
}
