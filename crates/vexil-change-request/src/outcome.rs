//! What comes of laying changes over a snapshot.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName, ProjectId, Snapshot};

use crate::{Change, ChangeId, ChangeProblem, ChangeRequestId, ProblemCode, ProblemLevel, Target};

/// Where changes apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The project whose flags and segments are changed.
    pub project: ProjectId,
    /// The environment in which they are changed.
    pub environment: EnvironmentName,
    /// The change request that the changes belong to; ids of added strategies follow from it.
    pub request: Option<ChangeRequestId>,
    /// The time at which flags are archived.
    pub now: OffsetDateTime,
}

/// A snapshot with changes laid over it, and what was found on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The snapshot as proposed. Only what the changes touch is copied. Where a problem blocks, the
    /// change it names is left out.
    pub proposed: Snapshot,
    /// Changes that nobody asked for, made so that a flag that is on has an enabled strategy.
    pub defaults: Vec<DefaultChange>,
    /// What stands against the changes, or should be known of them, in the order of the changes.
    pub problems: Vec<ChangeProblem>,
}

/// A change of a flag that follows from the changes asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultChange {
    /// The flag.
    pub flag: FlagName,
    /// [`Change::AddStrategy`] or [`Change::UpdateEnabled`].
    pub change: Change,
}

impl Outcome {
    /// The problems for which the changes cannot be applied. Without one they can.
    pub fn blocks(&self) -> impl Iterator<Item = &ChangeProblem> {
        self.problems_of(ProblemLevel::Blocks)
    }

    /// The problems that tell of edits made since the changes were proposed, which the changes would overwrite.
    pub fn stale(&self) -> impl Iterator<Item = &ChangeProblem> {
        self.problems_of(ProblemLevel::Stale)
    }

    /// Everything else that reviewers should know.
    pub fn notes(&self) -> impl Iterator<Item = &ChangeProblem> {
        self.problems_of(ProblemLevel::Note)
    }

    /// Why flags cannot be changed at all, where the flag itself is the reason: gone, archived, or another
    /// project's.
    #[must_use]
    pub fn conflicts_of_flags(&self) -> BTreeMap<&FlagName, &str> {
        use ProblemCode::{FlagArchived, FlagMissing, FlagMoved};
        let mut conflicts = BTreeMap::new();
        for problem in self.blocks() {
            if let (Target::Flag(name), FlagMissing | FlagArchived | FlagMoved) =
                (&problem.target, problem.code)
            {
                conflicts.entry(name).or_insert(problem.message.as_str());
            }
        }
        conflicts
    }

    /// The changes that cannot be applied, each with all reasons in one sentence.
    #[must_use]
    pub fn conflicts(&self) -> BTreeMap<ChangeId, String> {
        let mut conflicts: BTreeMap<ChangeId, String> = BTreeMap::new();
        for problem in self.blocks() {
            let reasons = conflicts.entry(problem.change).or_default();
            if !reasons.is_empty() {
                reasons.push_str("; ");
            }
            reasons.push_str(&problem.message);
        }
        conflicts
    }

    /// Why the changes must not be made without somebody looking on: one cannot be made, or would overwrite a
    /// newer edit. `None` when nothing stands against them. Of many reasons the first ten are told.
    #[must_use]
    pub fn suspension(&self) -> Option<String> {
        self.reasons(&[ProblemLevel::Blocks, ProblemLevel::Stale])
    }

    /// Why the changes cannot be made at all. `None` when they can. Of many reasons the first ten are told.
    #[must_use]
    pub fn obstacle(&self) -> Option<String> {
        self.reasons(&[ProblemLevel::Blocks])
    }

    fn reasons(&self, levels: &[ProblemLevel]) -> Option<String> {
        const TOLD: usize = 10;
        let grave = |problem: &&ChangeProblem| levels.contains(&problem.level());
        let count = self.problems.iter().filter(grave).count();
        let mut reasons: Vec<String> = self
            .problems
            .iter()
            .filter(grave)
            .take(TOLD)
            .map(ToString::to_string)
            .collect();
        if count > TOLD {
            reasons.push(format!("and {} more", count - TOLD));
        }
        (count > 0).then(|| reasons.join("; "))
    }

    fn problems_of(&self, level: ProblemLevel) -> impl Iterator<Item = &ChangeProblem> {
        self.problems
            .iter()
            .filter(move |problem| problem.level() == level)
    }
}
