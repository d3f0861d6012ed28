//! The rows of the configuration, to and from its values.

mod flags;
mod projects;
mod segments;
mod tags;
mod upkeep;

pub(crate) use flags::{DependencyRow, FlagEnvironmentRow, FlagRow, StrategyRow};
pub(crate) use projects::{EnvironmentRow, ProjectEnvironmentRow, ProjectRow};
pub(crate) use segments::{SegmentRow, StrategyTypeRow};
pub(crate) use tags::TagTypeRow;

use diesel::prelude::*;
use vexil_store::Counters;

use crate::schema::store_state;

/// The revision and the next ids.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = store_state)]
pub(crate) struct StateRow {
    pub(crate) sequence: i64,
    pub(crate) configuration: i64,
    pub(crate) mark: i64,
    next_segment: i64,
    next_change_request: i64,
    next_change: i64,
    next_comment: i64,
    next_token: i64,
    next_user: i64,
    next_personal_token: i64,
    next_role: i64,
    next_group: i64,
    next_sign_up_link: i64,
}

impl StateRow {
    pub(crate) fn counters(&self) -> Counters {
        Counters {
            segment: self.next_segment,
            change_request: self.next_change_request,
            change: self.next_change,
            comment: self.next_comment,
            token: self.next_token,
            user: self.next_user,
            personal_token: self.next_personal_token,
            role: self.next_role,
            group: self.next_group,
            sign_up_link: self.next_sign_up_link,
        }
    }
}

/// A place in a list, as it is stored.
pub(crate) fn position(place: usize) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}
