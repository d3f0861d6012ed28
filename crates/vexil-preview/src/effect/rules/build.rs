//! From flags to rules.

use std::hash::{Hash as _, Hasher as _};

use vexil_domain::{ActivationStrategy, Constraint, Dependency, EnvironmentFlag, FlagName, Stickiness};
use vexil_engine::{ConditionPlace, FlagId, Probe};

use super::reuse::Made;
use super::{Dimension, List, Literal, OFF, Purpose, Range, Rules, SideRules, Test};
use crate::effect::fast::Mixer;
use crate::{Outcome, Side};

/// Tests that must all hold, by number.
pub(super) type Tests = Vec<usize>;

impl<'a> Rules<'a> {
    /// The rules of a flag on two sides.
    pub(crate) fn of(sides: [Side<'a>; 2], flag: &FlagName) -> Self {
        let mut rules = Self {
            outcomes: vec![Outcome::Off],
            ..Self::default()
        };
        let [before, after] = sides.map(|side| rules.side(side, flag));
        rules.sides = [before, after];
        rules
    }

    /// The rules of a flag on one more side.
    pub(crate) fn side(&mut self, side: Side<'a>, flag: &FlagName) -> SideRules {
        let Some(flag) = side.snapshot.flags.get(flag) else {
            let absent = List {
                rules: Vec::new(),
                otherwise: self.outcome(Outcome::Absent),
            };
            return SideRules {
                own: absent,
                parents: Vec::new(),
            };
        };
        let parents = flag.dependencies.iter();
        SideRules {
            parents: parents.map(|dependency| self.parent(side, dependency)).collect(),
            own: self.list(side, flag, true),
        }
    }

    /// Whether a parent is as needed. One that is not there, or has parents itself, never is.
    fn parent(&mut self, side: Side<'a>, dependency: &Dependency) -> List {
        let parent = side.snapshot.flags.get(&dependency.parent);
        let Some(parent) = parent.filter(|parent| parent.dependencies.is_empty()) else {
            return List::default();
        };
        let by_variant = dependency.enabled && !dependency.variants.is_empty();
        let mut list = self.list(side, parent, by_variant);
        for (_, value) in &mut list.rules {
            let fits = match self.outcomes.get(*value as usize) {
                _ if !by_variant => dependency.enabled,
                Some(Outcome::On(Some(variant))) => dependency.variants.contains(&variant.name),
                _ => dependency.variants.iter().any(|name| name == "disabled"),
            };
            *value = u32::from(fits);
        }
        list.otherwise = u32::from(!dependency.enabled);
        list
    }

    /// The rules of one flag, with those of its variants or without.
    fn list(&mut self, side: Side<'a>, flag: &'a EnvironmentFlag, variants: bool) -> List {
        let mut list = List {
            rules: Vec::new(),
            otherwise: OFF,
        };
        let settings = &flag.settings;
        if !settings.enabled {
            return list;
        }
        if settings.strategies.is_empty() {
            self.decide(&mut list, &[Vec::new()], flag, None, variants);
        }
        let asked = side.engine.flag(flag.name.as_str());
        for (place, strategy) in settings.strategies.iter().enumerate() {
            if strategy.disabled {
                continue;
            }
            let mut made = self.made.iter();
            if let Some(made) = made.find(|made| made.is_like(side, flag, strategy, variants)) {
                made.rules.iter().for_each(|rule| list.append(*rule));
                continue;
            }
            let Some(conditions) = self.conditions(side, asked, place, strategy) else {
                continue;
            };
            let rule = asked.and_then(|flag| side.engine.probe_rule(flag, place));
            let mut cases = self.cases(flag, strategy, rule);
            cases.retain_mut(|case| self.join(case, &conditions));
            let mut own = List::default();
            self.decide(&mut own, &cases, flag, Some(strategy), variants);
            own.rules.iter().for_each(|rule| list.append(*rule));
            self.made.push(Made {
                side,
                flag,
                strategy,
                variants,
                rules: own.rules,
            });
        }
        list
    }

    /// Appends the rules by which the flag is on where one of `cases` holds.
    fn decide(
        &mut self,
        list: &mut List,
        cases: &[Tests],
        flag: &'a EnvironmentFlag,
        strategy: Option<&'a ActivationStrategy>,
        variants: bool,
    ) {
        if variants {
            self.picks(list, cases, flag, strategy);
        } else {
            self.all_on(list, cases);
        }
    }

    /// Appends the rules by which the flag is on without a variant where one of `cases` holds.
    pub(super) fn all_on(&mut self, list: &mut List, cases: &[Tests]) {
        for case in cases {
            let value = self.outcome(Outcome::On(None));
            self.rule(list, case.clone(), value);
        }
    }

    /// A strategy's constraints, and those of its segments; `None` where a segment is missing, so that
    /// it never holds.
    fn conditions(
        &mut self,
        side: Side<'a>,
        flag: Option<FlagId>,
        place: usize,
        strategy: &'a ActivationStrategy,
    ) -> Option<Tests> {
        let mut tests = Vec::with_capacity(strategy.constraints.len());
        let mut add = |list: &'a [Constraint], of: &dyn Fn(usize) -> ConditionPlace| {
            for (number, constraint) in list.iter().enumerate() {
                let dimension = self.field(&constraint.context_name);
                let probe = flag.and_then(|flag| side.engine.probe(flag, of(number)));
                tests.push(self.literal_of(dimension, Test::Constraint(constraint), probe));
            }
        };
        add(&strategy.constraints, &|constraint| ConditionPlace::Constraint {
            strategy: place,
            constraint,
        });
        for (segment, id) in strategy.segments.iter().enumerate() {
            let found = side.snapshot.segments.get(id)?;
            add(&found.constraints, &|constraint| {
                ConditionPlace::SegmentConstraint {
                    strategy: place,
                    segment,
                    constraint,
                }
            });
        }
        Some(tests)
    }

