//! What the engine makes of every atom's sample, and values that no atom stands for.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use time::OffsetDateTime;
use vexil_domain::{Context, EnvironmentSnapshot, FlagName};
use vexil_engine::{Ambient, Explanation, Rule};
use vexil_values::Instant;

use crate::{On, Proof, Side};

/// What holds of an atom, by the names of conditions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Facts {
    pub(crate) holds: BTreeSet<String>,
}

/// The atoms of a dimension for which something is so, where it is not so for all of the box.
pub(crate) type Split = (usize, Vec<usize>);

/// A proof with what the engine makes of its atoms.
pub(crate) struct Grid<'a> {
    pub(crate) sides: [Side<'a>; 2],
    pub(crate) flag: &'a str,
    pub(crate) proof: &'a Proof,
    /// What holds of each atom, asked when it is needed.
    facts: Vec<Vec<OnceCell<Facts>>>,
    /// What the strategy types ask, where the context is empty.
    pub(crate) rules: BTreeMap<(usize, FlagName, usize), Rule>,
    /// The conditions of each strategy: the dimension, and the name of the condition.
    conditions: BTreeMap<(usize, FlagName, usize), Vec<(usize, String)>>,
    /// The conditions that some decision asked for; no other can matter.
    pub(crate) asked: RefCell<BTreeSet<String>>,
    /// Strategies that refer to a segment that is not there.
    broken: BTreeSet<(usize, FlagName, usize)>,
}

/// Where a dimension is missing.
pub(crate) const MISSING: usize = usize::MAX;

impl<'a> Grid<'a> {
    pub(crate) fn new(sides: [Side<'a>; 2], proof: &'a Proof) -> Self {
        let mut grid = Self {
            sides,
            flag: &proof.flag,
            proof,
            facts: Vec::new(),
            rules: BTreeMap::new(),
            conditions: BTreeMap::new(),
            asked: RefCell::default(),
            broken: BTreeSet::new(),
        };
        grid.read();
        let atoms = proof
            .dimensions
            .iter()
            .map(|it| vec![OnceCell::new(); it.atoms.len()]);
        grid.facts = atoms.collect();
        grid
    }

    /// The flag and its parents on both sides, explained for a context.
    fn explained(&self, context: &Context, ambient: &Ambient<'_>) -> Vec<(usize, FlagName, Explanation)> {
        let mut all = Vec::new();
        for (number, side) in self.sides.iter().enumerate() {
            let own = side.snapshot.flags.get(self.flag);
            let parents = own
                .iter()
                .flat_map(|flag| &flag.dependencies)
                .map(|it| &it.parent);
            for flag in own.iter().map(|flag| &flag.name).chain(parents) {
                if let Some(explanation) = side.engine.explain(flag.as_str(), context, ambient) {
                    all.push((number, flag.clone(), explanation));
                }
            }
        }
        all
    }

    fn read(&mut self) {
        let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
        for (side, flag, explanation) in self.explained(&Context::default(), &ambient) {
            for (place, strategy) in explanation.strategies.into_iter().enumerate() {
                let at = (side, flag.clone(), place);
                let mut conditions = Vec::new();
                for (number, constraint) in strategy.constraints.iter().enumerate() {
                    let dimension = self.field(&constraint.field).unwrap_or(MISSING);
                    conditions.push((dimension, format!("{side} {flag} {place} own {number}")));
                }
                for (segment, found) in strategy.segments.iter().enumerate() {
                    if !found.found {
                        self.broken.insert(at.clone());
                    }
                    for (number, constraint) in found.constraints.iter().enumerate() {
                        let dimension = self.field(&constraint.field).unwrap_or(MISSING);
                        conditions.push((dimension, format!("{side} {flag} {place} {segment} {number}")));
                    }
                }
                self.conditions.insert(at.clone(), conditions);
                self.rules.insert(at, strategy.rule);
            }
        }
    }

    /// What holds where a field has a value.
    pub(crate) fn facts_of(&self, field: &str, value: Option<&str>, now: Option<OffsetDateTime>) -> Facts {
        let mut context = Context::default();
        if let Some(value) = value {
            context.set(field, value);
        }
        let ambient = Ambient::new(now.unwrap_or(OffsetDateTime::UNIX_EPOCH), 0);
        let mut holds = BTreeSet::new();
        if value.is_some() {
            holds.insert("set".to_owned());
        }
        for (side, flag, explanation) in self.explained(&context, &ambient) {
            for (place, strategy) in explanation.strategies.iter().enumerate() {
                let own = strategy.constraints.iter().enumerate();
                for (number, _) in own.filter(|(_, one)| &*one.field == field && one.holds) {
                    holds.insert(format!("{side} {flag} {place} own {number}"));
                }
                for (segment, found) in strategy.segments.iter().enumerate() {
                    let shared = found.constraints.iter().enumerate();
                    for (number, _) in shared.filter(|(_, one)| &*one.field == field && one.holds) {
                        holds.insert(format!("{side} {flag} {place} {segment} {number}"));
                    }
                }
                let listed = match &strategy.rule {
                    Rule::Listed { holds, .. } => *holds && field == "userId",
                    Rule::Network { network, .. } => network.is_some() && field == "remoteAddress",
                    _ => false,
                };
                if listed {
                    holds.insert(format!("{side} {flag} {place} rule"));
                }
            }
        }
        for values in self.overrides(field) {
            if value.is_some_and(|value| values.iter().any(|listed| listed == value)) {
                holds.insert(override_of(field, values));
            }
        }
        Facts { holds }
    }

    pub(crate) fn facts_on(&self, host: Option<&str>) -> Facts {
        let ambient = Ambient {
            host_name: host,
            ..Ambient::new(OffsetDateTime::UNIX_EPOCH, 0)
        };
        let mut holds = BTreeSet::new();
        for (side, flag, explanation) in self.explained(&Context::default(), &ambient) {
            for (place, strategy) in explanation.strategies.iter().enumerate() {
                if matches!(strategy.rule, Rule::HostName { holds: true, .. }) {
                    holds.insert(format!("{side} {flag} {place} rule"));
                }
            }
        }
        Facts { holds }
    }

    pub(crate) fn flags(
        &self,
    ) -> impl Iterator<Item = (&'a EnvironmentSnapshot, &'a vexil_domain::EnvironmentFlag)> {
        self.sides
            .into_iter()
            .flat_map(|side| self.flags_of(side).map(move |flag| (side.snapshot, flag)))
    }

    /// The flag and its parents on one side.
    pub(crate) fn flags_of(
        &self,
        side: Side<'a>,
    ) -> impl Iterator<Item = &'a vexil_domain::EnvironmentFlag> + use<'a> {
        let own = side.snapshot.flags.get(self.flag);
        let parents = own.into_iter().flat_map(|flag| &flag.dependencies);
        let parents = parents.filter_map(move |it| side.snapshot.flags.get(&it.parent));
        own.into_iter().chain(parents).map(|flag| &**flag)
    }

    /// The lists of variants that are given whatever the weights say, for a field.
    pub(crate) fn overrides(&self, field: &str) -> impl Iterator<Item = &'a [String]> {
        let field = field.to_owned();
        let settings = self.flags().map(|(_, flag)| &flag.settings);
        let variants = settings.flat_map(|settings| {
            let own = settings.strategies.iter().flat_map(|strategy| &strategy.variants);
            own.chain(&settings.variants)
        });
        let overrides = variants.flat_map(|variant| &variant.overrides);
        overrides
            .filter(move |one| one.context_name == field)
            .map(|one| one.values.as_slice())
    }

