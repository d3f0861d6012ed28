//! Environments as questions find them: as they are, or as changes would make them.

use std::sync::Arc;

use vexil_admin_api::playground::{ConstraintWarning, EntryWriter};
use vexil_change_request::reach;
use vexil_domain::{EnvironmentFlag, EnvironmentName, EnvironmentSnapshot, FlagName, Snapshot};
use vexil_engine::{Engine, Warning};

use super::not_understood::of_engine;
use crate::entry_templates::Templates;
use crate::served_environment::laid_over;
use crate::serving_state::ServingState;

/// An environment, current or proposed.
pub struct EnvironmentView {
    /// Its name.
    pub name: EnvironmentName,
    pub(crate) snapshot: Arc<EnvironmentSnapshot>,
    pub(crate) engine: Engine,
    /// What the engine does not understand of an environment on its own; `None` of one that is served.
    pub(crate) warnings: Option<Arc<[Warning]>>,
    templates: Arc<Templates>,
}

opaque!(EnvironmentView);

impl EnvironmentView {
    /// The environment as it is. One that does not exist has every flag, off; all of those share one engine.
    pub fn current(serving: &ServingState, name: &EnvironmentName) -> Self {
        if let Some(known) = serving.environment(name.as_str()) {
            return Self {
                name: name.clone(),
                snapshot: Arc::clone(&known.snapshot),
                engine: known.engine().clone(),
                warnings: None,
                templates: Arc::clone(&known.templates),
            };
        }
        let (snapshot, engine) = serving.unknown_environment();
        Self {
            name: name.clone(),
            snapshot: Arc::clone(snapshot),
            engine: engine.clone(),
            warnings: None,
            templates: Arc::default(),
        }
    }

    /// An environment on its own.
    #[must_use]
    pub fn new(name: EnvironmentName, snapshot: EnvironmentSnapshot) -> Self {
        let (engine, warnings) = Engine::compile(&snapshot);
        Self {
            name,
            snapshot: Arc::new(snapshot),
            engine,
            warnings: Some(of_engine(warnings).into()),
            templates: Arc::default(),
        }
    }

    /// The environment as `proposed` would make it; only what changes is compiled.
    pub fn proposed(serving: &ServingState, name: &EnvironmentName, proposed: &Snapshot) -> Self {
        let current = Self::current(serving, name);
        let Some(known) = serving.environment(name.as_str()) else {
            return current;
        };
        let update = known.update(&proposed.since(&serving.snapshot));
        let (engine, _) = current.engine.updated(&update);
        Self {
            snapshot: Arc::new(laid_over(&current.snapshot, &update)),
            engine,
            ..current
        }
    }

    /// The other environments in which `proposed` may decide flags differently, as they are and as they would be.
    pub fn elsewhere(serving: &ServingState, name: &EnvironmentName, proposed: &Snapshot) -> Vec<[Self; 2]> {
        let reached = reach(&serving.snapshot, proposed).flags;
        let mut names: Vec<&EnvironmentName> = reached.iter().map(|(_, reached)| reached).collect();
        names.retain(|reached| *reached != name);
        names.sort_unstable();
        names.dedup();
        let names = names.into_iter();
        let both = |name| {
            [
                Self::current(serving, name),
                Self::proposed(serving, name, proposed),
            ]
        };
        names.map(both).collect()
    }

    /// The constraints of a flag that could not be understood here.
    pub(crate) fn unreadable<'v>(
        &'v self,
        flag: &FlagName,
    ) -> impl Iterator<Item = ConstraintWarning> + use<'v> {
        let found = self.snapshot.flags.get(flag).zip(self.engine.flag(flag.as_str()));
        found.into_iter().flat_map(move |(flag, id)| {
            let unreadable = self.engine.unreadable(id);
            unreadable.filter_map(move |(place, problem)| {
                ConstraintWarning::new(self.name.as_str(), flag, &self.snapshot, place, problem)
            })
        })
    }

    /// The template for the entries of a flag that is here.
    pub(crate) fn template(&self, flag: &Arc<EnvironmentFlag>) -> Arc<EntryWriter> {
        self.templates.get(flag, self.name.as_str(), &self.snapshot)
    }
}

#[cfg(test)]
mod tests;
