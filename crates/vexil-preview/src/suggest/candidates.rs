//! Candidates: everything that may be worth trying for one field, the plainest first.

use std::collections::HashSet;

use vexil_domain::{Constraint, Operator};

use super::{hashed, moments, networks, numbers, patterns, texts, versions};
use crate::probe::FieldProbes;

/// Values that most constraints have nothing to do with.
const NEUTRAL: [&str; 4] = ["other", "Another one", "~", "zzz-none-of-these"];

/// Texts in order, each once.
#[derive(Default)]
pub(super) struct Candidates {
    list: Vec<String>,
    known: HashSet<String>,
}

impl Candidates {
    pub(super) fn add(&mut self, value: impl Into<String>) {
        let value = value.into();
        if self.known.insert(value.clone()) {
            self.list.push(value);
        }
    }
}

/// What the constraints of one field compare it with, by kind.
pub(super) struct Compared<'a> {
    pub(super) members: Vec<&'a str>,
    pub(super) needles: texts::Needles<'a>,
    pub(super) numbers: Vec<f64>,
    pub(super) moments: Vec<time::OffsetDateTime>,
    pub(super) versions: Vec<semver::Version>,
    pub(super) networks: Vec<ipnet::IpNet>,
    pub(super) patterns: Vec<&'a str>,
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
        all.versions.sort_by(semver::Version::cmp_precedence);
        all
    }

    fn read(&mut self, constraint: &'a Constraint) {
        let values = constraint
            .values
            .iter()
            .map(|value| value.trim())
            .filter(|value| !value.is_empty());
        let value = constraint.value.as_deref();
        match constraint.operator {
            Operator::In | Operator::NotIn => self.members.extend(values),
            Operator::StrStartsWith => self.needles.starts.extend(values),
            Operator::StrEndsWith => self.needles.ends.extend(values),
            Operator::StrContains => self.needles.contains.extend(values),
            Operator::InCidr => self.networks.extend(values.filter_map(networks::parse)),
            Operator::NumEq | Operator::NumGt | Operator::NumGte | Operator::NumLt | Operator::NumLte => {
                self.numbers.extend(value.and_then(numbers::parse));
            }
            Operator::DateAfter | Operator::DateBefore => self.moments.extend(value.and_then(moments::parse)),
            Operator::SemverEq
            | Operator::SemverGt
            | Operator::SemverGte
            | Operator::SemverLt
            | Operator::SemverLte => {
                self.versions
                    .extend(value.and_then(|text| semver::Version::parse(text.trim()).ok()));
            }
            Operator::Regex => self.patterns.extend(value),
            Operator::Unknown(_) => {}
        }
    }
}

/// Everything that may be worth trying for a field. A `currentTime` that is only compared as an
/// instant is no other text.
pub(super) fn of(field: &str, probes: &FieldProbes) -> Vec<String> {
    let compared = Compared::new(&probes.constraints);
    let instants_only = field == "currentTime"
        && probes
            .constraints
            .iter()
            .all(|constraint| matches!(constraint.operator, Operator::DateAfter | Operator::DateBefore));
    let mut found = Candidates::default();
    compared.members.iter().for_each(|member| found.add(*member));
    numbers::add(&compared.numbers, &mut found);
    versions::add(&compared.versions, &mut found);
    moments::add(&compared.moments, &mut found);
    networks::add(&compared.networks, &mut found);
    texts::add(&compared.needles, &mut found);
    NEUTRAL.iter().for_each(|neutral| found.add(*neutral));
    found.add("");
    patterns::add(&compared.patterns, &mut found);
    if probes.is_hashed {
        hashed::add(field, &compared, &mut found);
    }
    if instants_only {
        found
            .list
            .retain(|value| value.is_empty() || moments::parse(value).is_some());
    }
    found.list
}
