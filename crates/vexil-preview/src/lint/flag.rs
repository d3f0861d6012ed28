//! What never changes anything in one flag.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, EnvironmentFlag, EnvironmentSnapshot, FlagSettings};

use super::bench::{Bench, Open};
use super::finding::{Finding, FindingKind, Lint, Subject};
use crate::quoting::{coded, quoted};

/// Values of longer lists are not tried one by one.
const MOST_VALUES: usize = 64;

/// Adds what is found in a flag.
pub(super) fn look_at(
    snapshot: &EnvironmentSnapshot,
    flag: &Arc<EnvironmentFlag>,
    now: OffsetDateTime,
    budget: &Budget,
    lint: &mut Lint,
) {
    let mut look = Look {
        bench: Bench::new(snapshot, flag, now, budget),
        flag,
        lint,
    };
    if look.all().is_err() {
        lint.undecided.push(flag.name.to_string());
    }
}

struct Look<'a, 'l> {
    bench: Bench<'a>,
    flag: &'a EnvironmentFlag,
    lint: &'l mut Lint,
}

impl Look<'_, '_> {
    fn all(&mut self) -> Result<(), Open> {
        if !self.flag.settings.enabled {
            self.add(FindingKind::ConstantOff, "it is switched off here".to_owned());
            return Ok(());
        }
        if self
            .bench
            .lets_the_same_in(|flag| settings(flag).enabled = false)?
        {
            return self.always_off();
        }
        if self.bench.lets_the_same_in(let_everybody_in)? {
            let reason = self.why_always_on()?;
            self.add(FindingKind::ConstantOn, reason);
        }
        self.dependencies()?;
        self.strategies()
    }

    fn add(&mut self, kind: FindingKind, reason: String) {
        self.lint.findings.push(Finding {
            subject: Subject::Flag(self.flag.name.clone()),
            kind,
            reason,
        });
    }

    fn always_off(&mut self) -> Result<(), Open> {
        let enabled = |strategy: &&ActivationStrategy| !strategy.disabled;
        let strategies = &self.flag.settings.strategies;
        let with_parents = !self.flag.dependencies.is_empty();
        if with_parents && !self.bench.lets_the_same_in(|flag| flag.dependencies.clear())? {
            let parents: Vec<String> = self
                .flag
                .dependencies
                .iter()
                .map(|it| coded(it.parent.as_str()))
                .collect();
            let reason = format!("{} is never as it must be for this flag", parents.join(", "));
            self.add(FindingKind::ParentNeverMet, reason.clone());
            self.add(FindingKind::ConstantOff, reason);
        } else if strategies.iter().filter(enabled).count() == 0 && !strategies.is_empty() {
            self.add(
                FindingKind::ConstantOff,
                "all of its strategies are disabled".to_owned(),
            );
        } else {
            let reason = "nobody can meet the conditions of any of its strategies";
            self.add(FindingKind::ConstantOff, reason.to_owned());
        }
        Ok(())
    }

    fn why_always_on(&self) -> Result<String, Open> {
        let strategies = &self.flag.settings.strategies;
        if strategies.is_empty() {
            return Ok("it has no strategy, so everybody is let in".to_owned());
        }
        for place in enabled(strategies) {
            let alone = self.bench.lets_the_same_in(|flag| {
                let all = settings(flag).strategies.iter_mut().enumerate();
                all.for_each(|(other, strategy)| strategy.disabled |= other != place);
            })?;
            if alone {
                return Ok(format!("{} lets everybody in", label(strategies, place)));
            }
        }
        Ok("its strategies together let everybody in".to_owned())
    }

    fn dependencies(&mut self) -> Result<(), Open> {
        for (place, dependency) in self.flag.dependencies.iter().enumerate() {
            let without = |flag: &mut EnvironmentFlag| drop(flag.dependencies.remove(place));
            if self.bench.is_without_effect(without)? {
                let reason = format!("{} is always as it must be", coded(dependency.parent.as_str()));
                self.add(FindingKind::DependencyDecidesNothing, reason);
            }
        }
        Ok(())
    }

    fn strategies(&mut self) -> Result<(), Open> {
        let strategies = &self.flag.settings.strategies;
        for place in enabled(strategies) {
            let name = label(strategies, place);
            let disable = |flag: &mut EnvironmentFlag| {
                if let Some(strategy) = settings(flag).strategies.get_mut(place) {
                    strategy.disabled = true;
                }
            };
            if self.bench.is_without_effect(disable)? {
                let reason = format!("without {name} nothing would change for anybody");
                self.add(FindingKind::StrategyDecidesNothing, reason);
                continue;
            }
            let Some(strategy) = strategies.get(place) else {
                continue;
            };
            for (number, constraint) in strategy.constraints.iter().enumerate() {
                self.constraint(place, number, constraint, &name)?;
            }
        }
        Ok(())
    }

    fn constraint(
        &mut self,
        place: usize,
        number: usize,
        constraint: &Constraint,
        name: &str,
    ) -> Result<(), Open> {
        let of = |flag: &mut EnvironmentFlag, work: &dyn Fn(&mut Vec<Constraint>)| {
            if let Some(strategy) = settings(flag).strategies.get_mut(place) {
                work(&mut strategy.constraints);
            }
        };
        let words = coded(&format!(
            "{} {}",
            constraint.context_name,
            constraint.operator.name()
        ));
        let without = |flag: &mut EnvironmentFlag| {
            of(flag, &|constraints| drop(constraints.remove(number)));
        };
        if self.bench.is_without_effect(without)? {
            let reason = format!("without the constraint {words} of {name} nothing would change for anybody");
            self.add(FindingKind::ConstraintDecidesNothing, reason);
            return Ok(());
        }
        if !(2..=MOST_VALUES).contains(&constraint.values.len()) || !constraint.operator.takes_values() {
            return Ok(());
        }
        for (at, value) in constraint.values.iter().enumerate() {
            let without = |flag: &mut EnvironmentFlag| {
                of(flag, &|constraints| {
                    if let Some(constraint) = constraints.get_mut(number) {
                        constraint.values.remove(at);
                    }
                });
            };
            if self.bench.is_without_effect(without)? {
                let reason = format!(
                    "without {} in {words} of {name} nothing would change for anybody",
                    coded(value)
                );
                self.add(FindingKind::ValueDecidesNothing, reason);
            }
        }
        Ok(())
    }
}

fn settings(flag: &mut EnvironmentFlag) -> &mut FlagSettings {
    Arc::make_mut(&mut flag.settings)
}

/// A flag that is on for everybody.
fn let_everybody_in(flag: &mut EnvironmentFlag) {
    flag.dependencies.clear();
    settings(flag).strategies.clear();
}

/// The places of the strategies that are not disabled.
fn enabled(strategies: &[ActivationStrategy]) -> impl Iterator<Item = usize> + '_ {
    let all = strategies.iter().enumerate();
    all.filter(|(_, strategy)| !strategy.disabled)
        .map(|(place, _)| place)
}

/// Such as `strategy 2 (flexibleRollout)`.
fn label(strategies: &[ActivationStrategy], place: usize) -> String {
    let strategy = strategies.get(place);
    let title = strategy.and_then(|strategy| strategy.title.as_deref());
    let name = title.filter(|title| !title.trim().is_empty());
    let name = name.or(strategy.map(|strategy| strategy.name.as_str()));
    format!("strategy {} ({})", place + 1, quoted(name.unwrap_or_default()))
}
