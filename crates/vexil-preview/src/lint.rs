//! What never changes anything: flags that are constant, strategies and conditions that decide nothing.
//!
//! Each question is a proof: the flag as it is against the flag with one thing taken away. Where that has no
//! effect on any context, the thing decides nothing.

mod flag;
mod segments;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_budget::Budget;
use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, FlagName, SegmentId};
use vexil_engine::{Ambient, Engine};

use crate::{Comparison, Outcome, Side};

/// What was found in an environment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lint {
    /// What decides nothing, flag by flag; segments last.
    pub findings: Vec<Finding>,
    /// Flags and segments of which not everything could be decided.
    pub undecided: Vec<String>,
}

/// Something that never changes anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub subject: Subject,
    /// What it is.
    pub kind: FindingKind,
    /// Why, for people.
    pub reason: String,
}

/// What a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A flag.
    Flag(FlagName),
    /// A segment, with its name.
    Segment(SegmentId, String),
}

/// What never changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// A flag that is on for every context.
    ConstantOn,
    /// A flag that is off for every context.
    ConstantOff,
    /// A parent because of which a flag is off for every context.
    ParentNeverMet,
    /// A dependency without which nothing would change.
    DependencyDecidesNothing,
    /// A strategy without which nothing would change.
    StrategyDecidesNothing,
    /// A constraint without which nothing would change.
    ConstraintDecidesNothing,
    /// A value of a list without which nothing would change.
    ValueDecidesNothing,
    /// A segment that lets nobody in.
    SegmentAdmitsNobody,
    /// A segment that lets everybody in.
    SegmentAdmitsEverybody,
}

impl FindingKind {
    /// Its name in documents.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ConstantOn => "constantOn",
            Self::ConstantOff => "constantOff",
            Self::ParentNeverMet => "parentNeverMet",
            Self::DependencyDecidesNothing => "dependencyDecidesNothing",
            Self::StrategyDecidesNothing => "strategyDecidesNothing",
            Self::ConstraintDecidesNothing => "constraintDecidesNothing",
            Self::ValueDecidesNothing => "valueDecidesNothing",
            Self::SegmentAdmitsNobody => "segmentAdmitsNobody",
            Self::SegmentAdmitsEverybody => "segmentAdmitsEverybody",
        }
    }
}

/// What never changes anything in an environment: in these flags, and in these segments. What the budget does
/// not last for is named as undecided.
#[must_use]
pub fn lint(
    snapshot: &EnvironmentSnapshot,
    flags: &[FlagName],
    segments: &[SegmentId],
    now: OffsetDateTime,
    budget: &Budget,
) -> Lint {
    let mut lint = Lint::default();
    for name in flags {
        if let Some(flag) = snapshot.flags.get(name) {
            flag::look_at(snapshot, flag, now, budget, &mut lint);
        }
    }
    for id in segments {
        if let Some(segment) = snapshot.segments.get(id) {
            segments::look_at(snapshot, segment, now, budget, &mut lint);
        }
    }
    lint
}

/// Something could not be decided.
struct Open;

/// What an edit of one flag does, for every context.
enum Does {
    Nothing,
    /// Some are let in or lose the flag.
    Moves,
    /// Some get another variant, and all who have the flag keep it.
    Varies,
}

/// A flag with its parents and segments, to be edited.
struct Bench<'a> {
    snapshot: EnvironmentSnapshot,
    engine: Engine,
    flag: &'a Arc<EnvironmentFlag>,
    now: OffsetDateTime,
    budget: &'a Budget,
}

impl<'a> Bench<'a> {
    fn new(
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
    fn edited(&self, edit: impl FnOnce(&mut EnvironmentFlag)) -> Result<Does, Open> {
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
        self.budget.spend(500).map_err(|_| Open)?;
        let effect = comparison.flag_effect(&self.flag.name, &mut [], None, self.budget);
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
    fn is_without_effect(&self, edit: impl FnOnce(&mut EnvironmentFlag)) -> Result<bool, Open> {
        Ok(matches!(self.edited(edit)?, Does::Nothing))
    }

    /// Whether the flag lets the same people in as after an edit, whatever variants they get.
    fn lets_the_same_in(&self, edit: impl FnOnce(&mut EnvironmentFlag)) -> Result<bool, Open> {
        Ok(!matches!(self.edited(edit)?, Does::Moves))
    }
}
