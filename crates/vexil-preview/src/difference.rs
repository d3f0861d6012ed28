//! The difference of two sides: which combinations of context values come out differently, and how.
//!
//! Work grows with what flags can tell apart, not with the number of combinations: values of a field
//! that a flag cannot tell apart are decided once, and fields that it does not read only multiply.

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{FlagName, ProjectId};
use vexil_engine::Ambient;

use crate::axes::Axes;
use crate::boxes::ContextBox;
use crate::cost;
use crate::evaluations::Evaluations;
use crate::outcome::{Judge, same};
use crate::probe::Probes;
use crate::tally::Tallies;
use crate::{ContextMatrix, Counts, Outcome, Side, Transition};

/// Two sides to compare, and what surrounds the evaluation of both. Chance is drawn from the same
/// seed on both sides, so it is never taken for a change.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// The environment as it is.
    pub before: Side<'a>,
    /// The environment as it would be.
    pub after: Side<'a>,
    /// Its name, which stands in where a context says none.
    pub environment: &'a str,
    /// Time and chance.
    pub ambient: Ambient<'a>,
}

/// What changes for the combinations of a matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// How many combinations the matrix has, duplicates counted.
    pub combinations: u128,
    /// How many questions were put to the engine.
    pub evaluations: u64,
    /// How often each transition occurs, over all flags compared.
    pub counts: Counts,
    /// The flags compared, in the order given, those without a change included.
    pub flags: Vec<FlagDifference>,
}

/// What changes for one flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagDifference {
    /// The flag.
    pub flag: FlagName,
    /// The project that owns it, where the flag is there on either side.
    pub project: Option<ProjectId>,
    /// The fields of the matrix that it reads on either side.
    pub fields: Vec<String>,
    /// How often each transition occurs.
    pub counts: Counts,
    /// The combinations that change, put together by what they were and what they become.
    pub groups: Vec<Group>,
}

/// Combinations that change alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What the flag was for them.
    pub before: Outcome,
    /// What it becomes.
    pub after: Outcome,
    /// How many there are, duplicates counted.
    pub combinations: u128,
    /// Which they are: exactly those in these boxes, none of them in two.
    pub boxes: Vec<ContextBox>,
    /// One of them.
    pub cell: Cell,
}

impl Group {
    /// What becomes of the flag.
    #[must_use]
    pub fn transition(&self) -> Transition {
        Transition::of(&self.before, &self.after)
    }
}

/// One combination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Its number in the matrix; see [`ContextMatrix::at`].
    pub combination: u128,
    /// The fields of the matrix with their values.
    pub context: Vec<(String, String)>,
}

/// Why a difference was not computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DifferenceError {
    /// The number of combinations is beyond counting.
    #[error("there are more than 2^128 combinations of context values")]
    Uncountable,
    /// There are too many synthetic users.
    #[error("deciding {flags} flags for {size} users takes {evaluations} evaluations, more than {limit}")]
    PopulationTooLarge {
        /// How many users there are.
        size: u32,
        /// How many flags are decided for each.
        flags: usize,
        /// What it would take.
        evaluations: u128,
        /// What it may take.
        limit: u64,
    },
    /// It would take too many evaluations.
    #[error(
        "comparing flag `{flag}` takes {evaluations} evaluations where {left} of {limit} are left; it reads {}",
        sizes(.fields)
    )]
    TooManyEvaluations {
        /// The flag that is too much.
        flag: FlagName,
        /// What it would take; `u128::MAX` stands for that or more.
        evaluations: u128,
        /// What was left for it.
        left: u64,
        /// What all flags together may take.
        limit: u64,
        /// The fields it reads, each with the number of values it tells apart.
        fields: Vec<(String, usize)>,
    },
    /// It would take too much work, or too long, or nobody waits for it any more.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}

fn sizes(fields: &[(String, usize)]) -> String {
    let texts: Vec<String> = fields
        .iter()
        .map(|(field, values)| format!("{values} values of `{field}`"))
        .collect();
    texts.join(" x ")
}

impl Comparison<'_> {
    /// Compares `flags` for all combinations of `matrix`, with at most `limit` evaluations, at the
    /// expense of `budget`.
    ///
    /// Flags that are not named count for nothing, so name all that can differ:
    /// [`affected_flags`](crate::affected_flags) finds them.
    ///
    /// # Errors
    ///
    /// When that would take more than `limit` evaluations, when the budget does not last, or when there
    /// are more combinations than a `u128` can count.
    pub fn difference(
        &self,
        flags: &[FlagName],
        matrix: &ContextMatrix,
        limit: u64,
        budget: &Budget,
    ) -> Result<Difference, DifferenceError> {
        let combinations = matrix.count();
        if combinations == u128::MAX {
            return Err(DifferenceError::Uncountable);
        }
        let mut evaluations = Evaluations::new(limit, budget);
        let mut difference = Difference {
            combinations,
            evaluations: 0,
            counts: Counts::default(),
            flags: Vec::new(),
        };
        for flag in flags {
            let found = self.flag(flag, matrix, &mut evaluations)?;
            difference.counts.add_all(&found.counts);
            difference.flags.push(found);
        }
        difference.evaluations = evaluations.spent();
        Ok(difference)
    }

    fn flag(
        &self,
        flag: &FlagName,
        matrix: &ContextMatrix,
        evaluations: &mut Evaluations<'_>,
    ) -> Result<FlagDifference, DifferenceError> {
        let snapshots = [self.before.snapshot, self.after.snapshot];
        let budget = evaluations.budget;
        let probes = Probes::of(flag, &snapshots, budget)?;
        let axes = Axes::new(self, flag, matrix, &probes, evaluations)?;
        budget.spend(axes.cells().saturating_mul(cost::of(flag, &snapshots)))?;
        let judges = [self.before, self.after].map(|side| Judge::new(side, flag.as_str(), &self.ambient));
        let mut counts = Counts::default();
        let mut tallies = Tallies::default();
        axes.walk(self.environment, |place, context, times| {
            budget.check()?;
            let [before, after] = judges.each_ref().map(|judge| judge.judge(context, &self.ambient));
            if same(before, after) {
                counts.add(Transition::Unchanged, times);
            } else {
                tallies.add(before, after, times, place, budget)?;
            }
            Ok(())
        })?;
        let tallies = tallies.finish().into_iter();
        let groups: Vec<Group> = tallies
            .map(|tally| axes.group(tally, budget))
            .collect::<Result<_, _>>()?;
        for group in &groups {
            counts.add(group.transition(), group.combinations);
        }
        let project = [self.after, self.before]
            .iter()
            .find_map(|side| side.snapshot.flags.get(flag))
            .map(|flag| flag.project.clone());
        Ok(FlagDifference {
            flag: flag.clone(),
            project,
            fields: axes.fields(),
            counts,
            groups,
        })
    }
}
