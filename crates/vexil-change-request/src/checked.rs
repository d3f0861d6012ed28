//! Changes whose content was checked: once, when they were read, and never again.

use std::collections::BTreeSet;
use std::ops::Deref;

use vexil_domain::SegmentId;

use crate::Change;
use crate::validate::{self, Problem};

/// A change, with what is wrong with its content. To lay it over a snapshot takes one, so whoever has one has
/// paid for the checks, and nobody pays again.
///
/// Its content is what can be judged without a snapshot: constraints, parameters, variants, names. What a
/// change needs of the snapshot it is laid over (the flag, the segments, the strategy type) is for
/// [`crate::overlay`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedChange {
    change: Change,
    problems: Vec<Problem>,
}

impl CheckedChange {
    /// Which rules content is checked by. A store keeps it beside a change without problems, which is then
    /// checked again only when the rules are others.
    #[cfg(feature = "serde")]
    pub(crate) const RULES: u32 = 1;

    /// Checks a change. It takes time in the order of its size, so it is for threads that have time.
    #[must_use]
    pub fn new(change: Change) -> Self {
        let problems = problems(&change);
        Self { change, problems }
    }

    /// A change that was checked before and found to be in order.
    #[cfg(feature = "serde")]
    pub(crate) fn known_good(change: Change) -> Self {
        Self {
            change,
            problems: Vec::new(),
        }
    }

    /// What is wrong with its content, by the places of its payload.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The change without the knowledge that it was checked.
    #[must_use]
    pub fn into_change(self) -> Change {
        self.change
    }
}

impl Deref for CheckedChange {
    type Target = Change;

    fn deref(&self) -> &Change {
        &self.change
    }
}

impl From<Change> for CheckedChange {
    fn from(change: Change) -> Self {
        Self::new(change)
    }
}

fn problems(change: &Change) -> Vec<Problem> {
    match change {
        Change::AddStrategy(new) => validate::strategy(
            &new.name,
            &new.parameters,
            &new.constraints,
            &distinct(&new.segments),
            &new.variants,
        ),
        // the type may be that of the strategy as it is
        Change::UpdateStrategy(update) => validate::strategy(
            update.name.as_deref().unwrap_or_default(),
            &update.parameters,
            &update.constraints,
            &distinct(update.segments.as_deref().unwrap_or_default()),
            &update.variants,
        ),
        Change::PatchVariant { variants } => validate::variants("/variants", variants),
        Change::UpdateSegment(update) => validate::segment(&update.name, &update.constraints),
        Change::UpdateEnabled(_)
        | Change::DeleteStrategy { .. }
        | Change::ReorderStrategy(_)
        | Change::ArchiveFeature
        | Change::AddDependency(_)
        | Change::DeleteDependency { .. }
        | Change::DeleteSegment { .. }
        | Change::Unsupported { .. } => Vec::new(),
    }
}

/// The segments, each once, in the order in which they are first named.
pub(crate) fn distinct(segments: &[SegmentId]) -> Vec<SegmentId> {
    let mut seen = BTreeSet::new();
    segments.iter().copied().filter(|id| seen.insert(*id)).collect()
}
