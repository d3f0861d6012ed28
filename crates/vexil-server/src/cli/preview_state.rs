//! The state that `vexil preview` starts from, without a server.
//!
//! Two kinds of files are read: what Unleash exports of one environment
//! (`POST /api/admin/features-batch/export`), and client features (`GET /api/client/features`).
//! Client features leave ids out; then a strategy's id is its place in its flag's list, from `0`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use vexil_admin_api::change_requests::Proposal;
use vexil_change_request::{ChangeId, PlannedChange, Scope, overlay};
use vexil_client_api::read_features;
use vexil_domain::{
    Environment, EnvironmentName, EnvironmentSnapshot, FeatureFlag, FlagSettings, Project,
    ProjectEnvironment, ProjectId, Snapshot, Stickiness, StrategyType,
};
use vexil_engine::Engine;

use super::error::CommandError;
use crate::operations::diff::BeforeAfter;
use crate::operations::environment_view::EnvironmentView;
use crate::system::system;

/// One environment, as everything that changes can be laid over.
pub(super) struct State {
    snapshot: Snapshot,
    environment: EnvironmentName,
}

/// Reads a state. What cannot be understood is refused, not guessed.
pub(super) fn read(
    document: &Value,
    environment: Option<&str>,
    now: OffsetDateTime,
) -> Result<State, CommandError> {
    let (features, named) = if document.get("featureStrategies").is_some() {
        from_export(document, environment)?
    } else {
        let named = document.pointer("/query/environment").and_then(Value::as_str);
        (document.clone(), named.map(str::to_owned))
    };
    let features = read_features(features.to_string().as_bytes()).map_err(|error| {
        CommandError(format!(
            "the state is neither an export nor client features: {error}"
        ))
    })?;
    if !features.problems.is_empty() {
        let lines = features.problems.iter().map(|problem| format!("\n  {problem}"));
        return Err(CommandError(format!(
            "the state cannot be understood:{}",
            lines.collect::<String>()
        )));
    }
    let environment = environment
        .map(str::to_owned)
        .or(named)
        .unwrap_or_else(|| "development".to_owned());
    let environment = EnvironmentName::from(environment);
    Ok(State {
        snapshot: snapshot(&features.snapshot, &environment, now),
        environment,
    })
}

/// An export as client features, and the environment it is of.
fn from_export(document: &Value, wanted: Option<&str>) -> Result<(Value, Option<String>), CommandError> {
    let items = |name: &str| {
        document
            .get(name)
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default()
    };
    let text = |item: &Value, key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
    let of = |name: &str, feature: &str, key: &str| -> Vec<Value> {
        let mine = items(name)
            .iter()
            .filter(|item| text(item, key).as_deref() == Some(feature));
        mine.cloned().collect()
    };
    let named = items("featureEnvironments")
        .iter()
        .find_map(|item| text(item, "environment"));
    if let (Some(wanted), Some(named)) = (wanted, &named)
        && wanted != named
    {
        return Err(CommandError(format!(
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
            let here = of("featureEnvironments", &name, "featureName")
                .into_iter()
                .next()
                .unwrap_or_default();
            let or = |key: &str, otherwise: Value| here.get(key).cloned().unwrap_or(otherwise);
            feature.insert("enabled".to_owned(), or("enabled", json!(false)));
            feature.insert("variants".to_owned(), or("variants", json!([])));
            feature.insert(
                "strategies".to_owned(),
                json!(of("featureStrategies", &name, "featureName")),
            );
            let parents = of("dependencies", &name, "feature");
            let parents = parents
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

/// A strategy type that only has a name: a file does not say which types there are.
fn strategy_type(name: &str) -> StrategyType {
    StrategyType {
        name: name.to_owned(),
        display_name: None,
        description: String::new(),
        built_in: false,
        deprecated: false,
        parameters: Vec::new(),
    }
}

impl State {
    /// The state as one side of a comparison.
    pub(super) fn side(&self) -> (EnvironmentName, EnvironmentSnapshot) {
        let snapshot = self.snapshot.in_environment(&self.environment);
        (self.environment.clone(), snapshot)
    }

    /// Both sides of some changes, given as `[{feature, action, payload}]`.
    pub(super) fn with_changes(
        mut self,
        changes: &Value,
        now: OffsetDateTime,
    ) -> Result<BeforeAfter, CommandError> {
        let proposals = Proposal::one_or_many(changes).map_err(|problems| {
            let lines = problems.iter().map(|problem| format!("\n  {}", problem.message));
            CommandError(format!(
                "the changes cannot be understood:{}",
                lines.collect::<String>()
            ))
        })?;
        for name in strategy_names(&proposals) {
            let kind = Arc::new(strategy_type(&name));
            self.snapshot.strategy_types.entry(name).or_insert(kind);
        }
        let flag = proposals
            .iter()
            .find_map(|proposal| self.snapshot.flags.get(proposal.flag.as_ref()?));
        let project = flag.map_or_else(|| ProjectId::from("default"), |flag| flag.project.clone());
        let planned: Vec<PlannedChange> = (1..)
            .zip(proposals)
            .map(|(id, proposal)| PlannedChange {
                id: ChangeId(id),
                flag: proposal.flag,
                change: proposal.change,
                before: None,
                created_by: system(),
                created_at: now,
            })
            .collect();
        let scope = Scope {
            project: project.clone(),
            environment: self.environment.clone(),
            request: None,
            now,
        };
        let outcome = overlay(&self.snapshot, &scope, &planned);
        let blocks: Vec<String> = outcome.blocks().map(|problem| format!("\n  {problem}")).collect();
        if !blocks.is_empty() {
            return Err(CommandError(format!(
                "the changes cannot be applied:{}",
                blocks.concat()
            )));
        }
        let stage = |snapshot: &Snapshot| {
            let snapshot = snapshot.in_environment(&self.environment);
            let (engine, _) = Engine::compile(&snapshot);
            EnvironmentView::new(self.environment.clone(), snapshot, engine)
        };
        Ok(BeforeAfter {
            before: stage(&self.snapshot),
            after: stage(&outcome.proposed),
            project,
        })
    }
}

/// The types of the strategies that changes speak of.
fn strategy_names(proposals: &[Proposal]) -> Vec<String> {
    use vexil_change_request::Change::{AddStrategy, UpdateStrategy};
    let name = |proposal: &Proposal| match &*proposal.change {
        AddStrategy(new) => Some(new.name.clone()),
        UpdateStrategy(update) => update.name.clone(),
        _ => None,
    };
    proposals.iter().filter_map(name).collect()
}
