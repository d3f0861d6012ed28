//! Contexts suggested from a change: values for which its flags come out in every way they can.
//!
//! For each field that an affected flag reads, before or after, candidates are derived from all that
//! its constraints, segments, lists, rollouts and variants compare the field with: members and
//! others, values at, just below and just above each boundary, and ids for the buckets. Of
//! candidates that the flag cannot tell apart one is kept. So all combinations of what is kept show
//! every outcome that can be told from the candidates.

mod candidates;
mod hashed;
mod moments;
mod networks;
mod numbers;
mod patterns;
mod texts;
mod versions;

use std::collections::HashSet;

use vexil_domain::FlagName;

use crate::classes::effective;
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
    #[must_use]
    pub fn suggest(&self, flags: &[FlagName], bounds: SuggestionBounds) -> Suggestion {
        let mut suggestion = Suggestion::default();
        for flag in flags {
            let probes = Probes::of(flag.as_str(), &[self.before.snapshot, self.after.snapshot]);
            let mut fields: Vec<MatrixField> = probes
                .fields()
                .map(|(name, _)| self.representatives(name, &probes))
                .collect();
            let incomplete = fit(&mut fields, bounds);
            suggestion.incomplete.extend(incomplete);
            fields.into_iter().for_each(|field| suggestion.add(field));
        }
        suggestion.fields.sort_by(|a, b| a.name.cmp(&b.name));
        suggestion.incomplete.sort_unstable();
        suggestion.incomplete.dedup();
        suggestion
    }

    /// One candidate of each kind that the probes of a field tell apart.
    fn representatives(&self, field: &str, probes: &Probes) -> MatrixField {
        let candidates = probes
            .field(field)
            .map(|known| candidates::of(field, known))
            .unwrap_or_default();
        let mut seen = HashSet::new();
        let mut values = candidates;
        values.retain(|value| {
            let value = effective(field, value, self.environment);
            seen.insert(probes.signature(field, value, &self.ambient))
        });
        MatrixField {
            name: field.to_owned(),
            values,
        }
    }
}

impl Suggestion {
    fn add(&mut self, field: MatrixField) {
        let Some(known) = self.fields.iter_mut().find(|known| known.name == field.name) else {
            return self.fields.push(field);
        };
        for value in field.values {
            if !known.values.contains(&value) {
                known.values.push(value);
            }
        }
    }
}

/// Leaves out values until the bounds hold; names the fields that lost some.
fn fit(fields: &mut [MatrixField], bounds: SuggestionBounds) -> Vec<String> {
    let mut incomplete = Vec::new();
    for field in fields
        .iter_mut()
        .filter(|field| field.values.len() > bounds.values)
    {
        field.values.truncate(bounds.values);
        incomplete.push(field.name.clone());
    }
    loop {
        let sizes = fields.iter().map(|field| field.values.len() as u128);
        if sizes.fold(1, u128::saturating_mul) <= u128::from(bounds.combinations) {
            return incomplete;
        }
        let longest = fields.iter_mut().max_by_key(|field| field.values.len());
        let Some(longest) = longest.filter(|field| field.values.len() > 1) else {
            return incomplete;
        };
        longest.values.pop();
        incomplete.push(longest.name.clone());
    }
}
