//! The difference of two sides: which combinations of context values come out differently, and how.
//!
//! Work grows with what flags can tell apart, not with the number of combinations: values of a field
//! that a flag cannot tell apart are decided once, and fields that it does not read only multiply.

use vexil_budget::Budget;
use vexil_domain::FlagName;

use crate::axes::Axes;
use crate::cost;
use crate::evaluations::Evaluations;
use crate::findings::{Comparison, Difference, DifferenceError, FlagDifference, Group};
use crate::outcome::same;
use crate::probe::Probes;
use crate::tally::Tallies;
use crate::{ContextMatrix, Counts, Transition};

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
        let judges = self.judges(flag);
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