    /// What the strategy type itself asks, as cases that exclude each other.
    fn cases(
        &mut self,
        flag: &EnvironmentFlag,
        strategy: &'a ActivationStrategy,
        rule: Option<Probe<'a>>,
    ) -> Vec<Tests> {
        let parameter = |name: &str| strategy.parameters.get(name).map_or("", String::as_str);
        let stickiness = match strategy.name.as_str() {
            "default" => return vec![Vec::new()],
            "userWithId" => {
                let user = self.field("userId");
                return vec![vec![self.literal_of(
                    user,
                    Test::Users(parameter("userIds")),
                    rule,
                )]];
            }
            "remoteAddress" => {
                let address = self.field("remoteAddress");
                return vec![vec![self.literal_of(
                    address,
                    Test::Addresses(parameter("IPs")),
                    rule,
                )]];
            }
            "applicationHostname" => {
                let host = self.dimension(Dimension::Host);
                return vec![vec![self.literal_of(
                    host,
                    Test::Hosts(parameter("hostNames")),
                    rule,
                )]];
            }
            "flexibleRollout" => Stickiness::from_name(parameter("stickiness")),
            "gradualRolloutUserId" => Stickiness::Field("userId".to_owned()),
            "gradualRolloutSessionId" => Stickiness::Field("sessionId".to_owned()),
            "gradualRolloutRandom" => Stickiness::Random,
            custom => {
                let dimension = self.dimension(Dimension::Custom {
                    name: custom.to_owned(),
                    parameters: strategy.parameters.clone(),
                });
                return vec![vec![self.literal(dimension, Test::Says)]];
            }
        };
        match rule.and_then(|rule| rule.percentage()) {
            None | Some(0) => Vec::new(),
            Some(100) if !matches!(stickiness, Stickiness::Field(_)) => vec![Vec::new()],
            Some(percentage) => self.rollout(flag, strategy, &stickiness, u64::from(percentage)),
        }
    }

    fn rollout(
        &mut self,
        flag: &EnvironmentFlag,
        strategy: &ActivationStrategy,
        stickiness: &Stickiness,
        percentage: u64,
    ) -> Vec<Tests> {
        let range = Range {
            modulus: 100,
            from: 0,
            to: percentage,
        };
        let group = group(flag, strategy);
        let mut cases = Vec::new();
        for (who, mut case) in self.sources(stickiness, Purpose::Rollout) {
            let strategy = match who {
                None if matches!(stickiness, Stickiness::Field(_)) => continue,
                None => Some(&strategy.id),
                Some(_) => None,
            };
            if !range.is_all() {
                let dimension = self.drawn(who, group, Purpose::Rollout, strategy);
                case.push(self.literal(dimension, Test::Remainder(range)));
            }
            cases.push(case);
        }
        cases
    }