    /// A value of a field that no atom stands for, if one is found.
    pub(crate) fn missing(&self, dimension: usize, field: &str) -> Option<String> {
        let hashed = self.is_hashed(field);
        let known = self.proof.dimensions.get(dimension)?;
        let facts: Vec<&Facts> = (0..known.atoms.len())
            .filter_map(|atom| self.facts_at(dimension, atom))
            .collect();
        let (texts, listed) = self.neighbours(field);
        let stands = |text: &str, alone: bool, found: &Facts| {
            known.atoms.iter().zip(&facts).any(|(atom, facts)| {
                let itself = !alone || atom.sample.as_deref() == Some(text);
                self.same(facts, found) && (!hashed || (atom.alone == alone && itself))
            })
        };
        // the present stands in for an unset `currentTime`
        let presents = texts.iter().filter(|_| field == "currentTime");
        let presents = presents.filter_map(|text| Instant::parse(text)?.try_into().ok());
        let lost = std::iter::once(OffsetDateTime::UNIX_EPOCH)
            .chain(presents)
            .any(|now| !stands("", false, &self.facts_of(field, None, Some(now))));
        if lost {
            return Some(String::new());
        }
        let mut texts = texts.union(&listed);
        let lost = texts.find(|text| {
            let found = self.facts_of(field, Some(text), None);
            !stands(text, false, &found) && !stands(text, true, &found)
        });
        lost.cloned()
    }

    /// The name of a host that no atom stands for, if there is one.
    pub(crate) fn missing_host(&self, dimension: usize) -> Option<String> {
        let strategies = self.flags().flat_map(|(_, flag)| &flag.settings.strategies);
        let lists = strategies.filter_map(|strategy| strategy.parameters.get("hostNames"));
        let names = lists.flat_map(|list| list.split(',')).map(str::trim);
        let names = names.filter(|name| !name.is_empty()).map(Some).chain([None]);
        let count = self.facts.get(dimension).map_or(0, Vec::len);
        let lost = |name: &Option<&str>| {
            let found = self.facts_on(*name);
            let mut facts = (0..count).filter_map(|atom| self.facts_at(dimension, atom));
            !facts.any(|own| self.same(own, &found))
        };
        let mut lost = names.filter(lost);
        lost.next().map(|name| name.unwrap_or("another").to_owned())
    }

