//! Rules of variants.

use vexil_domain::{ActivationStrategy, EnvironmentFlag, Stickiness, Variant};

use super::build::{Tests, group};
use super::{List, Purpose, Range, Rules, Test};
use crate::Outcome;
use crate::outcome::ChosenVariant;

/// A hash has so many values.
const HASHES: u64 = 1 << 32;

impl<'a> Rules<'a> {
    /// Appends the rules that pick a variant where one of `cases` holds: the strategy's own variants,
    /// where they give none the flag's, else none.
    pub(super) fn picks(
        &mut self,
        list: &mut List,
        cases: &[Tests],
        flag: &'a EnvironmentFlag,
        strategy: Option<&'a ActivationStrategy>,
    ) {
        let own = strategy.map(|strategy| {
            let inherited = strategy.parameters.get("stickiness");
            let inherited = inherited.map(|name| Stickiness::from_name(name));
            (strategy.variants.as_slice(), group(flag, strategy), inherited)
        });
        let shared = (flag.settings.variants.as_slice(), flag.name.as_str(), None);
        for (variants, group, inherited) in own.into_iter().chain([shared]) {
            if self.pick(list, cases, variants, group, inherited) {
                return;
            }
        }
        self.all_on(list, cases);
    }

    /// Appends the rules of one set of variants. Says whether it always gives one.
    fn pick(
        &mut self,
        list: &mut List,
        cases: &[Tests],
        variants: &'a [Variant],
        group: &str,
        inherited: Option<Stickiness>,
    ) -> bool {
        let Some(first) = variants.first() else {
            return false;
        };
        for variant in variants {
            for one in &variant.overrides {
                let field = self.field(&one.context_name);
                let listed = [self.literal(field, Test::Listed(&one.values))];
                self.append(list, cases, &listed, variant);
            }
        }
        let total: u64 = variants.iter().map(|variant| u64::from(variant.weight)).sum();
        if total == 0 {
            return false;
        }
        let mut weighted = variants.iter().filter(|variant| variant.weight > 0);
        if let (Some(only), None) = (weighted.next(), weighted.next()) {
            self.append(list, cases, &[], only);
            return true;
        }
        let stickiness = inherited.or_else(|| first.stickiness.clone()).unwrap_or_default();
        for (who, tests) in self.sources(&stickiness, Purpose::Variant) {
            // A sum of weights that needs more bits than the hash leaves the hash as it is.
            let modulus = match who {
                Some(_) if total >= HASHES => HASHES,
                _ => total,
            };
            let mut from = 0;
            for variant in variants {
                let to = from + u64::from(variant.weight);
                if from < to && from < modulus {
                    let mut tests = tests.clone();
                    let to = to.min(modulus);
                    let range = Range { modulus, from, to };
                    if !range.is_all() {
                        let dimension = self.drawn(who, group, Purpose::Variant, None);
                        tests.push(self.literal(dimension, Test::Remainder(range)));
                    }
                    self.append(list, cases, &tests, variant);
                }
                from = to;
            }
        }
        true
    }

    fn append(&mut self, list: &mut List, cases: &[Tests], tests: &[usize], variant: &Variant) {
        for case in cases {
            let mut all = case.clone();
            if self.join(&mut all, tests) {
                let value = self.outcome_like(|known| is_of(known, variant), || on_with(variant));
                self.rule(list, all, value);
            }
        }
    }
}

fn on_with(variant: &Variant) -> Outcome {
    Outcome::On(Some(ChosenVariant {
        name: variant.name.clone(),
        payload: variant.payload.clone(),
    }))
}

/// Whether an outcome is that a flag is on with a variant.
fn is_of(outcome: &Outcome, variant: &Variant) -> bool {
    matches!(outcome, Outcome::On(Some(chosen)) if chosen.name == variant.name && chosen.payload == variant.payload)
}
