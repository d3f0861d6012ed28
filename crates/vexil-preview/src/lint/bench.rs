//! A flag under edits: what each of them would do, proven.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_budget::Budget;
use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot};
use vexil_engine::{Ambient, Engine};

use crate::{Comparison, Outcome, Side};

/// Something could not be decided.
pub(super) struct Open;

/// What an edit of one flag does, for every context.
pub(super) enum Does {
    Nothing,
    /// Some are let in or lose the flag.
    Moves,
    /// Some get another variant, and all who have the flag keep it.
    Varies,
}

/// A flag with its parents and segments, to be edited.
pub(super) struct Bench<'a> {
    snapshot: EnvironmentSnapshot,
    engine: Engine,
    flag: &'a Arc<EnvironmentFlag>,
    now: OffsetDateTime,
    budget: &'a Budget,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        whole: &EnvironmentSnapshot,
        flag: &'a Arc<EnvironmentFlag>,
        now: OffsetDateTime,
        budget: &'a Budget,
    ) -> Self {
        let parents = flag.dependencies.iter();
        let parents = parents.filter_map(|it| whole.flags.get(&it.parent));
        let mut snapshot = EnvironmentSnapshot::default();
        for flag in parents.chain([flag]) {
            for strategy in &flag.settings.strategies {
                for id in &strategy.segments {
                    if let Some(segment) = whole.segments.get(id) {
                        snapshot.segments.insert(*id, Arc::clone(segment));
                    }
                }
            }
            snapshot.flags.insert(flag.name.clone(), Arc::clone(flag));
        }
        let (engine, _) = Engine::compile(&snapshot);
        Self {
            snapshot,
            engine,
            flag,
            now,
            budget,
        }
    }

    /// What an edit of the flag would do.
    pub(super) fn edited(&self, edit: impl FnOnce(&mut EnvironmentFlag)) -> Result<Does, Open> {
        let mut flag = EnvironmentFlag::clone(self.flag);
        edit(&mut flag);
        let mut after = self.snapshot.clone();
        after.flags.insert(flag.name.clone(), Arc::new(flag));
        let (engine, _) = Engine::compile(&after);
        let side = |snapshot, engine| Side { snapshot, engine };
        let comparison = Comparison {
            before: side(&self.snapshot, &self.engine),
            after: side(&after, &engine),
            environment: "",
            ambient: Ambient::new(self.now, 0),
        };
        self.budget.spend(500).map_err(|_spent| Open)?;
        let effect = comparison.flag_effect(&self.flag.name, None, self.budget);
        if !effect.is_complete() {
            return Err(Open);
        }
        let on = |outcome: &Outcome| matches!(outcome, Outcome::On(_));
        let moves = effect
            .groups
            .iter()
            .any(|group| on(&group.before) != on(&group.after));
        Ok(match (effect.groups.is_empty(), moves) {
            (true, _) => Does::Nothing,
            (false, true) => Does::Moves,
            (false, false) => Does::Varies,
        })
    }

    /// Whether an edit of the flag would do nothing.
    pub(super) fn is_without_effect(&self, edit: impl FnOnce(&mut EnvironmentFlag)) -> Result<bool, Open> {
        Ok(matches!(self.edited(edit)?, Does::Nothing))
    }

    /// Whether the flag lets the same people in as after an edit, whatever variants they get.
    pub(super) fn lets_the_same_in(&self, edit: impl FnOnce(&mut EnvironmentFlag)) -> Result<bool, Open> {
        Ok(!matches!(self.edited(edit)?, Does::Moves))
    }
}
