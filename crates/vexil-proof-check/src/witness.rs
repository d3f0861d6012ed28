//! Witnesses: that the engine says of one what its box says, and that it is in the box.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_domain::Context;
use vexil_engine::{Ambient, Buckets, CustomResults, Draws};

use crate::atoms::Grid;
use crate::{Decision, On, Region, Witness, cells};

impl Witness {
    /// The value of a field; an empty one is none.
    fn value(&self, field: &str) -> Option<&str> {
        let mut fields = self.context.iter().filter(|(name, _)| name == field);
        let (_, value) = fields.next_back()?;
        Some(value.as_str()).filter(|value| !value.is_empty())
    }
}

impl Grid<'_> {
    /// Whether the engine says on both sides what a region says; custom strategies say what the witness tells.
    pub(crate) fn is_confirmed(&self, region: &Region) -> bool {
        let witness = &region.witness;
        let mut context = Context::default();
        for (field, value) in &witness.context {
            context.set(field, value.as_str());
        }
        let said = self.sides.map(|side| {
            let mut results = CustomResults::default();
            for flag in self.flags_of(side) {
                for (place, strategy) in flag.settings.strategies.iter().enumerate() {
                    let mut says = witness.says.iter();
                    let yes = says.any(|(name, parameters)| {
                        *name == strategy.name && *parameters == strategy.parameters
                    });
                    results = results.with(flag.name.clone(), place, yes);
                }
            }
            let ambient = Ambient {
                host_name: witness.host.as_deref(),
                custom_results: Some(&results),
                ..Ambient::new(
                    witness.now.unwrap_or(OffsetDateTime::UNIX_EPOCH),
                    witness.seed.unwrap_or_default(),
                )
            };
            let choice = side.engine.variant(self.flag, &context, &ambient);
            match (
                side.snapshot.flags.contains_key(self.flag),
                choice.feature_enabled,
                choice.enabled,
            ) {
                (false, ..) => Decision::Absent,
                (_, false, _) => Decision::Off,
                (_, _, false) => Decision::On(None),
                _ => Decision::with(choice.name, choice.payload),
            }
        });
        said == [region.before.clone(), region.after.clone()]
    }

    /// Whether a witness is in a box.
    pub(crate) fn is_in(&self, witness: &Witness, place: &BTreeMap<usize, Vec<usize>>) -> bool {
        place.iter().all(|(dimension, chosen)| {
            let Some(known) = self.proof.dimensions.get(*dimension) else {
                return false;
            };
            match &known.on {
                On::Field(field) => self.is_value_in(*dimension, field, witness, chosen),
                On::Host => {
                    let found = self.facts_on(witness.host.as_deref());
                    let mut chosen = chosen.iter();
                    chosen.any(|atom| {
                        self.facts_at(*dimension, *atom)
                            .is_some_and(|own| self.same(own, &found))
                    })
                }
                On::Custom(name, parameters) => {
                    let mut says = witness.says.iter();
                    let yes = says.any(|(own, given)| own == name && given == parameters);
                    chosen.contains(&usize::from(yes))
                }
                On::Hash {
                    field,
                    group,
                    variants,
                } => {
                    let Some(value) = witness.value(field) else {
                        return true;
                    };
                    if self.stands_alone(field, value) {
                        // its own hash decides, whatever cells the box names
                        return true;
                    }
                    let hashes = match variants {
                        true => Buckets::of_variants(group),
                        false => Buckets::of_rollouts(group),
                    };
                    self.is_in_cell(*dimension, chosen, |_| u64::from(hashes.hash(value)))
                }
                On::Chance { strategy, group } => {
                    let draws = match strategy {
                        Some(strategy) => Draws::of_rollout(strategy, group),
                        None => Draws::of_variants(group),
                    };
                    let seed = witness.seed.unwrap_or_default();
                    self.is_in_cell(*dimension, chosen, |modulus| draws.draw(seed, modulus.max(1)))
                }
            }
        })
    }

    fn is_value_in(&self, dimension: usize, field: &str, witness: &Witness, chosen: &[usize]) -> bool {
        let value = witness.value(field);
        let found = self.facts_of(field, value, witness.now);
        let is_alone = value.is_some_and(|value| self.stands_alone(field, value));
        chosen.iter().any(|atom| {
            let same = self
                .facts_at(dimension, *atom)
                .is_some_and(|own| self.same(own, &found));
            let itself = !is_alone || self.sample(dimension, *atom) == value;
            same && itself && (!self.is_hashed(field) || self.is_alone(dimension, *atom) == is_alone)
        })
    }

    fn is_in_cell(&self, dimension: usize, chosen: &[usize], number: impl Fn(u64) -> u64) -> bool {
        let atoms = chosen.iter().filter_map(|atom| self.atom(dimension, *atom));
        let mut parts = atoms.flat_map(|atom| &atom.ranges);
        parts.any(|part| {
            let first = part.first().map_or(1, |(modulus, ..)| *modulus);
            cells::is_inside(number(first), part)
        })
    }
}
