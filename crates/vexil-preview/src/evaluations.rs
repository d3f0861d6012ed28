//! How many evaluations a comparison may still make, beside the work that they and all else cost.

use vexil_budget::Budget;
use vexil_domain::FlagName;

use crate::DifferenceError;

/// How many evaluations may still be made.
pub(crate) struct Evaluations<'b> {
    limit: u64,
    left: u64,
    /// Pays for everything.
    pub(crate) budget: &'b Budget,
}

impl<'b> Evaluations<'b> {
    pub(crate) fn new(limit: u64, budget: &'b Budget) -> Self {
        Self {
            limit,
            left: limit,
            budget,
        }
    }

    pub(crate) fn spent(&self) -> u64 {
        self.limit - self.left
    }

    /// Spends evaluations of a flag, unless that is more than is left; `fields` are those that it reads, each with the
    /// number of values it tells apart.
    pub(crate) fn spend(
        &mut self,
        flag: &FlagName,
        fields: impl FnOnce() -> Vec<(String, usize)>,
        evaluations: u128,
    ) -> Result<(), DifferenceError> {
        match u64::try_from(evaluations)
            .ok()
            .and_then(|spent| self.left.checked_sub(spent))
        {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(DifferenceError::TooManyEvaluations {
                flag: flag.clone(),
                evaluations,
                left: self.left,
                limit: self.limit,
                fields: fields(),
            }),
        }
    }
}
