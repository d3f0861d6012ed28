//! Segments: what is sent to create and edit them, how they are shown, and who uses them.

use serde::Serialize;
use serde_json::Value;
use vexil_domain::{Constraint, ProjectId, Segment, SegmentId, StrategyId};

use super::constraint::read_constraint;
use super::strategy_fields::{read_segment_id, read_strategy_id};
use super::timestamp::Timestamp;
use vexil_client_api::json::{Node, Problem, Problems};

/// What a segment will say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentForm {
    /// The id of an existing one, where it is said; it cannot be changed.
    pub id: Option<SegmentId>,
    /// Unique in the instance, not empty.
    pub name: String,
    /// What it is for; stays as it is when `None`, is taken away when `Some(None)`.
    pub description: Option<Option<String>>,
    /// The project that owns it; `None` for a segment of the whole instance.
    pub project: Option<ProjectId>,
    /// Conditions that must all hold.
    pub constraints: Vec<Constraint>,
}

/// The members of a segment. Those that are not read belong to the documents that a segment is shown in.
pub const SEGMENT: &[&str] = &[
    "name",
    "description",
    "project",
    "constraints",
    "id",
    "snapshot",
    "createdBy",
    "createdAt",
    "usedInProjects",
    "usedInFeatures",
];

impl SegmentForm {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node.object_of(&mut problems, SEGMENT).is_none() {
            return problems.finish(None);
        }
        let name = node.get("name").non_empty_text(&mut problems);
        let description = node.get("description");
        let description =
            (!description.is_absent()).then(|| description.nullable().optional_text(&mut problems));
        let project = node
            .get("project")
            .nullable()
            .optional_text(&mut problems)
            .filter(|project| !project.is_empty());
        let items = node.get("constraints").array(&mut problems).unwrap_or_default();
        let constraints = items
            .iter()
            .filter_map(|item| read_constraint(item, &mut problems))
            .collect();
        let project = project.map(ProjectId::from);
        let id = node.get("id");
        let id = (!id.is_absent())
            .then(|| read_segment_id(&id, &mut problems))
            .flatten();
        problems.finish(name.map(|name| Self {
            id,
            name,
            description,
            project,
            constraints,
        }))
    }
}

/// Reads the name of a segment that somebody would like to create: `{"name": …}`.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn read_free_name(body: &Value) -> Result<String, Vec<Problem>> {
    let mut problems = Problems::new();
    let node = Node::body(body);
    if node.object_of(&mut problems, &["name"]).is_none() {
        return problems.finish(None);
    }
    let name = node.get("name").non_empty_text(&mut problems);
    problems.finish(name)
}

/// Which segments a strategy will use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentsOfStrategy {
    /// The project of the strategy's flag.
    pub project: String,
    /// The strategy.
    pub strategy: StrategyId,
    /// The environment of the strategy.
    pub environment: String,
    /// The segments.
    pub segments: Vec<SegmentId>,
}

impl SegmentsOfStrategy {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(
                &mut problems,
                &[
                    "projectId",
                    "strategyId",
                    "environmentId",
                    "segmentIds",
                    "additional",
                ],
            )
            .is_none()
        {
            return problems.finish(None);
        }
        let project = node.get("projectId").text(&mut problems);
        let strategy = read_strategy_id(&node.get("strategyId"), &mut problems);
        let environment = node.get("environmentId").text(&mut problems);
        let items = node.get("segmentIds").array(&mut problems).unwrap_or_default();
        let segments = items
            .iter()
            .filter_map(|item| read_segment_id(item, &mut problems))
            .collect();
        let read = project.zip(strategy).zip(environment);
        problems.finish(read.map(|((project, strategy), environment)| Self {
            project,
            strategy,
            environment,
            segments,
        }))
    }
}

/// A segment.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SegmentDocument<'a> {
    id: SegmentId,
    name: &'a str,
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a str>,
    constraints: &'a [Constraint],
    created_by: Option<&'a str>,
    created_at: Option<Timestamp>,
}

impl<'a> SegmentDocument<'a> {
    /// Shows `segment`.
    #[must_use]
    pub fn of(segment: &'a Segment) -> Self {
        Self {
            id: segment.id,
            name: &segment.name,
            description: segment.description.as_deref(),
            project: segment.project.as_ref().map(ProjectId::as_str),
            constraints: &segment.constraints,
            created_by: segment.created_by.as_deref(),
            created_at: segment.created_at.map(Timestamp),
        }
    }
}

/// A segment in a list, with how much it is used.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SegmentListItem<'a> {
    /// The segment.
    #[serde(flatten)]
    pub segment: SegmentDocument<'a>,
    /// In how many projects a live flag uses it.
    pub used_in_projects: usize,
    /// How many live flags use it.
    pub used_in_features: usize,
}

/// A strategy of a flag, told by where it stands.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StrategyPosition<'a> {
    /// The strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The project of its flag.
    pub project_id: &'a str,
    /// Its flag.
    pub feature_name: &'a str,
    /// Its type.
    pub strategy_name: &'a str,
    /// Its environment.
    pub environment: &'a str,
}

/// A strategy that an open change request would add or change.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposedPosition<'a> {
    /// The strategy; without an id where it would be added.
    #[serde(flatten)]
    pub position: StrategyPosition<'a>,
    /// The change request.
    pub change_request: ChangeRequestReference<'a>,
}

/// A change request, by id and title.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ChangeRequestReference<'a> {
    /// The id.
    pub id: i64,
    /// The title, where it has one.
    pub title: Option<&'a str>,
}