    /// Where a stickiness value comes from: a field, else chance, each with what must hold for that.
    pub(super) fn sources<'s>(
        &mut self,
        stickiness: &'s Stickiness,
        purpose: Purpose,
    ) -> Vec<(Option<&'s str>, Tests)> {
        let fields: Vec<&str> = match (stickiness, purpose) {
            (Stickiness::Random, _) => Vec::new(),
            (Stickiness::Default, Purpose::Rollout) => vec!["userId", "sessionId"],
            (Stickiness::Default, Purpose::Variant) => vec!["userId", "sessionId", "remoteAddress"],
            (Stickiness::Field(field), _) => vec![field.as_str()],
        };
        let mut unset: Tests = Vec::new();
        let mut sources = Vec::new();
        for field in fields {
            let dimension = self.field(field);
            let mut tests = unset.clone();
            tests.push(self.literal(dimension, Test::Set(true)));
            sources.push((Some(field), tests));
            unset.push(self.literal(dimension, Test::Set(false)));
        }
        sources.push((None, unset));
        sources
    }

    /// Adds tests that must hold as well; says whether they do not contradict each other.
    pub(super) fn join(&self, all: &mut Tests, more: &[usize]) -> bool {
        all.extend_from_slice(more);
        all.sort_unstable();
        all.dedup();
        let set = |wanted: bool| {
            let literals = all.iter().filter_map(|number| self.literals.get(*number));
            literals
                .filter(move |literal| literal.test == Test::Set(wanted))
                .map(|literal| literal.dimension)
        };
        !set(true).any(|field| set(false).any(|other| other == field))
    }

    /// Appends a rule, unless one that asks the same decides before it.
    pub(super) fn rule(&mut self, list: &mut List, mut tests: Tests, value: u32) {
        tests.sort_unstable();
        tests.dedup();
        let mut mixer = Mixer::default();
        tests.hash(&mut mixer);
        let is_it = |number: usize| self.conjunctions.get(number) == Some(&tests);
        let known = self.known.conjunctions.find(mixer.finish(), is_it);
        let number = known.unwrap_or_else(|| {
            self.conjunctions.push(tests);
            self.known.conjunctions.push(mixer.finish())
        });
        list.append((number, value));
    }

    pub(super) fn outcome(&mut self, outcome: Outcome) -> u32 {
        self.outcome_like(|known| *known == outcome, || outcome.clone())
    }

    /// The number of the outcome that is so; where there is none yet, of one that is made.
    pub(super) fn outcome_like(
        &mut self,
        is_it: impl Fn(&Outcome) -> bool,
        make: impl FnOnce() -> Outcome,
    ) -> u32 {
        let known = self.outcomes.iter().position(is_it);
        known.unwrap_or_else(|| {
            self.outcomes.push(make());
            self.outcomes.len() - 1
        }) as u32
    }

    /// A test that no engine is asked.
    pub(super) fn literal(&mut self, dimension: usize, test: Test<'a>) -> usize {
        self.literal_of(dimension, test, None)
    }

    fn literal_of(&mut self, dimension: usize, test: Test<'a>, probe: Option<Probe<'a>>) -> usize {
        let mut mixer = Mixer::default();
        (dimension, test).hash(&mut mixer);
        let is_it = |number: usize| {
            let known = self.literals.get(number);
            known.is_some_and(|known| known.dimension == dimension && known.test == test)
        };
        let known = self.known.literals.find(mixer.finish(), is_it);
        known.unwrap_or_else(|| {
            let number = self.known.literals.push(mixer.finish());
            if let Some(own) = self.by_dimension.get_mut(dimension) {
                own.push(number);
            }
            self.literals.push(Literal {
                dimension,
                test,
                probe,
            });
            number
        })
    }
}

/// What is hashed together with the value.
pub(super) fn group<'a>(flag: &'a EnvironmentFlag, strategy: &'a ActivationStrategy) -> &'a str {
    strategy
        .parameters
        .get("groupId")
        .map_or(flag.name.as_str(), String::as_str)
}
