//! Sees to it that a flag that is on has an enabled strategy, once all changes are made.

use vexil_domain::{FlagName, FlagSettings, StrategyId};

use super::rollout::for_everybody;
use super::{Overlay, Problem, settings};
use crate::{Change, DefaultChange, NewStrategy, PlannedChange, ProblemCode, UpdateEnabled};

impl Overlay<'_> {
    pub(super) fn normalise(&mut self, changes: &[PlannedChange]) {
        let mut touched = std::mem::take(&mut self.edited);
        touched.extend(self.switched.keys().cloned());
        for flag in touched {
            match self.switched.get(&flag).copied() {
                Some((at, update)) if update.enabled => {
                    if update.activate_disabled {
                        self.activate_disabled(&flag, update);
                    }
                    if let (false, Some(planned)) = (self.has_a_way_in(&flag), changes.get(at)) {
                        self.add_default_strategy(&flag, at, planned);
                    }
                }
                Some(_) => {}
                None if self.has_a_way_in(&flag) => {}
                None => self.turn_off(&flag),
            }
        }
    }

    fn has_a_way_in(&self, flag: &FlagName) -> bool {
        settings(&self.proposed, self.scope, flag).is_some_and(FlagSettings::has_enabled_strategy)
    }

    /// Turns off a flag that is on and lost its last enabled strategy here.
    fn turn_off(&mut self, flag: &FlagName) {
        let lived = settings(self.base, self.scope, flag)
            .is_some_and(|settings| settings.enabled && settings.has_enabled_strategy());
        let Some(settings) = self
            .settings_mut(flag)
            .filter(|settings| lived && settings.enabled)
        else {
            return;
        };
        settings.enabled = false;
        self.add_default(
            flag,
            Change::UpdateEnabled(UpdateEnabled {
                enabled: false,
                activate_disabled: false,
            }),
        );
    }

    fn activate_disabled(&mut self, flag: &FlagName, update: UpdateEnabled) {
        let Some(settings) = self.settings_mut(flag) else {
            return;
        };
        let mut any = false;
        for strategy in &mut settings.strategies {
            any |= std::mem::take(&mut strategy.disabled);
        }
        if any {
            self.add_default(flag, Change::UpdateEnabled(update));
        }
    }

    fn add_default_strategy(&mut self, flag: &FlagName, at: usize, planned: &PlannedChange) {
        let id = self.free_id(flag, &format!("{}-default", self.new_strategy_id(planned.id)));
        let configured = self
            .proposed
            .projects
            .get(&self.scope.project)
            .and_then(|project| project.environments.get(&self.scope.environment))
            .and_then(|rules| rules.default_strategy.clone());
        let mut strategy = match configured {
            Some(mut configured) => {
                configured.id = id;
                configured.disabled = false;
                configured
            }
            None => for_everybody(id, flag),
        };
        self.complete(flag, &mut strategy);
        let open = strategy.constraints.is_empty() && strategy.segments.is_empty();
        let shown = NewStrategy {
            id: Some(strategy.id.clone()),
            name: strategy.name.clone(),
            title: strategy.title.clone(),
            disabled: Some(false),
            sort_order: None,
            parameters: strategy.parameters.clone(),
            constraints: strategy.constraints.clone(),
            segments: strategy.segments.clone(),
            variants: strategy.variants.clone(),
        };
        self.put_new(flag, strategy, None);
        self.add_default(flag, Change::AddStrategy(shown));
        if open {
            let message = format!(
                "the flag `{flag}` has no enabled strategy, so it gets a default one that looks at no condition"
            );
            self.raise(at, planned, Problem::new(ProblemCode::WidensExposure, message));
        }
    }

    /// The id, with a number behind it where the flag has a strategy of that id.
    fn free_id(&self, flag: &FlagName, id: &str) -> StrategyId {
        let mut free = StrategyId::from(id);
        let mut number = 1_u32;
        let taken = |id: &StrategyId| {
            settings(&self.proposed, self.scope, flag)
                .is_some_and(|settings| settings.strategies.iter().any(|other| other.id == *id))
        };
        while taken(&free) {
            number += 1;
            free = format!("{id}-{number}").into();
        }
        free
    }

    fn add_default(&mut self, flag: &FlagName, change: Change) {
        self.defaults.push(DefaultChange {
            flag: flag.clone(),
            change,
        });
    }
}
