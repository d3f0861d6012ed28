//! Decides a flag for a whole box of atoms at once, or says along which dimension it is to be split.

use vexil_domain::{ActivationStrategy, Dependency, EnvironmentFlag, Stickiness, Variant};
use vexil_engine::Rule;

use crate::atoms::{Grid, MISSING, Split, override_of};
use crate::{Decision, On};

/// A box: the atoms of each dimension.
pub(crate) type Part = Vec<Vec<usize>>;

/// What holds for all of a box, or where to split it.
type Known<T> = Result<T, Split>;

/// One side of a grid.
pub(crate) struct Decider<'g, 'a> {
    pub(crate) grid: &'g Grid<'a>,
    pub(crate) side: usize,
}

impl<'a> Decider<'_, 'a> {
    /// What the flag is in a box.
    pub(crate) fn decide(&self, part: &Part) -> Known<Decision> {
        let snapshot = self.grid.sides.get(self.side).map(|side| side.snapshot);
        let Some(flag) = snapshot.and_then(|snapshot| snapshot.flags.get(self.grid.flag)) else {
            return Ok(Decision::Absent);
        };
        for dependency in &flag.dependencies {
            if !self.is_met(dependency, part)? {
                return Ok(Decision::Off);
            }
        }
        self.flag(flag, true, part)
    }

    fn is_met(&self, dependency: &Dependency, part: &Part) -> Known<bool> {
        let snapshot = self.grid.sides.get(self.side).map(|side| side.snapshot);
        let parent = snapshot.and_then(|snapshot| snapshot.flags.get(&dependency.parent));
        let Some(parent) = parent.filter(|parent| parent.dependencies.is_empty()) else {
            return Ok(false);
        };
        let by_variant = dependency.enabled && !dependency.variants.is_empty();
        Ok(match self.flag(parent, by_variant, part)? {
            Decision::On(_) if !by_variant => dependency.enabled,
            Decision::On(variant) => {
                let name = variant.map_or_else(|| "disabled".to_owned(), |(name, _)| name);
                dependency.variants.contains(&name)
            }
            _ => !dependency.enabled,
        })
    }

    fn flag(&self, flag: &'a EnvironmentFlag, variants: bool, part: &Part) -> Known<Decision> {
        let strategies = &flag.settings.strategies;
        let disabled = !strategies.is_empty() && strategies.iter().all(|strategy| strategy.disabled);
        if !flag.settings.enabled || disabled {
            return Ok(Decision::Off);
        }
        if strategies.is_empty() {
            return self.variant(flag, None, variants, part);
        }
        for (place, strategy) in strategies.iter().enumerate() {
            if !strategy.disabled && self.strategy(flag, place, strategy, part)? {
                return self.variant(flag, Some((place, strategy)), variants, part);
            }
        }
        Ok(Decision::Off)
    }

    fn strategy(
        &self,
        flag: &'a EnvironmentFlag,
        place: usize,
        strategy: &'a ActivationStrategy,
        part: &Part,
    ) -> Known<bool> {
        if self.grid.is_broken(self.side, &flag.name, place) {
            return Ok(false);
        }
        let rule = self.rule(flag, place, strategy, part);
        if rule == Ok(false) {
            return Ok(false);
        }
        let mut open = None;
        for (dimension, key) in self.grid.conditions(self.side, &flag.name, place) {
            match self.fact(*dimension, key, part) {
                Ok(false) => return Ok(false),
                Ok(true) => {}
                Err(split) => open = open.or(Some(split)),
            }
        }
        match open {
            Some(split) => Err(split),
            None => rule,
        }
    }

    /// Whether a fact holds for all chosen atoms of a dimension, or for none.
    fn fact(&self, dimension: usize, key: &str, part: &Part) -> Known<bool> {
        if !self.grid.asked.borrow().contains(key) {
            self.grid.asked.borrow_mut().insert(key.to_owned());
        }
        let facts = |atom| self.grid.facts_at(dimension, atom);
        self.uniform(dimension, part, |atom| {
            facts(atom).is_some_and(|facts| facts.holds.contains(key))
        })
    }

    fn uniform(&self, dimension: usize, part: &Part, holds: impl Fn(usize) -> bool) -> Known<bool> {
        // without its atoms nothing is known of it
        let chosen = part.get(dimension).ok_or((MISSING, Vec::new()))?;
        let yes: Vec<usize> = chosen.iter().copied().filter(|atom| holds(*atom)).collect();
        match yes.len() {
            0 => Ok(false),
            all if all == chosen.len() => Ok(true),
            _ => Err((dimension, yes)),
        }
    }

    fn rule(
        &self,
        flag: &EnvironmentFlag,
        place: usize,
        strategy: &ActivationStrategy,
        part: &Part,
    ) -> Known<bool> {
        let key = format!("{} {} {place} rule", self.side, flag.name);
        match self.grid.rules.get(&(self.side, flag.name.clone(), place)) {
            Some(Rule::Always) => Ok(true),
            Some(Rule::Listed { .. }) => self.fact(self.grid.field("userId")?, &key, part),
            Some(Rule::Network { .. }) => self.fact(self.grid.field("remoteAddress")?, &key, part),
            Some(Rule::HostName { .. }) => self.fact(self.grid.on(&On::Host)?, &key, part),
            Some(Rule::NotEvaluable { strategy: name }) if name == "applicationHostname" => {
                self.fact(self.grid.on(&On::Host)?, &key, part)
            }
            Some(Rule::NotEvaluable { strategy: name }) => {
                let on = On::Custom(name.clone(), strategy.parameters.clone());
                self.uniform(self.grid.on(&on)?, part, |atom| atom == 1)
            }
            Some(Rule::Rollout(rollout)) => {
                let sticky = match strategy.name.as_str() {
                    "gradualRolloutUserId" => Stickiness::Field("userId".to_owned()),
                    "gradualRolloutSessionId" => Stickiness::Field("sessionId".to_owned()),
                    "gradualRolloutRandom" => Stickiness::Random,
                    _ => Stickiness::from_name(
                        strategy.parameters.get("stickiness").map_or("", String::as_str),
                    ),
                };
                let by_field = matches!(sticky, Stickiness::Field(_));
                if rollout.bound == 0 || (rollout.bound == 100 && !by_field) {
                    return Ok(rollout.bound == 100);
                }
                let range = (100, 0, u64::from(rollout.bound));
                match self.source(&sticky, &["userId", "sessionId"], part)? {
                    Some(_) if rollout.bound == 100 => Ok(true),
                    Some(field) => self.remainder(&field, &rollout.group, false, range, part),
                    None if by_field => Ok(false),
                    None => {
                        let strategy = Some(strategy.id.to_string());
                        self.chance(strategy, &rollout.group, range, part)
                    }
                }
            }
            _ => Ok(false),
        }
    }

    /// The field that the stickiness value comes from; `None` leaves it to chance.
    fn source(&self, sticky: &Stickiness, fallback: &[&str], part: &Part) -> Known<Option<String>> {
        let fields: Vec<String> = match sticky {
            Stickiness::Random => Vec::new(),
            Stickiness::Default => fallback.iter().map(|field| (*field).to_owned()).collect(),
            Stickiness::Field(field) => vec![field.clone()],
        };
        for field in fields {
            let dimension = self.grid.field(&field)?;
            if self.fact(dimension, "set", part)? {
                return Ok(Some(field));
            }
        }
        Ok(None)
    }

    /// Whether the remainder of a field's hash is in a range.
    fn remainder(
        &self,
        field: &str,
        group: &str,
        variants: bool,
        range: (u64, u64, u64),
        part: &Part,
    ) -> Known<bool> {
        let dimension = self.grid.field(field)?;
        if self.uniform(dimension, part, |atom| self.grid.is_alone(dimension, atom))? {
            let hash = |atom: usize| self.grid.hash(dimension, atom, group, variants);
            return self.uniform(dimension, part, |atom| {
                let (modulus, from, to) = range;
                (from..to).contains(&(u64::from(hash(atom)) % modulus))
            });
        }
        let on = On::Hash {
            field: field.to_owned(),
            group: group.to_owned(),
            variants,
        };
        self.cells(&on, range, part)
    }

    /// Whether all chosen cells are in a range, or none.
    fn cells(&self, on: &On, range: (u64, u64, u64), part: &Part) -> Known<bool> {
        let dimension = self.grid.on(on)?;
        let chosen = part.get(dimension).map_or(&[][..], Vec::as_slice);
        let is_inside = |cell: usize| self.grid.is_inside(dimension, cell, range);
        if chosen.iter().any(|cell| is_inside(*cell).is_none()) {
            return Err((MISSING, Vec::new()));
        }
        self.uniform(dimension, part, |cell| is_inside(cell) == Some(true))
    }

    fn chance(
        &self,
        strategy: Option<String>,
        group: &str,
        range: (u64, u64, u64),
        part: &Part,
    ) -> Known<bool> {
        let on = On::Chance {
            strategy,
            group: group.to_owned(),
        };
        self.cells(&on, range, part)
    }

    fn variant(
        &self,
        flag: &'a EnvironmentFlag,
        by: Option<(usize, &'a ActivationStrategy)>,
        wanted: bool,
        part: &Part,
    ) -> Known<Decision> {
        if !wanted {
            return Ok(Decision::On(None));
        }
        let own = by.map(|(_, strategy)| {
            let group = strategy
                .parameters
                .get("groupId")
                .map_or(flag.name.as_str(), String::as_str);
            (
                strategy.variants.as_slice(),
                group,
                strategy.parameters.get("stickiness"),
            )
        });
        let shared = (flag.settings.variants.as_slice(), flag.name.as_str(), None);
        for (variants, group, inherited) in own.into_iter().chain([shared]) {
            if let Some(variant) = self.pick(variants, group, inherited, part)? {
                return Ok(Decision::with(&variant.name, variant.payload.as_ref()));
            }
        }
        Ok(Decision::On(None))
    }

    fn pick(
        &self,
        variants: &'a [Variant],
        group: &str,
        inherited: Option<&String>,
        part: &Part,
    ) -> Known<Option<&'a Variant>> {
        for variant in variants {
            for one in &variant.overrides {
                let dimension = self.grid.field(&one.context_name)?;
                if self.fact(dimension, &override_of(&one.context_name, &one.values), part)? {
                    return Ok(Some(variant));
                }
            }
        }
        let total: u64 = variants.iter().map(|variant| u64::from(variant.weight)).sum();
        let mut weighted = variants.iter().filter(|variant| variant.weight > 0);
        let (Some(only), more) = (weighted.next(), weighted.next()) else {
            return Ok(None);
        };
        if more.is_none() {
            return Ok(Some(only));
        }
        let sticky = inherited.map(|name| Stickiness::from_name(name));
        let sticky = sticky
            .or_else(|| variants.first()?.stickiness.clone())
            .unwrap_or_default();
        let source = self.source(&sticky, &["userId", "sessionId", "remoteAddress"], part)?;
        let mut from = 0;
        for variant in variants {
            let to = from + u64::from(variant.weight);
            let modulus = if source.is_some() {
                total.min(1 << 32)
            } else {
                total
            };
            let range = (modulus, from.min(modulus), to.min(modulus));
            let inside = from < to
                && match &source {
                    Some(field) => self.remainder(field, group, true, range, part)?,
                    None => self.chance(None, group, range, part)?,
                };
            if inside {
                return Ok(Some(variant));
            }
            from = to;
        }
        Ok(None)
    }
}
