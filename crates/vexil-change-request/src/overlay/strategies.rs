//! Changes of activation strategies.

use std::collections::BTreeMap;

use vexil_domain::{ActivationStrategy, FlagName, SegmentId, StrategyId};

use super::rollout::{ROLLOUT, fill_rollout};
use super::{Made, Overlay, Problem, content, refuse, settings};
use crate::checked::distinct;
use crate::{NewStrategy, PlannedChange, ProblemCode, StrategyPlace, StrategyUpdate, validate, weights};

impl Overlay<'_> {
    pub(super) fn add_strategy(
        &mut self,
        flag: &FlagName,
        new: &NewStrategy,
        planned: &PlannedChange,
    ) -> Made {
        let id = match (&new.id, self.scope.request) {
            (Some(id), None) => id.clone(),
            _ => self.new_strategy_id(planned.id),
        };
        let mut strategy = ActivationStrategy {
            id,
            name: new.name.clone(),
            title: new.title.clone(),
            disabled: new.disabled.unwrap_or(false),
            sort_order: 0,
            parameters: new.parameters.clone(),
            constraints: new.constraints.clone(),
            segments: distinct(&new.segments),
            variants: new.variants.clone(),
        };
        self.check_strategy(&strategy, None, content(planned))?;
        self.check_room(flag, &strategy.id)?;
        self.complete(flag, &mut strategy);
        self.put_new(flag, strategy, new.sort_order);
        Ok(())
    }

    fn check_room(&self, flag: &FlagName, id: &StrategyId) -> Made {
        let Some(settings) = settings(&self.proposed, self.scope, flag) else {
            return Ok(());
        };
        if settings.strategies.len() >= validate::STRATEGIES_PER_FLAG {
            let most = validate::STRATEGIES_PER_FLAG;
            let message =
                format!("the flag `{flag}` has {most} strategies here already, the most it may have");
            return refuse(ProblemCode::StrategyLimit, message);
        }
        if settings.strategies.iter().any(|other| other.id == *id) {
            let message = format!("the flag `{flag}` has a strategy `{id}` already");
            return refuse(ProblemCode::StrategyExists, message);
        }
        Ok(())
    }

    /// Adds a strategy at a place, or behind all others.
    pub(super) fn put_new(&mut self, flag: &FlagName, mut strategy: ActivationStrategy, place: Option<i32>) {
        let Some(settings) = self.settings_mut(flag) else {
            return;
        };
        let last = settings.strategies.iter().map(|other| other.sort_order).max();
        let behind = last.map_or(0, |last| last.saturating_add(1));
        strategy.sort_order = place.unwrap_or(behind);
        settings.strategies.push(strategy);
        settings.sort_strategies();
        self.edited.insert(flag.clone());
    }

    pub(super) fn update_strategy(
        &mut self,
        flag: &FlagName,
        update: &StrategyUpdate,
        planned: &PlannedChange,
    ) -> Made {
        let old = self.find(flag, &update.id)?;
        let mut strategy = ActivationStrategy {
            id: old.id.clone(),
            name: update.name.clone().unwrap_or_else(|| old.name.clone()),
            title: update.title.clone().or_else(|| old.title.clone()),
            disabled: update.disabled.unwrap_or(old.disabled),
            sort_order: old.sort_order,
            parameters: update.parameters.clone(),
            constraints: update.constraints.clone(),
            segments: match &update.segments {
                Some(segments) => distinct(segments),
                None => old.segments.clone(),
            },
            variants: update.variants.clone(),
        };
        let mut refused = content(planned);
        if update.name.is_none() {
            let of_type = validate::parameters("/parameters", &strategy.name, &strategy.parameters);
            refused.extend(of_type);
        }
        self.check_strategy(&strategy, Some(old), refused)?;
        let widens = widens(old, &strategy);
        self.complete(flag, &mut strategy);
        if widens {
            let message = format!(
                "the strategy `{}` loses its last condition and no longer looks at who the user is",
                strategy.id
            );
            self.raise(
                self.at,
                planned,
                Problem::new(ProblemCode::WidensExposure, message),
            );
        }
        let found = self
            .settings_mut(flag)
            .and_then(|settings| settings.strategies.iter_mut().find(|other| other.id == update.id));
        if let Some(place) = found {
            *place = strategy;
        }
        self.edited.insert(flag.clone());
        Ok(())
    }

    pub(super) fn remove_strategy(
        &mut self,
        flag: &FlagName,
        id: &StrategyId,
        planned: &PlannedChange,
    ) -> Made {
        if let Err(refused) = self.find(flag, id) {
            let was_there = settings(self.base, self.scope, flag)
                .is_some_and(|settings| settings.strategies.iter().any(|strategy| strategy.id == *id));
            if !was_there {
                return Err(refused);
            }
            let message = format!("an earlier change removes the strategy `{id}` already");
            self.raise(
                self.at,
                planned,
                Problem::new(ProblemCode::DuplicateChange, message),
            );
            return Ok(());
        }
        if let Some(settings) = self.settings_mut(flag) {
            settings.strategies.retain(|strategy| strategy.id != *id);
        }
        self.edited.insert(flag.clone());
        Ok(())
    }

    pub(super) fn reorder(&mut self, flag: &FlagName, places: &[StrategyPlace]) -> Made {
        let mut refused = Vec::new();
        for (at, place) in places.iter().enumerate() {
            if self.find(flag, &place.id).is_err() {
                let message = format!(
                    "the flag `{flag}` has no strategy `{}` in `{}`",
                    place.id, self.scope.environment
                );
                refused.push(Problem::at(
                    format!("/{at}/id"),
                    ProblemCode::PlaceMissing,
                    message,
                ));
            }
        }
        if !refused.is_empty() {
            return Err(refused);
        }
        let orders: BTreeMap<&StrategyId, i32> =
            places.iter().map(|place| (&place.id, place.sort_order)).collect();
        if let Some(settings) = self.settings_mut(flag) {
            for strategy in &mut settings.strategies {
                if let Some(order) = orders.get(&strategy.id) {
                    strategy.sort_order = *order;
                }
            }
            settings.sort_strategies();
        }
        Ok(())
    }

    fn find(&self, flag: &FlagName, id: &StrategyId) -> Result<&ActivationStrategy, Vec<Problem>> {
        let found = settings(&self.proposed, self.scope, flag)
            .and_then(|settings| settings.strategies.iter().find(|strategy| strategy.id == *id));
        if let Some(strategy) = found {
            return Ok(strategy);
        }
        let environment = &self.scope.environment;
        let message = format!("the flag `{flag}` has no strategy `{id}` in `{environment}` (any more)");
        refuse(ProblemCode::StrategyMissing, message)
    }

    /// What a strategy needs of its surroundings, beside what was refused already.
    fn check_strategy(
        &self,
        strategy: &ActivationStrategy,
        old: Option<&ActivationStrategy>,
        mut refused: Vec<Problem>,
    ) -> Made {
        let same_type = old.is_some_and(|old| old.name == strategy.name);
        if !same_type && !self.proposed.strategy_types.contains_key(&strategy.name) {
            let message = format!("there is no strategy type `{}`", strategy.name);
            refused.push(Problem::at("/name", ProblemCode::StrategyTypeUnknown, message));
        }
        refused.extend(validate::unknown_parameter(
            "/parameters",
            &strategy.name,
            &strategy.parameters,
            old.filter(|_| same_type).map(|old| &old.parameters),
        ));
        for (at, id) in strategy.segments.iter().enumerate() {
            let kept = old.is_some_and(|old| old.segments.contains(id));
            if let Err(why) = self.check_segment(*id, at)
                && !kept
            {
                refused.push(why);
            }
        }
        if refused.is_empty() { Ok(()) } else { Err(refused) }
    }

    fn check_segment(&self, id: SegmentId, at: usize) -> Result<(), Problem> {
        let path = format!("/segments/{at}");
        let Some(segment) = self.proposed.segments.get(&id) else {
            let message = format!("there is no segment {id}");
            return Err(Problem::at(path, ProblemCode::SegmentMissing, message));
        };
        match &segment.project {
            Some(owner) if *owner != self.scope.project => {
                let message = format!(
                    "the segment `{}` ({id}) can only be used in project `{owner}`",
                    segment.name
                );
                Err(Problem::at(path, ProblemCode::SegmentForeign, message))
            }
            _ => Ok(()),
        }
    }

    /// Fills in what a strategy leaves to defaults, and settles the weights of its variants.
    pub(super) fn complete(&self, flag: &FlagName, strategy: &mut ActivationStrategy) {
        weights::settle(&mut strategy.variants);
        if strategy.name != ROLLOUT {
            return;
        }
        let project = self.proposed.projects.get(&self.scope.project);
        let stickiness = project.map_or("default", |project| project.default_stickiness.name());
        fill_rollout(flag, stickiness, &mut strategy.parameters);
    }
}

fn widens(old: &ActivationStrategy, new: &ActivationStrategy) -> bool {
    let conditional =
        |strategy: &ActivationStrategy| !(strategy.constraints.is_empty() && strategy.segments.is_empty());
    !new.disabled && conditional(old) && !conditional(new)
}
