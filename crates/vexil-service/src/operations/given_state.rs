//! A state that somebody gives, instead of one that the server has.
//!
//! Two kinds of documents are read: what Unleash exports of one environment
//! (`POST /api/admin/features-batch/export`), and client features (`GET /api/client/features`).
//! Client features leave ids out; then a strategy's id is its place in its flag's list, from `0`.

mod spelling;

use std::borrow::Cow;
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
pub struct NotUnderstood(String);

/// One environment, as everything that changes can be laid over.
pub struct GivenState {
    /// The state.
    pub snapshot: Snapshot,
    /// Its one environment.
    pub environment: EnvironmentName,
}

opaque!(GivenState);

/// Reads a state. What cannot be understood is refused, not guessed.
pub fn read(
    document: &Value,
    environment: Option<&str>,
    now: OffsetDateTime,
) -> Result<GivenState, NotUnderstood> {
    spelling::check(document).map_err(NotUnderstood)?;
    distinct(document, "features", "name")?;
    distinct(document, "segments", "id")?;
    let (features, named) = if document.get("featureStrategies").is_some() {
        let (features, named) = from_export(document)?;
        (Cow::Owned(features), named)
    } else {
        (Cow::Borrowed(document), named_by_query(document)?)
    };
    if let (Some(wanted), Some(named)) = (environment, named)
        && wanted != named
    {
        return Err(NotUnderstood(format!(
            "the state is of the environment `{named}`, not of `{wanted}`"
        )));
    }
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
    let environment = EnvironmentName::from(environment.or(named).unwrap_or("development"));
    Ok(GivenState {
        snapshot: snapshot(&features.snapshot, &environment, now),
        environment,
    })
}

/// The environment that client features are of, where they say so.
fn named_by_query(document: &Value) -> Result<Option<&str>, NotUnderstood> {
    match document.pointer("/query/environment") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(named)) => Ok(Some(named)),
        Some(other) => Err(NotUnderstood(format!(
            "`query.environment` of the state is {other}, not a name"
        ))),
    }
}

/// An export as client features, and the environment it is of.
fn from_export(document: &Value) -> Result<(Value, Option<&str>), NotUnderstood> {
    let all = items(document, "features")?;
    if document.get("features").is_none() {
        return Err(NotUnderstood("the export has no `features`".to_owned()));
    }
    let flags = by_flag(all, "features", "name", None)?;
    let rows = |name: &str, key: &str| by_flag(items(document, name)?, name, key, Some(&flags));
    let settings = rows("featureEnvironments", "featureName")?;
    let strategies = rows("featureStrategies", "featureName")?;
    let parents = rows("dependencies", "feature")?;
    let named = environment_of(&settings)?;
    let live = all
        .iter()
        .filter(|item| item.get("archived") != Some(&Value::Bool(true)));
    let features = live.map(|item| {
        let mut feature = item.as_object().cloned().unwrap_or_default();
        let name = item.get("name").and_then(Value::as_str).unwrap_or_default();
        let here = of(&settings, name).first();
        let or =
            |key: &str, otherwise: Value| here.and_then(|here| here.get(key)).cloned().unwrap_or(otherwise);
        feature.insert("enabled".to_owned(), or("enabled", json!(false)));
        feature.insert("variants".to_owned(), or("variants", json!([])));
        feature.insert("strategies".to_owned(), json!(of(&strategies, name)));
        let mut all = Vec::new();
        for item in of(&parents, name) {
            all.extend_from_slice(items(item, "dependencies")?);
        }
        feature.insert("dependencies".to_owned(), json!(all));
        Ok(Value::Object(feature))
    });
    let features = features.collect::<Result<Vec<Value>, NotUnderstood>>()?;
    let mut client = Map::new();
    client.insert("features".to_owned(), json!(features));
    let segments = segments_of_export(items(document, "segments")?);
    client.insert("segments".to_owned(), json!(segments));
    Ok((Value::Object(client), named))
}

/// That a list holds objects only, of which no two are named alike: one of them would be passed over.
fn distinct(document: &Value, list: &str, key: &str) -> Result<(), NotUnderstood> {
    let mut known = BTreeMap::new();
    let items = document.get(list).and_then(Value::as_array);
    for (number, item) in items.into_iter().flatten().enumerate() {
        if !item.is_object() {
            return Err(NotUnderstood(format!("`{list}[{number}]` is {item}, no object")));
        }
        let Some(name) = item.get(key) else {
            continue;
        };
        let written = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        if let Some(first) = known.insert(written, number) {
            return Err(NotUnderstood(format!(
                "`{list}[{first}]` and `{list}[{number}]` have the same {key}, {name}"
            )));
        }
    }
    Ok(())
}

/// The items of a list in a document; none where the list is left out.
fn items<'a>(document: &'a Value, name: &str) -> Result<&'a [Value], NotUnderstood> {
    match document.get(name) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(NotUnderstood(format!("`{name}` of the export is no list"))),
    }
}

type ByFlag<'a> = BTreeMap<&'a str, Vec<&'a Value>>;

/// The items of a list by the flag that a member of them names, which must be among the flags of the export.
fn by_flag<'a>(
    items: &'a [Value],
    list: &str,
    key: &str,
    flags: Option<&ByFlag<'_>>,
) -> Result<ByFlag<'a>, NotUnderstood> {
    let mut found = ByFlag::new();
    for (number, item) in items.iter().enumerate() {
        let Some(name) = item.get(key).and_then(Value::as_str) else {
            return Err(NotUnderstood(format!(
                "`{list}[{number}]` names no flag in `{key}`"
            )));
        };
        if flags.is_some_and(|flags| !flags.contains_key(name)) {
            return Err(NotUnderstood(format!(
                "`{list}[{number}]` is of the flag `{name}`, which is not among the `features` of the export"
            )));
        }
        found.entry(name).or_default().push(item);
    }
    Ok(found)
}

/// The environment that all settings of an export are of; an export is of one.
fn environment_of<'a>(settings: &ByFlag<'a>) -> Result<Option<&'a str>, NotUnderstood> {
    let mut first = None;
    for (flag, items) in settings {
        for item in items {
            let named = match item.get("environment") {
                None | Some(Value::Null) => continue,
                Some(Value::String(named)) => named.as_str(),
                Some(other) => {
                    return Err(NotUnderstood(format!(
                        "the `environment` of the settings of `{flag}` is {other}, not a name"
                    )));
                }
            };
            let known = *first.get_or_insert(named);
            if known != named {
                return Err(NotUnderstood(format!(
                    "the export is of several environments, `{known}` and `{named}`: export one"
                )));
            }
        }
        if items.len() > 1 {
            return Err(NotUnderstood(format!(
                "the export has the settings of `{flag}` more than once"
            )));
        }
    }
    Ok(first)
}

fn of<'a>(items: &'a ByFlag<'_>, name: &str) -> &'a [&'a Value] {
    items.get(name).map(Vec::as_slice).unwrap_or_default()
}

/// Those that do not say what they hold, which no strategy uses.
fn segments_of_export(segments: &[Value]) -> Vec<Value> {
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
    #[must_use]
    pub fn side(&self) -> (EnvironmentName, EnvironmentSnapshot) {
        let snapshot = self.snapshot.in_environment(&self.environment);
        (self.environment.clone(), snapshot)
    }
}
