//! Reading flags with their dependencies and settings.

use std::collections::BTreeMap;
use std::sync::Arc;

use diesel::prelude::*;
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, FlagSettings};

use super::rows::{DependencyRow, FlagEnvironmentRow, FlagRow, StrategyRow};
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::loading::load_rows;

type Settings = BTreeMap<FlagName, BTreeMap<EnvironmentName, FlagSettings>>;

/// Reads the flags with these names, or all.
pub(super) fn load(
    connection: &mut AnyConnection,
    names: Option<&[String]>,
) -> Result<BTreeMap<FlagName, Arc<FeatureFlag>>, DbError> {
    let mut settings = load_settings(connection, names)?;
    let mut all = BTreeMap::new();
    for row in load_rows!(connection, flags::name, FlagRow, names)? {
        let mut flag = row.into_flag()?;
        if let Some(settings) = settings.remove(&flag.name) {
            flag.environments = settings
                .into_iter()
                .map(|(name, it)| (name, Arc::new(it)))
                .collect();
        }
        all.insert(flag.name.clone(), flag);
    }
    let mut rows = load_rows!(connection, flag_dependencies::flag, DependencyRow, names)?;
    rows.sort_unstable_by_key(|row| row.position);
    for row in rows {
        if let Some(flag) = all.get_mut(row.flag.as_str()) {
            flag.dependencies.push(row.into_dependency()?);
        }
    }
    Ok(all
        .into_iter()
        .map(|(name, flag)| (name, Arc::new(flag)))
        .collect())
}

fn load_settings(connection: &mut AnyConnection, flags: Option<&[String]>) -> Result<Settings, DbError> {
    let mut all = Settings::new();
    for row in load_rows!(connection, flag_environments::flag, FlagEnvironmentRow, flags)? {
        let settings = row.settings()?;
        let of_flag = all.entry(row.flag.into()).or_default();
        of_flag.insert(row.environment.into(), settings);
    }
    let mut rows = load_rows!(connection, strategies::flag, StrategyRow, flags)?;
    rows.sort_unstable_by_key(|row| row.position);
    for row in rows {
        let of_flag = all.get_mut(row.flag.as_str());
        if let Some(settings) = of_flag.and_then(|it| it.get_mut(row.environment.as_str())) {
            settings.strategies.push(row.into_strategy()?);
        }
    }
    Ok(all)
}
