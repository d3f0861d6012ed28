//! Two sides to compare, and what comes of comparing them.

use std::fmt;

use vexil_budget::Exhausted;
use vexil_domain::{FlagName, ProjectId};
use vexil_engine::Ambient;

#[cfg(doc)]
use crate::ContextMatrix;
use crate::boxes::ContextBox;
use crate::outcome::Judge;
use crate::{Counts, Outcome, Side, Transition};

/// So many boxes of a group are described in a sentence.
const NAMED_BOXES: usize = 4;

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

impl<'a> Comparison<'a> {
    /// A flag on both sides.
    pub(crate) fn judges(&self, flag: &FlagName) -> [Judge<'a>; 2] {
        [self.before, self.after].map(|side| Judge::new(side, flag.as_str(), &self.ambient))
    }
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

/// The combinations in words. Describes a few boxes and counts the rest.
impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.boxes.iter().take(NAMED_BOXES);
        let mut texts: Vec<String> = named.map(ToString::to_string).collect();
        if let Some(more @ 1..) = self.boxes.len().checked_sub(NAMED_BOXES) {
            texts.push(format!("{more} more such sets"));
        }
        f.write_str(&texts.join("; or "))
    }
}
