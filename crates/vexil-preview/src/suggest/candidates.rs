//! Candidates: everything that may be worth trying for one field, the plainest first.

use std::collections::HashSet;

use time::OffsetDateTime;
use vexil_budget::{Budget, Exhausted};
use vexil_domain::{Constraint, Operator};
use vexil_values::{Comparison, Instant, Network, Pattern, TextPlace, Version};

use super::{hashed, moments, networks, numbers, patterns, texts, versions};
use crate::probe::FieldProbes;

/// Values that most constraints have nothing to do with.
const NEUTRAL: [&str; 4] = ["other", "Another one", "~", "zzz-none-of-these"];

/// Texts in order, each once.
pub(super) struct Candidates<'b> {
    list: Vec<String>,
    known: HashSet<String>,
    budget: &'b Budget,
}

impl<'b> Candidates<'b> {
    pub(super) fn new(budget: &'b Budget) -> Self {
        Self {
            list: Vec::new(),
            known: HashSet::new(),
            budget,
        }
    }

    /// Adds a text, at a unit for each sixteen letters.
    pub(super) fn add(&mut self, value: impl Into<String>) -> Result<(), Exhausted> {
        let value = value.into();
        self.budget.spend(1 + value.len() as u64 / 16)?;
        if self.known.insert(value.clone()) {
            self.list.push(value);
        }
        Ok(())
    }

    /// Pays for work on the way to a text.
    pub(super) fn pay(&self, units: usize) -> Result<(), Exhausted> {
        self.budget.spend(units as u64)
    }

    pub(super) fn finish(self) -> Vec<String> {
        self.list
    }
}

/// What the constraints of one field compare it with, by kind.
pub(super) struct Compared<'a> {
    pub(super) members: Vec<&'a str>,
    pub(super) needles: texts::Needles<'a>,
    pub(super) numbers: Vec<f64>,
    pub(super) moments: Vec<OffsetDateTime>,
    pub(super) versions: Vec<Version<'a>>,
    pub(super) networks: Vec<Network>,
    pub(super) patterns: Vec<Pattern>,
}

impl<'a> Compared<'a> {
    fn new(constraints: &'a [Constraint]) -> Self {
        let mut all = Self {
            members: Vec::new(),
            needles: texts::Needles::default(),
            numbers: Vec::new(),
            moments: Vec::new(),
            versions: Vec::new(),
            networks: Vec::new(),
            patterns: Vec::new(),
        };
        for constraint in constraints {
            all.read(constraint);
        }
        numbers::sort(&mut all.numbers);
        all.moments.sort_unstable();
        all.moments.dedup();
        all.versions.sort_unstable();
        all
    }

    /// A constraint that cannot be understood never holds, so nothing is worth trying for it.
    fn read(&mut self, constraint: &'a Constraint) {
        let Some(comparison) = vexil_values::read(constraint, |_| {}) else {
            return;
        };
        match comparison {
            Comparison::OneOf(entries) | Comparison::NoneOf(entries) => self.members.extend(entries),
            Comparison::Text { place, needles, .. } => match place {
                TextPlace::Start => self.needles.starts.extend(needles),
                TextPlace::End => self.needles.ends.extend(needles),
                TextPlace::Anywhere => self.needles.contains.extend(needles),
            },
            Comparison::Number(_, number) => self.numbers.push(number.get()),
            Comparison::Date(_, moment) => self.moments.extend(OffsetDateTime::try_from(moment)),
            Comparison::Version(_, version) => self.versions.push(version),
            Comparison::Pattern(pattern) => self.patterns.push(pattern),
            Comparison::Within(networks) => self.networks.extend(networks),
        }
    }
}

/// Everything that may be worth trying for a field. A `currentTime` that is only compared as an
/// instant is no other text.
pub(super) fn of(field: &str, probes: &FieldProbes, found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    let compared = Compared::new(&probes.constraints);
    let instants_only = field == "currentTime"
        && probes
            .constraints
            .iter()
            .all(|constraint| matches!(constraint.operator, Operator::DateAfter | Operator::DateBefore));
    for member in &compared.members {
        found.add(*member)?;
    }
    numbers::add(&compared.numbers, found)?;
    versions::add(&compared.versions, found)?;
    moments::add(&compared.moments, found)?;
    networks::add(&compared.networks, found)?;
    texts::add(&compared.needles, found)?;
    for neutral in NEUTRAL {
        found.add(neutral)?;
    }
    found.add("")?;
    patterns::add(&compared.patterns, found)?;
    if probes.is_hashed {
        hashed::add(field, &compared, found)?;
    }
    if instants_only {
        found
            .list
            .retain(|value| value.is_empty() || Instant::parse(value).is_some());
    }
    Ok(())
}
