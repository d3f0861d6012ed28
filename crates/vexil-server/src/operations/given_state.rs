//! A state that somebody gives, instead of one that the server has.
//!
//! Two kinds of documents are read: what Unleash exports of one environment
//! (`POST /api/admin/features-batch/export`), and client features (`GET /api/client/features`).
//! Client features leave ids out; then a strategy's id is its place in its flag's list, from `0`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use vexil_client_api::read_features;
use vexil_domain::{
    Environment, EnvironmentName, EnvironmentSnapshot, FeatureFlag, FlagSettings, Project,
    ProjectEnvironment, ProjectId, Snapshot, Stickiness,
};

/// Why a document is no state, for a person.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotUnderstood(String);

/// One environment, as everything that changes can be laid over.
pub(crate) struct GivenState {
    pub(crate) snapshot: Snapshot,
    pub(crate) environment: EnvironmentName,
}

/// Reads a state. What cannot be understood is refused, not guessed.
pub(crate) fn read(
    document: &Value,
    environment: Option<&str>,
    now: OffsetDateTime,
) -> Result<GivenState, NotUnderstood> {
    let (features, named) = if document.get("featureStrategies").is_some() {
        from_export(document, environment)?
    } else {
        let named = document.pointer("/query/environment").and_then(Value::as_str);
        (document.clone(), named.map(str::to_owned))
    };
    let features = read_features(features.to_string().as_bytes()).map_err(|error| {
        NotUnderstood(format!(
            "the state is neither an export nor client features: {error}"
        ))
    })?;
    if !features.problems.is_empty() {
        let lines = features.problems.iter().map(|problem| format!("\n  {problem}"));
        return Err(NotUnderstood(format!(
            "the state cannot be understood:{}",
            lines.collect::<String>()
        )));
    }
    let environment = environment
        .map(str::to_owned)
        .or(named)
        .unwrap_or_else(|| "development".to_owned());
    let environment = EnvironmentName::from(environment);
    Ok(GivenState {
        snapshot: snapshot(&features.snapshot, &environment, now),
        environment,
    })
}

/// An export as client features, and the environment it is of.
fn from_export(document: &Value, wanted: Option<&str>) -> Result<(Value, Option<String>), NotUnderstood> {
    let items = |name: &str| {
        document
            .get(name)
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default()
    };
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
    let settings = by_text(items("featureEnvironments"), "featureName");
    let strategies = by_text(items("featureStrategies"), "featureName");
    let parents = by_text(items("dependencies"), "feature");
    let named = items("featureEnvironments")
        .iter()
        .find_map(|item| text(item, "environment"));
    if let (Some(wanted), Some(named)) = (wanted, &named)
        && wanted != named
    {
        return Err(NotUnderstood(format!(
            "the export is of the environment `{named}`, not of `{wanted}`"
        )));
    }
    let live = items("features")
        .iter()
        .filter(|item| item.get("archived") != Some(&Value::Bool(true)));
    let features: Vec<Value> = live
        .map(|item| {
            let mut feature = item.as_object().cloned().unwrap_or_default();
            let name = text(item, "name").unwrap_or_default();
            let here = of(&settings, &name).first();
            let or = |key: &str, otherwise: Value| {
                here.and_then(|here| here.get(key)).cloned().unwrap_or(otherwise)
            };
            feature.insert("enabled".to_owned(), or("enabled", json!(false)));
            feature.insert("variants".to_owned(), or("variants", json!([])));
            feature.insert("strategies".to_owned(), json!(of(&strategies, &name)));
            let parents = of(&parents, &name)
                .iter()
                .filter_map(|item| item.get("dependencies")?.as_array().cloned());
            feature.insert(
                "dependencies".to_owned(),
                json!(parents.flatten().collect::<Vec<_>>()),
            );
            Value::Object(feature)
        })
        .collect();
    let mut document = Map::new();
    document.insert("features".to_owned(), json!(features));
    document.insert("segments".to_owned(), json!(items_of_segments(items("segments"))));
    Ok((Value::Object(document), named))
}

/// The items of an export by the flag that a member of them names.
fn by_text<'a>(items: &'a [Value], key: &str) -> BTreeMap<&'a str, Vec<&'a Value>> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for item in items {
        if let Some(name) = item.get(key).and_then(Value::as_str) {
            found.entry(name).or_default().push(item);
        }
    }
    found
}

fn of<'a>(items: &'a BTreeMap<&str, Vec<&'a Value>>, name: &str) -> &'a [&'a Value] {
    items.get(name).map(Vec::as_slice).unwrap_or_default()
}

fn items_of_segments(segments: &[Value]) -> Vec<Value> {
    let with_constraints = |segment: &Value| {
        let mut segment = segment.as_object().cloned().unwrap_or_default();
        segment.entry("constraints").or_insert_with(|| json!([]));
        Value::Object(segment)
    };
    segments.iter().map(with_constraints).collect()
}

fn snapshot(features: &EnvironmentSnapshot, environment: &EnvironmentName, now: OffsetDateTime) -> Snapshot {
    let mut snapshot = Snapshot {
        segments: features.segments.clone(),
        ..Snapshot::default()
    };
    let row = Environment {
        name: environment.clone(),
        kind: "production".to_owned(),
        sort_order: 1,
        enabled: true,
        protected: false,
        required_approvals: None,
    };
    snapshot.environments.insert(environment.clone(), Arc::new(row));
    for flag in features.flags.values() {
        let project = flag.project.clone();
        snapshot
            .projects
            .entry(project.clone())
            .or_insert_with(|| Arc::new(self::project(project, environment, now)));
        let mut settings = FlagSettings::clone(&flag.settings);
        if settings
            .strategies
            .iter()
            .all(|strategy| strategy.sort_order == 0)
        {
            for (place, strategy) in (0..).zip(&mut settings.strategies) {
                strategy.sort_order = place;
            }
        }
        let mut row = FeatureFlag::new(flag.name.clone(), flag.project.clone(), now);
        row.kind = flag.kind.clone();
        row.description = flag.description.clone();
        row.stale = flag.stale;
        row.impression_data = flag.impression_data;
        row.dependencies = flag.dependencies.clone();
        row.environments.insert(environment.clone(), Arc::new(settings));
        snapshot.flags.insert(row.name.clone(), Arc::new(row));
    }
    snapshot
}

fn project(id: ProjectId, environment: &EnvironmentName, now: OffsetDateTime) -> Project {
    Project {
        name: id.to_string(),
        id,
        description: None,
        created_at: now,
        default_stickiness: Stickiness::Default,
        environments: BTreeMap::from([(environment.clone(), ProjectEnvironment::default())]),
        left_environments: BTreeMap::new(),
    }
}

impl GivenState {
    /// The state as one side of a comparison.
    pub(crate) fn side(&self) -> (EnvironmentName, EnvironmentSnapshot) {
        let snapshot = self.snapshot.in_environment(&self.environment);
        (self.environment.clone(), snapshot)
    }
}