    /// Whether no condition that some decision asks for tells two values apart.
    pub(crate) fn same(&self, one: &Facts, other: &Facts) -> bool {
        let asked = self.asked.borrow();
        let mut asked = asked.iter();
        asked.all(|key| one.holds.contains(key) == other.holds.contains(key))
    }

    pub(crate) fn facts_at(&self, dimension: usize, atom: usize) -> Option<&Facts> {
        let known = self.proof.dimensions.get(dimension)?;
        let own = known.atoms.get(atom)?;
        let facts = self.facts.get(dimension)?.get(atom)?;
        Some(facts.get_or_init(|| match &known.on {
            On::Field(field) => self.facts_of(field, own.sample.as_deref(), own.now),
            On::Host => self.facts_on(own.sample.as_deref()),
            _ => Facts::default(),
        }))
    }

    /// Whether a decision depends on a hash of the field.
    pub(crate) fn is_hashed(&self, field: &str) -> bool {
        let mut all = self.proof.dimensions.iter();
        all.any(|it| matches!(&it.on, On::Hash { field: hashed, .. } if hashed == field))
    }

    /// Whether an atom stands for a value of a field alone.
    pub(crate) fn stands_alone(&self, field: &str, value: &str) -> bool {
        let own = |it: &&crate::Dimension| matches!(&it.on, On::Field(name) if name == field);
        let known = self.proof.dimensions.iter().find(own);
        let mut atoms = known.into_iter().flat_map(|known| &known.atoms);
        atoms.any(|atom| atom.alone && atom.sample.as_deref() == Some(value))
    }

    pub(crate) fn conditions(&self, side: usize, flag: &FlagName, place: usize) -> &[(usize, String)] {
        self.conditions
            .get(&(side, flag.clone(), place))
            .map_or(&[], Vec::as_slice)
    }

    pub(crate) fn is_broken(&self, side: usize, flag: &FlagName, place: usize) -> bool {
        self.broken.contains(&(side, flag.clone(), place))
    }

    pub(crate) fn field(&self, name: &str) -> Result<usize, Split> {
        let mut all = self.proof.dimensions.iter();
        all.position(|it| matches!(&it.on, On::Field(field) if field == name))
            .ok_or((MISSING, Vec::new()))
    }

    pub(crate) fn on(&self, on: &On) -> Result<usize, Split> {
        let place = self.proof.dimensions.iter().position(|it| it.on == *on);
        place.ok_or((MISSING, Vec::new()))
    }

    pub(crate) fn atom(&self, dimension: usize, atom: usize) -> Option<&'a crate::Atom> {
        self.proof.dimensions.get(dimension)?.atoms.get(atom)
    }

    pub(crate) fn sample(&self, dimension: usize, atom: usize) -> Option<&'a str> {
        self.atom(dimension, atom)?.sample.as_deref()
    }

    pub(crate) fn is_alone(&self, dimension: usize, atom: usize) -> bool {
        self.atom(dimension, atom).is_some_and(|atom| atom.alone)
    }

    /// The hash of an atom's sample.
    pub(crate) fn hash(&self, dimension: usize, atom: usize, group: &str, variants: bool) -> u32 {
        let text = format!("{group}:{}", self.sample(dimension, atom).unwrap_or_default());
        let seed = if variants { 86_028_157 } else { 0 };
        murmur3::murmur3_32(&mut Cursor::new(text), seed).unwrap_or_default()
    }

    /// Whether a cell is inside a range; `None` where only a part of it is, or that cannot be told.
    pub(crate) fn is_inside(
        &self,
        dimension: usize,
        cell: usize,
        (modulus, from, to): (u64, u64, u64),
    ) -> Option<bool> {
        let drawn = self.proof.dimensions.get(dimension);
        let drawn = drawn.is_some_and(|it| matches!(it.on, On::Chance { .. }));
        let inside = |part: &Vec<(u64, u64, u64)>| {
            // of draws the same fraction of another whole
            let told = |(whole, ..): &&(u64, u64, u64)| drawn || *whole == modulus;
            let (whole, first, last) = part.iter().find(told)?;
            let scaled = |place: u64| u128::from(place) * u128::from(*whole) / u128::from(modulus.max(1));
            let (first, last) = (u128::from(*first), u128::from(*last));
            if scaled(from) <= first && last <= scaled(to) {
                return Some(true);
            }
            (last <= scaled(from) || scaled(to) <= first).then_some(false)
        };
        let mut parts = self.atom(dimension, cell)?.ranges.iter().map(inside);
        let first = parts.next()??;
        parts.all(|part| part == Some(first)).then_some(first)
    }
}

/// The name of the condition that a field has one of these values.
pub(crate) fn override_of(field: &str, values: &[String]) -> String {
    format!("override {field:?} {values:?}")
}
