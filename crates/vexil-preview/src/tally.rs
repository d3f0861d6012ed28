//! Tallies: cells that change, put together by what they were and what they become.

use vexil_budget::{Budget, Exhausted};

use crate::Outcome;
use crate::outcome::Judged;

/// Cells that change alike.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) before: Outcome,
    pub(crate) after: Outcome,
    /// How many combinations they stand for.
    pub(crate) times: u128,
    /// The number of the class on each axis, cell by cell.
    pub(crate) cells: Vec<Vec<u32>>,
}

/// All tallies, in the order of their first cells.
#[derive(Debug, Default)]
pub(crate) struct Tallies(Vec<Tally>);

impl Tallies {
    pub(crate) fn add(
        &mut self,
        before: Judged<'_>,
        after: Judged<'_>,
        times: u128,
        place: &[u32],
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        budget.spend((self.0.len() + place.len()) as u64)?;
        let known = self
            .0
            .iter_mut()
            .find(|tally| before.is(&tally.before) && after.is(&tally.after));
        match known {
            Some(tally) => {
                tally.times = tally.times.saturating_add(times);
                tally.cells.push(place.to_vec());
            }
            None => self.0.push(Tally {
                before: before.to_outcome(),
                after: after.to_outcome(),
                times,
                cells: vec![place.to_vec()],
            }),
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Vec<Tally> {
        self.0
    }
}
