//! Contexts suggested from a change: values for which its flags come out in every way they can.
//!
//! For each field that an affected flag reads, before or after, candidates are derived from all that
//! its constraints, segments, lists, rollouts and variants compare the field with: members and
//! others, values at, just below and just above each boundary, and ids for the buckets. Of
//! candidates that the flag cannot tell apart one is kept. So all combinations of what is kept show
//! every outcome that can be told from the candidates.

mod candidates;
mod compared;
mod found;
mod hashed;
mod moments;
mod networks;
mod numbers;
mod patterns;
mod texts;
mod versions;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use vexil_budget::{Budget, Exhausted};
use vexil_domain::FlagName;

use self::found::Candidates;
use crate::classes::effective;
use crate::effect::Witness;
use crate::probe::Probes;
use crate::{Comparison, MatrixField};

/// How much is suggested at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuggestionBounds {
    /// Values of one field for one flag.
    pub values: usize,
    /// Combinations of the values for one flag.
    pub combinations: u64,
}

impl Default for SuggestionBounds {
    fn default() -> Self {
        Self {
            values: 64,
            combinations: 20_000,
        }
    }
}

/// So much work is done to find the witnesses of one flag.
const WITNESS_WORK: u64 = 1_000_000;
/// So many witnesses of each change of a flag are put first.
const WITNESSES: usize = 4;

/// Values that are worth trying.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Suggestion {
    /// Fields, by name, with values; an empty one means that the field is unset.
    pub fields: Vec<MatrixField>,
    /// Fields for which the bounds did not leave room for every kind of value, by name.
    pub incomplete: Vec<String>,
}

impl Comparison<'_> {
    /// Values to try for the fields that `flags` read on either side.
    ///
    /// Where the bounds leave no room, the last kinds of values are left out of the field that has
    /// most, until there is.
    ///
    /// # Errors
    ///
    /// When the budget does not last: each candidate is put to each probe of its field.
    pub fn suggest(
        &self,
        flags: &[FlagName],
        bounds: SuggestionBounds,
        budget: &Budget,
    ) -> Result<Suggestion, Exhausted> {
        let mut merged = Merged::default();
        let mut incomplete = BTreeSet::new();
        for flag in flags {
            let probes = Probes::of(flag, &[self.before.snapshot, self.after.snapshot], budget)?;
            let witnesses = self.witnesses(flag, budget)?;
            let mut fields: Vec<Ranked> = probes
                .fields()
                .map(|(name, _)| self.representatives(name, &probes, &witnesses, budget))
                .collect::<Result<_, _>>()?;
            incomplete.extend(fit(&mut fields, bounds));
            fields.into_iter().for_each(|ranked| merged.add(ranked.field));
        }
        Ok(Suggestion {
            fields: merged.finish(),
            incomplete: incomplete.into_iter().collect(),
        })
    }

    /// Contexts of which it is proven that they change, at the present and with the chance of the comparison.
    fn witnesses(&self, flag: &FlagName, budget: &Budget) -> Result<Vec<Witness>, Exhausted> {
        let most = WITNESS_WORK.min(budget.left() / 8);
        let own = Budget::stopped_by(most, budget.stop().clone());
        let effect = self.flag_effect(flag, Some(self.ambient.now), &own);
        budget.spend(own.spent())?;
        let groups = effect.groups.into_iter();
        let shows = |witness: &Witness| {
            witness.now.is_none_or(|now| now == self.ambient.now)
                && witness.host_name.is_none()
                && witness.strategies.iter().all(|one| !one.says)
                && witness.seed.is_none_or(|seed| seed == self.ambient.seed)
        };
        let witnesses = groups.flat_map(|group| {
            let found = group.boxes.into_iter().filter_map(|one| one.witness);
            found.filter(shows).take(WITNESSES)
        });
        Ok(witnesses.collect())
    }

    /// One candidate of each kind that the probes of a field tell apart. The values of witnesses, or such as
    /// the flag cannot tell from them, have ranks.
    fn representatives(
        &self,
        field: &str,
        probes: &Probes,
        witnesses: &[Witness],
        budget: &Budget,
    ) -> Result<Ranked, Exhausted> {
        let mut found = Candidates::new(budget);
        if let Some(known) = probes.field(field) {
            candidates::of(field, known, &mut found)?;
        }
        let mut values = found.finish();
        probes.pay(field, values.len(), budget)?;
        let signature = |value: &str| {
            let value = effective(field, value, self.environment);
            probes.signature(field, value, &self.ambient)
        };
        let mut seen = HashMap::new();
        values.retain(|value| match seen.entry(signature(value)) {
            Entry::Occupied(_) => false,
            Entry::Vacant(place) => {
                place.insert(value.clone());
                true
            }
        });
        let mut ranks = HashMap::new();
        for (rank, witness) in witnesses.iter().enumerate() {
            let value = witness.context.iter().find(|(name, _)| name == field);
            let value = value.map_or("", |(_, value)| value);
            let known = seen.entry(signature(value)).or_insert_with(|| {
                values.push(value.to_owned());
                value.to_owned()
            });
            ranks.entry(known.clone()).or_insert(rank);
        }
        Ok(Ranked {
            field: MatrixField {
                name: field.to_owned(),
                values,
            },
            ranks,
        })
    }
}

