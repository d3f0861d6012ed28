//! Exports: which flags are asked for, and what is told of them in one environment, in the form that an import takes.

use serde::Serialize;
use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems, at_most_one};
use vexil_domain::{
    ActivationStrategy, Constraint, Dependency, EnvironmentName, FeatureFlag, FlagName, FlagSettings,
    Parameters, ProjectId, Segment, SegmentId, StrategyId, Tag, TagType, Variant,
};

use super::context_field::{ContextField, LegalValue};
use super::flag_names::read_list;
use super::flag_upkeep::FlagLinkDocument;

/// Which flags are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exported {
    /// All live ones.
    All,
    /// These, live or archived.
    Named(Vec<FlagName>),
    /// The live ones that have a tag with this value, of whatever type.
    Tagged(String),
    /// The live ones of a project.
    OfProject(ProjectId),
}

/// What is to be exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportQuestion {
    /// The environment that is told of.
    pub environment: EnvironmentName,
    /// The flags.
    pub flags: Exported,
    /// Whether browsers should keep the answer as a file.
    pub as_file: bool,
}

impl ExportQuestion {
    /// Reads the body of a request. Which flags are meant is said in one way: by names, by a tag, or by a project. An empty
    /// list of names is none, and asks for all flags where nothing else is said.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        let known = ["environment", "features", "tag", "project", "downloadFile"];
        if node.object_of(&mut problems, &known).is_none() {
            return problems.finish(None);
        }
        let environment = node.get("environment").non_empty_text(&mut problems);
        let as_file = node.get("downloadFile").optional_boolean(&mut problems);
        let names = node.get("features");
        let has_names = !names.is_absent();
        let names_none = names.value().and_then(Value::as_array).is_some_and(Vec::is_empty);
        let ways = [names.clone(), node.get("tag"), node.get("project")];
        let ways = ways.get(usize::from(names_none)..).unwrap_or_default();
        at_most_one(&mut problems, "which flags are meant", ways);
        let names = has_names.then(|| read_list(&names, &mut problems)).flatten();
        let tag = node.get("tag").optional_text(&mut problems);
        let project = node.get("project").optional_text(&mut problems);
        let flags = match (names, tag, project) {
            (Some(names), ..) if !names.is_empty() => Exported::Named(names),
            (_, Some(tag), _) => Exported::Tagged(tag),
            (_, None, Some(project)) => Exported::OfProject(project.into()),
            (_, None, None) => Exported::All,
        };
        if !has_names && flags == Exported::All {
            let message = "Say which flags: by `features`, a list of names, by `tag`, or by `project`.";
            problems.add("/body", message);
        }
        problems.finish(environment.map(|environment| Self {
            environment: environment.into(),
            flags,
            as_file: as_file.unwrap_or(false),
        }))
    }
}

/// An export.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportDocument<'a> {
    /// The flags, by name.
    pub features: Vec<ExportedFlag<'a>>,
    /// Their strategies, in order.
    pub feature_strategies: Vec<ExportedStrategy<'a>>,
    /// Their switches and variants.
    pub feature_environments: Vec<ExportedSettings<'a>>,
    /// The context fields that they need.
    pub context_fields: Vec<ExportedField<'a>>,
    /// Their tags.
    pub feature_tags: Vec<ExportedTag<'a>>,
    /// The segments that their strategies use.
    pub segments: Vec<ExportedSegment<'a>>,
    /// The types of their tags.
    pub tag_types: Vec<ExportedTagType<'a>>,
    /// What they depend on.
    pub dependencies: Vec<ExportedDependencies<'a>>,
    /// Their links.
    pub links: Vec<ExportedLinks<'a>>,
}

/// A flag.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedFlag<'a> {
    name: &'a str,
    description: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'a str,
    project: &'a str,
    stale: bool,
    impression_data: bool,
    archived: bool,
}

/// A strategy of a flag.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedStrategy<'a> {
    name: &'a str,
    id: &'a StrategyId,
    feature_name: &'a str,
    title: Option<&'a str>,
    parameters: &'a Parameters,
    constraints: &'a [Constraint],
    variants: &'a [Variant],
    disabled: bool,
    segments: &'a [SegmentId],
}

/// A flag in the environment. Its name stands twice, as in Unleash.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedSettings<'a> {
    enabled: bool,
    feature_name: &'a str,
    environment: &'a str,
    variants: &'a [Variant],
    name: &'a str,
}

