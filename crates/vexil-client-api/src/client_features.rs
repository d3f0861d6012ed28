//! `GET /api/client/features`: the flags of one environment, as SDKs on servers read them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;
use vexil_domain::{
    ActivationStrategy, Constraint, EnvironmentFlag, EnvironmentName, EnvironmentSnapshot, FlagName,
    Operator, Parameters, ProjectId, Segment, SegmentId,
};

/// Where the constraints of segments are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Segments {
    /// Among the constraints of each strategy, for SDKs that do not know segments.
    Inlined,
    /// In a list of their own, to which strategies refer by id.
    Listed,
}

/// What was asked for, which the answer repeats.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// Only flags of these projects, which are sorted; `None` for all.
    pub projects: Option<&'a [ProjectId]>,
    /// Only flags whose name starts like this.
    pub name_prefix: Option<&'a str>,
    /// Only flags with one of some tags; `None` for all.
    pub tagged: Option<TaggedFlags<'a>>,
    /// The environment.
    pub environment: &'a EnvironmentName,
    /// The revision of the environment.
    pub revision: u64,
    /// The entity tag of the answer.
    pub tag: &'a str,
    /// What tells this question from others in the entity tag.
    pub hash: &'a str,
}

/// The flags that have one of the tags that were asked for.
#[derive(Debug, Clone, Copy)]
pub struct TaggedFlags<'a> {
    /// The tags, each as its type and its value.
    pub tags: &'a [[String; 2]],
    /// The names of the flags, which are sorted.
    pub flags: &'a [FlagName],
}

impl Query<'_> {
    pub(crate) fn admits(&self, flag: &EnvironmentFlag) -> bool {
        self.admits_flag(&flag.name, &flag.project)
    }

    /// Whether it asks for a flag of this name while that is in this project.
    pub(crate) fn admits_flag(&self, name: &FlagName, project: &ProjectId) -> bool {
        self.projects
            .is_none_or(|projects| projects.binary_search(project).is_ok())
            && self
                .name_prefix
                .is_none_or(|prefix| name.as_str().starts_with(prefix))
            && self
                .tagged
                .is_none_or(|tagged| tagged.flags.binary_search(name).is_ok())
    }
}

/// Writes the document: flags by name, then the segments that they use, by id, where those are listed.
pub fn write_features(
    snapshot: &EnvironmentSnapshot,
    segments: Segments,
    query: &Query<'_>,
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(b"{\"version\":2,\"features\":[");
    let flags = snapshot.flags.values().filter(|flag| query.admits(flag));
    let mut used = BTreeSet::new();
    for (place, flag) in flags.enumerate() {
        if place > 0 {
            out.push(b',');
        }
        write_feature(flag, snapshot, segments, out);
        used.extend(segments_used(flag));
    }
    out.extend_from_slice(b"],\"query\":");
    json(
        &AskedFor {
            project: query.projects,
            name_prefix: query.name_prefix,
            tag: query.tagged.map(|tagged| tagged.tags),
            environment: query.environment,
            inline_segment_constraints: segments == Segments::Inlined,
        },
        out,
    );
    if segments == Segments::Listed {
        out.extend_from_slice(b",\"segments\":");
        let used = used.iter().filter_map(|id| snapshot.segments.get(id));
        json(
            &used.map(|one| ListedSegment::from(&**one)).collect::<Vec<_>>(),
            out,
        );
    }
    out.extend_from_slice(b",\"meta\":");
    json(
        &Meta {
            revision_id: query.revision,
            etag: query.tag,
            query_hash: query.hash,
        },
        out,
    );
    out.push(b'}');
}

/// The segments that SDKs need to decide a flag: those of strategies that are not disabled.
pub fn segments_used(flag: &EnvironmentFlag) -> impl Iterator<Item = SegmentId> {
    let strategies = flag.settings.strategies.iter();
    strategies
        .filter(|strategy| !strategy.disabled)
        .flat_map(|strategy| strategy.segments.iter().copied())
}

/// Writes one flag.
///
/// Disabled strategies are left out; a flag that has no others is off, since to an SDK a flag
/// without strategies is on for everybody.
pub fn write_feature(
    flag: &EnvironmentFlag,
    snapshot: &EnvironmentSnapshot,
    segments: Segments,
    out: &mut Vec<u8>,
) {
    let settings = &flag.settings;
    let strategies = settings.strategies.iter().filter(|strategy| !strategy.disabled);
    let strategies = strategies
        .map(|strategy| document(strategy, snapshot, segments))
        .collect();
    json(
        &Feature {
            name: flag.name.as_str(),
            kind: &flag.kind,
            enabled: settings.enabled && (settings.strategies.is_empty() || settings.has_enabled_strategy()),
            project: flag.project.as_str(),
            stale: flag.stale,
            strategies,
            variants: &settings.variants,
            description: flag.description.as_deref(),
            impression_data: flag.impression_data,
            dependencies: &flag.dependencies,
        },
        out,
    );
}

fn document<'a>(
    strategy: &'a ActivationStrategy,
    snapshot: &'a EnvironmentSnapshot,
    segments: Segments,
) -> Strategy<'a> {
    let mut constraints: Vec<Cow<'a, Constraint>> = strategy.constraints.iter().map(Cow::Borrowed).collect();
    if segments == Segments::Inlined {
        for id in &strategy.segments {
            match snapshot.segments.get(id) {
                Some(segment) => constraints.extend(segment.constraints.iter().map(Cow::Borrowed)),
                // a segment that is missing does not hold, and neither does this
                None => constraints.push(Cow::Owned(Constraint::new("appName", Operator::In))),
            }
        }
    }
    Strategy {
        name: &strategy.name,
        constraints,
        parameters: &strategy.parameters,
        variants: &strategy.variants,
        segments: if segments == Segments::Listed {
            &strategy.segments
        } else {
            &[]
        },
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Feature<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    enabled: bool,
    project: &'a str,
    stale: bool,
    strategies: Vec<Strategy<'a>>,
    variants: &'a [vexil_domain::Variant],
    description: Option<&'a str>,
    impression_data: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    dependencies: &'a [vexil_domain::Dependency],
}

#[derive(Serialize)]
struct Strategy<'a> {
    name: &'a str,
    constraints: Vec<Cow<'a, Constraint>>,
    parameters: &'a Parameters,
    variants: &'a [vexil_domain::Variant],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    segments: &'a [SegmentId],
}

/// A segment as the documents list it.
#[derive(Serialize)]
pub(crate) struct ListedSegment<'a> {
    id: SegmentId,
    name: &'a str,
    constraints: &'a [Constraint],
}

impl<'a> From<&'a Segment> for ListedSegment<'a> {
    fn from(segment: &'a Segment) -> Self {
        Self {
            id: segment.id,
            name: &segment.name,
            constraints: &segment.constraints,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AskedFor<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<&'a [[String; 2]]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    project: Option<&'a [ProjectId]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_prefix: Option<&'a str>,
    environment: &'a EnvironmentName,
    inline_segment_constraints: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'a> {
    revision_id: u64,
    etag: &'a str,
    query_hash: &'a str,
}

/// Writes a value as JSON text.
pub(crate) fn json(value: &impl Serialize, out: &mut Vec<u8>) {
    let before = out.len();
    // plain data, written to memory: neither fails
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(before);
        out.extend_from_slice(b"null");
    }
}
