//! What never changes anything: flags that are constant, strategies and conditions that decide nothing.
//!
//! Each question is a proof: the flag as it is against the flag with one thing taken away. Where that has no
//! effect on any context, the thing decides nothing.

mod bench;
mod finding;
mod flag;
mod segments;
#[cfg(test)]
mod tests;

use time::OffsetDateTime;
use vexil_budget::Budget;
use vexil_domain::{EnvironmentSnapshot, FlagName, SegmentId};

pub use finding::{Finding, FindingKind, Lint, Subject};

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