/// A context field.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedField<'a> {
    name: &'a str,
    description: Option<&'a str>,
    stickiness: bool,
    sort_order: i32,
    legal_values: &'a [LegalValue],
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a str>,
}

/// A tag of a flag.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedTag<'a> {
    feature_name: &'a str,
    tag_type: &'a str,
    tag_value: &'a str,
}

/// A segment, by which strategies name it and what it is called. What it holds is not told.
#[derive(Debug, Serialize)]
pub struct ExportedSegment<'a> {
    id: SegmentId,
    name: &'a str,
}

/// A tag type.
#[derive(Debug, Serialize)]
pub struct ExportedTagType<'a> {
    name: &'a str,
    description: Option<&'a str>,
    icon: Option<&'a str>,
    color: Option<&'a str>,
}

/// What a flag depends on.
#[derive(Debug, Serialize)]
pub struct ExportedDependencies<'a> {
    feature: &'a str,
    dependencies: &'a [Dependency],
}

/// The links of a flag.
#[derive(Debug, Serialize)]
pub struct ExportedLinks<'a> {
    feature: &'a str,
    links: Vec<FlagLinkDocument<'a>>,
}

impl<'a> ExportDocument<'a> {
    /// Adds a flag with what belongs to it alone.
    pub fn add_flag(&mut self, flag: &'a FeatureFlag, environment: &'a EnvironmentName) {
        let name = flag.name.as_str();
        self.features.push(ExportedFlag {
            name,
            description: flag.description.as_deref(),
            kind: &flag.kind,
            project: flag.project.as_str(),
            stale: flag.stale,
            impression_data: flag.impression_data,
            archived: flag.is_archived(),
        });
        let settings = flag.environments.get(environment).map(AsRef::as_ref);
        self.add_settings(name, environment, settings);
        let tag = |tag: &'a Tag| ExportedTag {
            feature_name: name,
            tag_type: &tag.kind,
            tag_value: &tag.value,
        };
        self.feature_tags.extend(flag.tags.iter().map(tag));
        if !flag.dependencies.is_empty() {
            self.dependencies.push(ExportedDependencies {
                feature: name,
                dependencies: &flag.dependencies,
            });
        }
        if !flag.links.is_empty() {
            self.links.push(ExportedLinks {
                feature: name,
                links: FlagLinkDocument::all(flag),
            });
        }
    }

    fn add_settings(
        &mut self,
        name: &'a str,
        environment: &'a EnvironmentName,
        settings: Option<&'a FlagSettings>,
    ) {
        self.feature_environments.push(ExportedSettings {
            enabled: settings.is_some_and(|settings| settings.enabled),
            feature_name: name,
            environment: environment.as_str(),
            variants: settings.map_or(&[], |settings| &settings.variants),
            name,
        });
        let strategy = |strategy: &'a ActivationStrategy| ExportedStrategy {
            name: &strategy.name,
            id: &strategy.id,
            feature_name: name,
            title: strategy.title.as_deref(),
            parameters: &strategy.parameters,
            constraints: &strategy.constraints,
            variants: &strategy.variants,
            disabled: strategy.disabled,
            segments: &strategy.segments,
        };
        let strategies = settings.map_or(&[] as &[_], |settings| &settings.strategies);
        self.feature_strategies.extend(strategies.iter().map(strategy));
    }

    /// Adds a context field.
    pub fn add_field(&mut self, field: &'a ContextField) {
        self.context_fields.push(ExportedField {
            name: &field.name,
            description: field.description.as_deref(),
            stickiness: field.stickiness,
            sort_order: field.sort_order,
            legal_values: &field.legal_values,
            project: field.project.as_ref().map(ProjectId::as_str),
        });
    }

    /// Adds a segment.
    pub fn add_segment(&mut self, segment: &'a Segment) {
        self.segments.push(ExportedSegment {
            id: segment.id,
            name: &segment.name,
        });
    }

    /// Adds a tag type.
    pub fn add_tag_type(&mut self, kind: &'a TagType) {
        self.tag_types.push(ExportedTagType {
            name: &kind.name,
            description: kind.description.as_deref(),
            icon: kind.icon.as_deref(),
            color: kind.color.as_deref(),
        });
    }
}
