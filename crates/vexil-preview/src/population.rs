//! Populations: the share of synthetic users whom a change hits.
//!
//! The model, field by field, each independent of the others:
//!
//! * A field that the caller gave values for has one of these, all equally likely; a value given
//!   twice is twice as likely.
//! * A field that is hashed into buckets holds an id that no other user has; one user in
//!   ten has one of the values suggested for it instead.
//! * Any other field has one of the values suggested for it, all equally likely: for each kind of
//!   value that the flags tell apart one, unset among them.
//!
//! It says how a change spreads over the kinds of users that the configuration knows. It is no
//! forecast unless the caller gives values as frequent as they are in reality.

use std::collections::HashSet;

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{Context, FlagName};
use vexil_engine::Ambient;

use crate::classes::effective;
use crate::cost;
use crate::outcome::{Judge, same};
use crate::probe::Probes;
use crate::{Comparison, ContextMatrix, Counts, DifferenceError, Suggestion, Transition};

/// One user in so many has a known value in a field that is hashed.
const ONE_IN: u64 = 10;

/// Synthetic users to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Population {
    /// How many.
    pub size: u32,
    /// What they are drawn from: equal seeds give equal users.
    pub seed: u64,
}

/// What a change makes of a population.
#[derive(Debug, Clone, PartialEq)]
pub struct Impact {
    /// How many users were drawn.
    pub users: u32,
    /// How many of them are hit: at least one flag comes out differently.
    pub hit: u32,
    /// Flag by flag, in the order given, how often each transition occurs.
    pub flags: Vec<(FlagName, Counts)>,
}

impl Impact {
    /// The share of users that are hit; 0 of nobody.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.users == 0 {
            0.0
        } else {
            f64::from(self.hit) / f64::from(self.users)
        }
    }

    /// Where the share lies with 95 % confidence: the Wilson score interval
    /// (<https://doi.org/10.1080/01621459.1927.10502953>).
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.hit, self.users)
    }
}

/// The Wilson score interval of `hits` in `trials` at 95 %; everything, of no trials.
fn wilson(hits: u32, trials: u32) -> (f64, f64) {
    /// The quantile of the normal distribution that leaves 2.5 % above it.
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (f64::from(trials), f64::from(hits) / f64::from(trials));
    let scale = 1.0 + Z * Z / n;
    let middle = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let low = if hits == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if hits == trials {
        1.0
    } else {
        (middle + half).min(1.0)
    };
    (low, high)
}

/// How a field gets its value.
enum Source<'a> {
    /// One of these.
    Given(&'a [String]),
    /// An id of the user's own, sometimes one of these.
    Id(&'a [String]),
}

impl Comparison<'_> {
    /// Draws a population and decides `flags` for each user on both sides, at the expense of `budget`.
    /// `given` holds the values that the caller wants drawn, `suggestion` those for all other fields.
    ///
    /// # Errors
    ///
    /// When that would take more than `limit` evaluations, or the budget does not last.
    pub fn impact(
        &self,
        flags: &[FlagName],
        population: Population,
        given: &ContextMatrix,
        suggestion: &Suggestion,
        limit: u64,
        budget: &Budget,
    ) -> Result<Impact, DifferenceError> {
        let evaluations = u128::from(population.size) * 2 * flags.len() as u128;
        if evaluations > u128::from(limit) {
            let size = population.size;
            return Err(DifferenceError::PopulationTooLarge {
                size,
                flags: flags.len(),
                evaluations,
                limit,
            });
        }
        let snapshots = [self.before.snapshot, self.after.snapshot];
        let sources = self.sources(flags, given, suggestion, budget)?;
        let decided: u64 = flags.iter().map(|flag| cost::of(flag, &snapshots)).sum();
        // to tell once for each flag what it is made of, then for each user
        budget.spend(decided)?;
        let each = decided.saturating_add(sources.len() as u64);
        budget.spend(each.saturating_mul(u64::from(population.size)))?;
        let judges: Vec<[Judge<'_>; 2]> = flags.iter().map(|flag| self.judges(flag)).collect();
        let mut counts = vec![Counts::default(); flags.len()];
        let mut random = Random(population.seed);
        let mut hit = 0;
        for user in 0..population.size {
            budget.check()?;
            let context = self.user(user, &sources, &mut random);
            let ambient = Ambient {
                seed: random.next(),
                ..self.ambient
            };
            let mut changed = false;
            for (judges, counts) in judges.iter().zip(&mut counts) {
                let [before, after] = judges.each_ref().map(|judge| judge.judge(&context, &ambient));
                let transition = if same(before, after) {
                    Transition::Unchanged
                } else {
                    changed = true;
                    Transition::of(&before.to_outcome(), &after.to_outcome())
                };
                counts.add(transition, 1);
            }
            hit += u32::from(changed);
        }
        let flags = flags.iter().cloned().zip(counts).collect();
        Ok(Impact {
            users: population.size,
            hit,
            flags,
        })
    }

    fn sources<'a>(
        &self,
        flags: &[FlagName],
        given: &'a ContextMatrix,
        suggestion: &'a Suggestion,
        budget: &Budget,
    ) -> Result<Vec<(&'a str, Source<'a>)>, Exhausted> {
        let given_fields = given.fields().iter();
        let mut sources: Vec<(&str, Source<'_>)> = given_fields
            .map(|field| (field.name.as_str(), Source::Given(&field.values)))
            .collect();
        let mut hashed = HashSet::new();
        for flag in flags {
            let probes = Probes::of(flag, &[self.before.snapshot, self.after.snapshot], budget)?;
            let fields = probes.fields().filter(|(_, field)| field.is_hashed);
            hashed.extend(fields.map(|(name, _)| name.to_owned()));
        }
        for field in suggestion
            .fields
            .iter()
            .filter(|field| !given.contains(&field.name))
        {
            let values = field.values.as_slice();
            let source = if hashed.contains(&field.name) {
                Source::Id(values)
            } else {
                Source::Given(values)
            };
            sources.push((&field.name, source));
        }
        Ok(sources)
    }

    fn user(&self, number: u32, sources: &[(&str, Source<'_>)], random: &mut Random) -> Context {
        let mut context = Context {
            environment: Some(self.environment.to_owned()),
            ..Context::default()
        };
        for (field, source) in sources {
            let value = match source {
                Source::Given(values) => random.one_of(values).to_owned(),
                Source::Id(values) if random.next().is_multiple_of(ONE_IN) => {
                    random.one_of(values).to_owned()
                }
                Source::Id(_) => format!("{field}-{number}-{:x}", random.next()),
            };
            context.set(field, effective(field, &value, self.environment));
        }
        context
    }
}

/// A sequence of well-mixed numbers: SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn one_of<'v>(&mut self, values: &'v [String]) -> &'v str {
        let place = (u128::from(self.next()) * values.len() as u128) >> 64;
        values.get(place as usize).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_literature() {
        // 10 of 100: Newcombe 1998, table I, method 3 rounds to 0.0552 and 0.1744
        let (low, high) = wilson(10, 100);
        assert!(
            (low - 0.0552).abs() < 5e-5 && (high - 0.1744).abs() < 5e-5,
            "{low} {high}"
        );
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(wilson(0, 10).0, 0.0);
        assert_eq!(wilson(10, 10).1, 1.0);
    }
}
