//! Reading flags with their dependencies and settings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diesel::prelude::*;
use vexil_domain::{ActivationStrategy, FeatureFlag, FlagName, FlagSettings, SettingsByEnvironment};

use super::lots::take_in_lots;
use super::rows::{DependencyRow, FlagEnvironmentRow, FlagRow, StrategyRow};
use crate::connection::AnyConnection;
use crate::error::DbError;
use crate::loading::{each_row, load_rows};

/// Takes each row, in order. While values are made of some, the next are read already, unless they are few.
macro_rules! take_rows {
    ($connection:expr, $table:ident, $order:tt, $row:ty, $keys:expr, $take:expr) => {{
        let mut take = $take;
        match $keys {
            Some(keys) => each_row!($connection, $table, $order, $row, Some(keys), take),
            None => take_in_lots(
                |each| {
                    each_row!($connection, $table, $order, $row, None::<&[String]>, |row| each(
                        row
                    ))
                },
                &mut take,
            ),
        }
    }};
}

type Settings = BTreeMap<FlagName, SettingsByEnvironment>;

/// Reads the flags with these names, or all.
pub(super) fn load(
    connection: &mut AnyConnection,
    names: Option<&[String]>,
) -> Result<BTreeMap<FlagName, Arc<FeatureFlag>>, DbError> {
    let mut settings = load_settings(connection, names)?;
    let mut all = BTreeMap::new();
    let (mut projects, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    take_rows!(connection, flags, (name), FlagRow, names, |row: FlagRow| {
        let mut flag = row.into_flag()?;
        flag.project = shared(&mut projects, flag.project);
        flag.kind = shared(&mut kinds, flag.kind);
        if let Some((name, mut settings)) = settings.remove_entry(&flag.name) {
            flag.name = name;
            settings.shrink_to_fit();
            flag.environments = settings;
        }
        all.insert(flag.name.clone(), flag);
        Ok(())
    })?;
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

/// One copy of each text, however many flags say it.
fn shared<T: Ord + Clone>(known: &mut BTreeSet<T>, text: T) -> T {
    if let Some(known) = known.get(&text) {
        return known.clone();
    }
    known.insert(text.clone());
    text
}

fn load_settings(connection: &mut AnyConnection, flags: Option<&[String]>) -> Result<Settings, DbError> {
    let mut all = Settings::new();
    let mut environments = BTreeSet::new();
    // most flags are off in most environments, without anything else to say
    let off = Arc::new(FlagSettings::default());
    take_rows!(
        connection,
        flag_environments,
        (flag, environment),
        FlagEnvironmentRow,
        flags,
        |row: FlagEnvironmentRow| {
            let settings = row.settings()?;
            let settings = match settings == *off {
                true => Arc::clone(&off),
                false => Arc::new(settings),
            };
            let environment = shared(&mut environments, row.environment.into());
            let of_flag = all.entry(row.flag.into()).or_default();
            of_flag.insert(environment, settings);
            Ok(())
        }
    )?;
    let mut gathered = Gathered::new(all);
    take_rows!(
        connection,
        strategies,
        (flag, environment, position),
        StrategyRow,
        flags,
        |row| gathered.add(row)
    )?;
    Ok(gathered.finish())
}

/// Settings with the strategies of which the rows have come, one list after another.
struct Gathered {
    settings: Settings,
    /// Of which flag and environment the strategies are that came last.
    of: (String, String),
    strategies: Vec<ActivationStrategy>,
}

impl Gathered {
    fn new(settings: Settings) -> Self {
        Self {
            settings,
            of: Default::default(),
            strategies: Vec::new(),
        }
    }

    fn add(&mut self, row: StrategyRow) -> Result<(), DbError> {
        if (row.flag.as_str(), row.environment.as_str()) != (&self.of.0, &self.of.1) {
            self.put_away();
            self.of = (row.flag.clone(), row.environment.clone());
        }
        self.strategies.push(row.into_strategy()?);
        Ok(())
    }

    /// Puts what came last where it belongs, in a list that is no longer than it.
    fn put_away(&mut self) {
        let of_flag = self.settings.get_mut(self.of.0.as_str());
        let own = of_flag.and_then(|it| it.get_mut(self.of.1.as_str()));
        let strategies = self.strategies.drain(..);
        if let Some(settings) = own {
            let own = &mut Arc::make_mut(settings).strategies;
            own.reserve_exact(strategies.len());
            own.extend(strategies);
        }
    }

    fn finish(mut self) -> Settings {
        self.put_away();
        self.settings
    }
}
