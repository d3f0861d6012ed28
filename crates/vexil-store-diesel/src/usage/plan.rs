//! What is to be folded next, in steps.

use vexil_metrics::{Merge, MergedRow, Packed, Report};

use super::inbox::{InboxState, Numbers};
use crate::error::DbError;

/// About how many rows are folded in a step: a fraction of a second.
const ROWS: usize = 2_000;

/// What is to be folded, added up and cut into steps in the order of flags.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The state it was made for, as far as it matters.
    pub(super) folded: Numbers,
    pub(super) edition: i64,
    /// Up to which number of each writer it goes.
    pub(super) bounds: Numbers,
    /// The last flag that is folded, where some are.
    pub(super) done: Option<String>,
    /// The rest, the next step last.
    steps: Vec<Step>,
}

/// The counts of some flags.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) counts: Packed,
    /// The last of the flags.
    pub(super) last: String,
}

impl Plan {
    /// What is left to do of folding rows of the inbox.
    pub(super) fn new(state: &InboxState, bounds: Numbers, rows: &[Packed]) -> Result<Self, DbError> {
        let done = state.under_way.as_ref().map(|(_, flag)| flag.clone());
        let mut merge = Merge::default();
        for row in rows {
            merge.add(row)?;
        }
        let mut rows = merge.into_rows();
        if let Some(done) = &done {
            rows.retain(|row| row.flag > done.as_str());
        }
        Ok(Self {
            folded: state.folded.clone(),
            edition: state.edition,
            bounds,
            done,
            steps: steps(&rows),
        })
    }

    /// Whether it still is what is to be done next.
    pub(super) fn fits(&self, state: &InboxState) -> bool {
        let under_way = match (&state.under_way, &self.done) {
            (None, None) => true,
            (Some((bounds, flag)), Some(done)) => *bounds == self.bounds && flag == done,
            _ => false,
        };
        under_way
            && state.edition == self.edition
            && self
                .bounds
                .keys()
                .all(|writer| state.folded.get(writer) == self.folded.get(writer))
    }

    /// The next step, and whether it is the last one; none where nothing is left to be added.
    pub(super) fn next(&self) -> (Option<&Step>, bool) {
        (self.steps.last(), self.steps.len() <= 1)
    }

    /// Notes that the next step was made.
    pub(crate) fn advance(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.done = Some(step.last);
        }
    }
}

/// Rows cut into steps, the first one last. All rows of a flag are in one step.
fn steps(rows: &[MergedRow<'_>]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut counts = Packed::default();
    let mut length = 0;
    for of_flag in rows.chunk_by(|a, b| a.flag == b.flag) {
        of_flag.iter().for_each(|row| counts.append(&packed(row)));
        length += of_flag.len();
        if length >= ROWS {
            length = 0;
            steps.push(step(&mut counts, of_flag));
        }
    }
    if let Some(row) = rows.last().filter(|_| !counts.is_empty()) {
        steps.push(step(&mut counts, std::slice::from_ref(row)));
    }
    steps.reverse();
    steps
}

fn step(counts: &mut Packed, of_flag: &[MergedRow<'_>]) -> Step {
    Step {
        counts: std::mem::take(counts),
        last: of_flag.last().map(|row| row.flag.to_owned()).unwrap_or_default(),
    }
}

fn packed(row: &MergedRow<'_>) -> Packed {
    let mut report = Report::new(row.application, row.environment, row.minute, row.minute);
    let variants = row.variants.iter().copied();
    report.counts.push(row.flag, row.yes, row.no, variants);
    report.pack()
}
