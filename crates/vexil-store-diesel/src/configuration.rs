//! Reading the configuration.

pub(crate) mod rows;

use std::collections::BTreeMap;
use std::sync::Arc;

use diesel::prelude::*;
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, FlagSettings, Project, ProjectId, Snapshot};
use vexil_store::{Counters, Loaded, Revision};

use self::rows::{
    DependencyRow, EnvironmentRow, FlagEnvironmentRow, FlagRow, ProjectEnvironmentRow, ProjectRow,
    SegmentRow, StateRow, StrategyRow, StrategyTypeRow,
};
use crate::connection::AnyConnection;
use crate::error::Failure;
use crate::json;
use crate::schema::{
    environments, flag_dependencies, flag_environments, flags, project_environments, projects, segments,
    store_state, strategies, strategy_types,
};

/// Reads everything.
pub(crate) fn load(connection: &mut AnyConnection) -> Result<Loaded, Failure> {
    let (revision, counters) = state(connection)?;
    let snapshot = Snapshot {
        projects: load_projects(connection)?,
        environments: keyed(
            environments::table
                .select(EnvironmentRow::as_select())
                .load(connection)?,
            |row| row.into_environment(),
            |it| it.name.clone(),
        )?,
        flags: load_flags(connection)?,
        segments: keyed(
            segments::table.select(SegmentRow::as_select()).load(connection)?,
            |row| row.into_segment(),
            |it| it.id,
        )?,
        strategy_types: keyed(
            strategy_types::table
                .select(StrategyTypeRow::as_select())
                .load(connection)?,
            |row| row.into_strategy_type(),
            |it| it.name.clone(),
        )?,
    };
    Ok(Loaded {
        revision,
        counters,
        snapshot,
    })
}

/// Reads which state the store is in.
pub(crate) fn revision(connection: &mut AnyConnection) -> Result<Revision, Failure> {
    Ok(state(connection)?.0)
}

fn state(connection: &mut AnyConnection) -> Result<(Revision, Counters), Failure> {
    let row: StateRow = store_state::table
        .select(StateRow::as_select())
        .first(connection)?;
    let revision = Revision {
        sequence: json::narrow(row.sequence, "a revision")?,
        configuration: json::narrow(row.configuration, "a revision")?,
    };
    Ok((revision, row.counters()))
}

fn keyed<R, K: Ord, V>(
    rows: Vec<R>,
    read: impl Fn(R) -> Result<V, Failure>,
    key_of: impl Fn(&V) -> K,
) -> Result<BTreeMap<K, Arc<V>>, Failure> {
    let values = rows.into_iter().map(read);
    values
        .map(|value| value.map(|value| (key_of(&value), Arc::new(value))))
        .collect()
}

fn load_projects(connection: &mut AnyConnection) -> Result<BTreeMap<ProjectId, Arc<Project>>, Failure> {
    let rows: Vec<ProjectRow> = projects::table.select(ProjectRow::as_select()).load(connection)?;
    let mut all = BTreeMap::new();
    for row in rows {
        let project = row.into_project()?;
        all.insert(project.id.clone(), project);
    }
    let rows: Vec<ProjectEnvironmentRow> = project_environments::table
        .select(ProjectEnvironmentRow::as_select())
        .load(connection)?;
    for row in rows {
        if let Some(project) = all.get_mut(row.project.as_str()) {
            let (name, environment) = row.into_environment()?;
            project.environments.insert(name, environment);
        }
    }
    Ok(all
        .into_iter()
        .map(|(id, project)| (id, Arc::new(project)))
        .collect())
}

type Settings = BTreeMap<FlagName, BTreeMap<EnvironmentName, FlagSettings>>;

fn load_flags(connection: &mut AnyConnection) -> Result<BTreeMap<FlagName, Arc<FeatureFlag>>, Failure> {
    let rows: Vec<FlagRow> = flags::table.select(FlagRow::as_select()).load(connection)?;
    let dependencies: Vec<DependencyRow> = flag_dependencies::table
        .select(DependencyRow::as_select())
        .order((flag_dependencies::flag, flag_dependencies::position))
        .load(connection)?;
    let mut settings = load_settings(connection)?;
    let mut all = BTreeMap::new();
    for row in rows {
        let mut flag = row.into_flag()?;
        if let Some(settings) = settings.remove(&flag.name) {
            flag.environments = settings
                .into_iter()
                .map(|(name, it)| (name, Arc::new(it)))
                .collect();
        }
        all.insert(flag.name.clone(), flag);
    }
    for row in dependencies {
        if let Some(flag) = all.get_mut(row.flag.as_str()) {
            flag.dependencies.push(row.into_dependency()?);
        }
    }
    Ok(all
        .into_iter()
        .map(|(name, flag)| (name, Arc::new(flag)))
        .collect())
}

fn load_settings(connection: &mut AnyConnection) -> Result<Settings, Failure> {
    let rows: Vec<FlagEnvironmentRow> = flag_environments::table
        .select(FlagEnvironmentRow::as_select())
        .load(connection)?;
    let mut all = Settings::new();
    for row in rows {
        let settings = row.settings()?;
        let of_flag = all.entry(row.flag.into()).or_default();
        of_flag.insert(row.environment.into(), settings);
    }
    let rows: Vec<StrategyRow> = strategies::table
        .select(StrategyRow::as_select())
        .order((strategies::flag, strategies::environment, strategies::position))
        .load(connection)?;
    for row in rows {
        let of_flag = all.get_mut(row.flag.as_str());
        if let Some(settings) = of_flag.and_then(|it| it.get_mut(row.environment.as_str())) {
            settings.strategies.push(row.into_strategy()?);
        }
    }
    Ok(all)
}
