//! A flag before and after as lists of rules.
//!
//! A rule is a conjunction: tests of single dimensions that must all hold. The first rule of a list
//! that holds decides. A strategy becomes one rule; one with variants, or whose bucket may come from
//! several fields, becomes several that exclude each other. What single tests say is asked of the
//! engine (`probe`); this is only how they are put together, and each answer is asked of the engine
//! again for a witness.

mod build;
mod dimensions;
mod reuse;
mod variants;

use vexil_domain::{ActivationStrategy, Constraint, Parameters, StrategyId};
use vexil_engine::Probe;

use super::fast::Index;
use crate::Outcome;
use reuse::Made;

/// Something that a decision can depend on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dimension {
    /// The value of a context field.
    Field(String),
    /// The name of the host, for `applicationHostname`.
    Host,
    /// What a custom strategy says in an application that knows it.
    Custom { name: String, parameters: Parameters },
    /// The hash of a field's value together with a group.
    Hash {
        field: String,
        group: String,
        purpose: Purpose,
    },
    /// What is drawn anew for each evaluation: for a strategy's rollout, or for variants of a group.
    Chance {
        strategy: Option<StrategyId>,
        group: String,
    },
}

/// What a hash is for; each purpose has a seed of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    Rollout,
    Variant,
}

/// What is asked of one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Hash)]
pub(crate) enum Test<'a> {
    /// Of a field: whether the constraint holds.
    Constraint(&'a Constraint),
    /// Of a field: whether the strategy `userWithId` with this list holds.
    Users(&'a str),
    /// Of a field: whether the strategy `remoteAddress` with this list holds.
    Addresses(&'a str),
    /// Of the host: whether the strategy `applicationHostname` with this list holds.
    Hosts(&'a str),
    /// Of a field: whether its value is one of these.
    Listed(&'a [String]),
    /// Of a field: whether it has a value.
    Set(bool),
    /// Of a hash: whether its remainder is in a range. Of chance: whether it falls into that part of the whole.
    Remainder(Range),
    /// Of a custom strategy: whether it says yes.
    Says,
}

/// Some of the remainders modulo a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Range {
    pub(crate) modulus: u64,
    pub(crate) from: u64,
    /// The one behind the last.
    pub(crate) to: u64,
}

impl Range {
    /// Whether it is all of the remainders.
    fn is_all(&self) -> bool {
        self.from == 0 && self.to >= self.modulus
    }
}

/// A test of a dimension.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Literal<'a> {
    pub(crate) dimension: usize,
    pub(crate) test: Test<'a>,
    /// Who answers it; `None` for what no engine is asked.
    pub(crate) probe: Option<Probe<'a>>,
}

/// A list of rules: the first that holds gives its value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct List {
    /// Numbers of conjunctions with values. No conjunction twice.
    pub(crate) rules: Vec<(usize, u32)>,
    /// The value where none holds.
    pub(crate) otherwise: u32,
}

impl List {
    /// Appends a rule, unless one that asks the same decides before it.
    fn append(&mut self, (conjunction, value): (usize, u32)) {
        if self.rules.iter().all(|(known, _)| *known != conjunction) {
            self.rules.push((conjunction, value));
        }
    }
}

/// A flag on one side.
#[derive(Debug, Clone, Default)]
pub(crate) struct SideRules {
    /// Values are numbers of outcomes.
    pub(crate) own: List,
    /// Values are 1 where the parent is as needed, else 0; then the flag is `otherwise`.
    pub(crate) parents: Vec<List>,
}

impl SideRules {
    /// How many rules there are, those of parents included.
    pub(crate) fn len(&self) -> usize {
        let parents = self.parents.iter().map(|list| list.rules.len());
        self.own.rules.len() + parents.sum::<usize>()
    }
}

/// Whether the engine does not know the type of a strategy.
pub(crate) fn is_custom(strategy: &ActivationStrategy) -> bool {
    const KNOWN: [&str; 8] = [
        "default",
        "userWithId",
        "remoteAddress",
        "applicationHostname",
        "flexibleRollout",
        "gradualRolloutUserId",
        "gradualRolloutSessionId",
        "gradualRolloutRandom",
    ];
    !KNOWN.contains(&strategy.name.as_str())
}

/// The number of [`Outcome::Off`].
pub(crate) const OFF: u32 = 0;

/// A flag on both sides.
#[derive(Debug, Default)]
pub(crate) struct Rules<'a> {
    pub(crate) dimensions: Vec<Dimension>,
    pub(crate) literals: Vec<Literal<'a>>,
    /// The numbers of the literals of each dimension.
    pub(crate) by_dimension: Vec<Vec<usize>>,
    /// Numbers of literals, ascending.
    pub(crate) conjunctions: Vec<Vec<usize>>,
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) sides: [SideRules; 2],
    known: Known,
    /// Strategies whose rules were made.
    made: Vec<Made<'a>>,
}

/// Finds what is there already.
#[derive(Debug, Default)]
struct Known {
    literals: Index,
    conjunctions: Index,
}

impl Rules<'_> {
    /// Whether users differ in a field, one by one: it is hashed, or an id.
    pub(crate) fn is_of_users(&self, field: &str) -> bool {
        let is_hashed =
            |it: &Dimension| matches!(it, Dimension::Hash { field: hashed, .. } if hashed == field);
        ["userId", "sessionId"].contains(&field) || self.dimensions.iter().any(is_hashed)
    }

    /// The ranges that the tests of a hash or of chance ask for, in their order.
    pub(crate) fn ranges(&self, dimension: usize) -> impl Iterator<Item = Range> {
        let literals = self.by_dimension.get(dimension).into_iter().flatten();
        let tests = literals.filter_map(|number| self.literals.get(*number));
        tests.filter_map(|literal| match literal.test {
            Test::Remainder(range) => Some(range),
            _ => None,
        })
    }
}
