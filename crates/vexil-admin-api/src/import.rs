//! Imports: an export, with the project and the environment that it is for.
//!
//! Reading one puts together what its lists say of a flag. What decides who gets a flag stands in one place of the
//! document; where it stands elsewhere, it is refused, since it would be passed over.

mod flag;
mod rows;

use std::collections::BTreeMap;

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems, refuse_repeated};
use vexil_domain::{EnvironmentName, FlagName, ProjectId, SegmentId};

use super::context_field::ContextFieldForm;
use super::form::read_new_at;
use super::tag::TagTypeForm;
use rows::Rows;

pub use flag::{ImportedFlag, ImportedSettings, Placed};

/// What is to be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The project that gets the flags.
    pub project: ProjectId,
    /// The environment in which they get their switches, strategies and variants.
    pub environment: EnvironmentName,
    /// The flags, each once.
    pub flags: Vec<ImportedFlag>,
    /// The names that stand more than once among the flags.
    pub repeated: Vec<FlagName>,
    /// The context fields that the flags need, with their names.
    pub context_fields: Vec<(String, ContextFieldForm)>,
    /// The types of their tags, with their names.
    pub tag_types: Vec<(String, TagTypeForm)>,
    /// What the segments are called that strategies name by these ids, which are those of where the document is from.
    pub segments: BTreeMap<SegmentId, String>,
}

/// The lists of a document.
const DATA: &[&str] = &[
    "features",
    "featureStrategies",
    "featureEnvironments",
    "contextFields",
    "featureTags",
    "segments",
    "tagTypes",
    "dependencies",
    "links",
];

impl Import {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, each with its place.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["project", "environment", "data"])
            .is_none()
        {
            return problems.finish(None);
        }
        let project = node.get("project").non_empty_text(&mut problems);
        let environment = node.get("environment").non_empty_text(&mut problems);
        let data = node.get("data");
        if data.object_of(&mut problems, DATA).is_none() {
            return problems.finish(None);
        }
        let read = project.zip(environment);
        let read = read.map(|(project, environment)| Self::of(project, environment, &data, &mut problems));
        problems.finish(read)
    }

    fn of(project: String, environment: String, data: &Node<'_>, problems: &mut Problems) -> Self {
        let segments = read_segments(&data.get("segments"), problems);
        let mut rows = Rows::read(&data.get("features"), problems);
        rows.add_strategies(&data.get("featureStrategies"), &segments, problems);
        rows.add_settings(&data.get("featureEnvironments"), problems);
        rows.add_tags(&data.get("featureTags"), problems);
        rows.add_dependencies(&data.get("dependencies"), problems);
        rows.add_links(&data.get("links"), problems);
        let context_fields = read_fields(&data.get("contextFields"), problems);
        let tag_types = read_types(&data.get("tagTypes"), problems);
        Self {
            project: project.into(),
            environment: environment.into(),
            flags: rows.flags,
            repeated: rows.repeated,
            context_fields,
            tag_types,
            segments,
        }
    }
}

/// One of the whole instance may be called like one of the project.
fn read_fields(list: &Node<'_>, problems: &mut Problems) -> Vec<(String, ContextFieldForm)> {
    let fields: Vec<(String, ContextFieldForm)> = list.list(problems, read_new_at);
    for of_project in [false, true] {
        let alike = fields
            .iter()
            .filter(|(_, field)| field.project.is_some() == of_project);
        refuse_repeated(
            list,
            "context field",
            alike.map(|(name, _)| name.as_str()),
            problems,
        );
    }
    fields
}

fn read_types(list: &Node<'_>, problems: &mut Problems) -> Vec<(String, TagTypeForm)> {
    let items = list.array(problems).unwrap_or_default();
    let types = items.iter().filter_map(|node| read_new_at(node, problems));
    let types: Vec<(String, TagTypeForm)> = types.collect();
    refuse_repeated(
        list,
        "tag type",
        types.iter().map(|(name, _)| name.as_str()),
        problems,
    );
    types
}

fn read_segments(node: &Node<'_>, problems: &mut Problems) -> BTreeMap<SegmentId, String> {
    let mut segments = BTreeMap::new();
    for (id, name) in node.list(problems, rows::read_segment) {
        if let Some(other) = segments.insert(id, name) {
            let message = format!("The segment {id} stands there twice, once as `{other}`.");
            problems.add(node.path(), message);
        }
    }
    segments
}