/// A field with the number of the first witness that needs each of its values.
struct Ranked {
    field: MatrixField,
    ranks: HashMap<String, usize>,
}

impl Ranked {
    fn count(&self) -> usize {
        self.field.values.len()
    }
}

/// The fields of several flags, by name, with each value once.
#[derive(Default)]
struct Merged(BTreeMap<String, (Vec<String>, HashSet<String>)>);

impl Merged {
    fn add(&mut self, field: MatrixField) {
        let (values, known) = self.0.entry(field.name).or_default();
        for value in field.values {
            if known.insert(value.clone()) {
                values.push(value);
            }
        }
    }

    fn finish(self) -> Vec<MatrixField> {
        let fields = self.0.into_iter();
        fields
            .map(|(name, (values, _))| MatrixField { name, values })
            .collect()
    }
}

/// Leaves out values until the bounds hold, those of the first witness last; names the fields that lost some.
fn fit(fields: &mut [Ranked], bounds: SuggestionBounds) -> Vec<String> {
    let mut incomplete = Vec::new();
    let most = u128::from(bounds.combinations);
    let too_many = combinations(fields, usize::MAX) > most;
    for Ranked { field, ranks } in fields.iter_mut() {
        if too_many || field.values.len() > bounds.values {
            let rank = |value: &String| ranks.get(value).copied().unwrap_or(usize::MAX);
            field.values.sort_by_key(rank);
        }
        if field.values.len() > bounds.values {
            field.values.truncate(bounds.values);
            incomplete.push(field.name.clone());
        }
    }
    let mut level = fields.iter().map(Ranked::count).max().unwrap_or(0);
    // the longest fields lose their last values together, those that come last first
    while level > 1 && combinations(fields, usize::MAX) > most {
        if combinations(fields, level - 1) > most {
            cut(fields, level - 1, &mut incomplete, |_| true);
        } else {
            cut(fields, level - 1, &mut incomplete, |left| {
                combinations(left, usize::MAX) > most
            });
        }
        level -= 1;
    }
    incomplete
}

/// How many combinations there would be with so many values a field at most.
fn combinations(fields: &[Ranked], level: usize) -> u128 {
    let sizes = fields.iter().map(|ranked| ranked.count().min(level) as u128);
    sizes.fold(1, u128::saturating_mul)
}

/// Cuts fields down to so many values, the last field first, as long as it is wanted.
fn cut(
    fields: &mut [Ranked],
    level: usize,
    incomplete: &mut Vec<String>,
    wanted: impl Fn(&[Ranked]) -> bool,
) {
    for place in (0..fields.len()).rev() {
        if !wanted(fields) {
            return;
        }
        if let Some(ranked) = fields.get_mut(place).filter(|ranked| ranked.count() > level) {
            ranked.field.values.truncate(level);
            incomplete.push(ranked.field.name.clone());
        }
    }
}
