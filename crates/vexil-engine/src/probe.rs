//! Single tests of a flag, asked apart from the rest of it, by the very code that decides flags.

use vexil_domain::Context;

use crate::chunk::FlagRef;
use crate::compile::rollout_salt;
use crate::context_lookup::BorrowedContext;
use crate::evaluate::Evaluator;
use crate::flag_table::FlagTable;
use crate::program::{Constraint, Rule};
use crate::values::hash::draw;
use crate::values::murmur::{Prefix, ROLLOUT_SEED, VARIANT_SEED};
use crate::{Ambient, ConditionPlace, Engine, FlagId};

/// A constraint of a flag or of one of its segments, or the rule of a strategy's type.
///
/// Made by [`Engine::probe`] and [`Engine::probe_rule`].
#[derive(Clone, Copy)]
pub struct Probe<'e> {
    table: &'e FlagTable,
    flag: FlagRef<'e>,
    test: Test<'e>,
}

#[derive(Debug, Clone, Copy)]
enum Test<'e> {
    Constraint(&'e Constraint),
    Rule(&'e Rule),
}

impl std::fmt::Debug for Probe<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Probe").field(&self.test).finish()
    }
}

impl Probe<'_> {
    /// Whether it holds; `None` where that cannot be told here.
    #[must_use]
    pub fn holds(&self, context: &Context, ambient: &Ambient<'_>) -> Option<bool> {
        let evaluator = Evaluator {
            table: self.table,
            ambient,
            context: BorrowedContext {
                context,
                fields: &self.table.fields,
            },
        };
        match self.test {
            Test::Constraint(constraint) => Some(evaluator.constraint_alone(constraint)),
            Test::Rule(rule) => evaluator.rule_alone(&self.flag.flag.name, rule),
        }
    }

    /// The percentage of a rollout, 0 to 100; `None` for what is no rollout, or has none that can be read.
    #[must_use]
    pub fn percentage(&self) -> Option<u8> {
        match self.test {
            Test::Rule(Rule::Rollout(rollout)) => Some(rollout.bound),
            _ => None,
        }
    }
}

impl Engine {
    /// A constraint of a flag; `None` where there is none, and for a segment as a whole.
    #[must_use]
    pub fn probe(&self, flag: FlagId, place: ConditionPlace) -> Option<Probe<'_>> {
        let table = self.table();
        let flag = table.flag_by(flag)?;
        let of = |strategy: usize| flag.strategies().get(strategy);
        let constraint = match place {
            ConditionPlace::Constraint { strategy, constraint } => {
                flag.constraints(of(strategy)?).get(constraint)?
            }
            ConditionPlace::SegmentConstraint {
                strategy,
                segment,
                constraint,
            } => {
                let index = flag.segments(of(strategy)?).get(segment)?;
                table.segments.get(*index)?.constraints.get(constraint)?
            }
            ConditionPlace::Segment { .. } => return None,
        };
        Some(Probe {
            table,
            flag,
            test: Test::Constraint(constraint),
        })
    }

    /// The rule of a strategy's type: whom it is for, whatever its constraints and segments say.
    #[must_use]
    pub fn probe_rule(&self, flag: FlagId, strategy: usize) -> Option<Probe<'_>> {
        let table = self.table();
        let flag = table.flag_by(flag)?;
        let strategy = flag.strategies().get(strategy)?;
        Some(Probe {
            table,
            flag,
            test: Test::Rule(&strategy.rule),
        })
    }
}

/// The hash that decides rollouts, or variants, of one group.
#[derive(Debug, Clone, Copy)]
pub struct Buckets(Prefix);

impl Buckets {
    /// That of rollouts.
    #[must_use]
    pub fn of_rollouts(group: &str) -> Self {
        Self(Prefix::of_group(group, ROLLOUT_SEED))
    }

    /// That of variants.
    #[must_use]
    pub fn of_variants(group: &str) -> Self {
        Self(Prefix::of_group(group, VARIANT_SEED))
    }

    /// The hash of a value.
    #[must_use]
    pub fn hash(&self, value: &str) -> u32 {
        self.0.finish(value)
    }
}

/// What chance draws for rollouts of one strategy, or for variants of one group.
#[derive(Debug, Clone, Copy)]
pub struct Draws(u64);

impl Draws {
    /// That of a strategy's rollout.
    #[must_use]
    pub fn of_rollout(strategy: &str, group: &str) -> Self {
        let prefix = Prefix::of_group(group, ROLLOUT_SEED);
        Self(u64::from(rollout_salt(strategy, prefix)))
    }

    /// That of variants.
    #[must_use]
    pub fn of_variants(group: &str) -> Self {
        Self(Prefix::of_group(group, VARIANT_SEED).salt())
    }

    /// A number below `size`, which is not zero, drawn from a seed.
    #[must_use]
    pub fn draw(&self, seed: u64, size: u64) -> u64 {
        draw(seed, self.0, size).saturating_sub(1)
    }
}
