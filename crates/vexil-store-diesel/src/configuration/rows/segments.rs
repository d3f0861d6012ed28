//! Rows of segments and strategy types.

use diesel::prelude::*;
use vexil_domain::{Segment, SegmentId, StrategyType};

use crate::error::DbError;
use crate::schema::{segments, strategy_types};
use crate::{instant, json};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = segments, treat_none_as_default_value = false)]
pub(crate) struct SegmentRow {
    id: i64,
    name: String,
    description: Option<String>,
    project: Option<String>,
    constraints: String,
    created_by: Option<String>,
    created_at: Option<i64>,
}

impl SegmentRow {
    pub(crate) fn new(segment: &Segment) -> Result<Self, DbError> {
        Ok(Self {
            id: segment.id.0,
            name: segment.name.clone(),
            description: segment.description.clone(),
            project: segment.project.as_ref().map(ToString::to_string),
            constraints: json::to_text(&segment.constraints, "a constraint list")?,
            created_by: segment.created_by.clone(),
            created_at: segment.created_at.map(instant::to_stored),
        })
    }

    pub(crate) fn into_segment(self) -> Result<Segment, DbError> {
        Ok(Segment {
            id: SegmentId(self.id),
            name: self.name,
            description: self.description,
            project: self.project.map(Into::into),
            constraints: json::from_text(&self.constraints, "a constraint list")?,
            created_by: self.created_by,
            created_at: instant::from_optional(self.created_at)?,
        })
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = strategy_types, treat_none_as_default_value = false)]
pub(crate) struct StrategyTypeRow {
    name: String,
    display_name: Option<String>,
    description: String,
    built_in: bool,
    deprecated: bool,
    parameters: String,
    title: Option<String>,
}

impl StrategyTypeRow {
    pub(crate) fn new(kind: &StrategyType) -> Result<Self, DbError> {
        Ok(Self {
            name: kind.name.clone(),
            display_name: kind.display_name.clone(),
            description: kind.description.clone(),
            built_in: kind.built_in,
            deprecated: kind.deprecated,
            parameters: json::to_text(&kind.parameters, "a parameter list")?,
            title: kind.title.clone(),
        })
    }

    pub(crate) fn into_strategy_type(self) -> Result<StrategyType, DbError> {
        Ok(StrategyType {
            name: self.name,
            display_name: self.display_name,
            description: self.description,
            built_in: self.built_in,
            deprecated: self.deprecated,
            parameters: json::from_text(&self.parameters, "a parameter list")?,
            title: self.title,
        })
    }
}
