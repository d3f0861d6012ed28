//! Probes: the single questions about single fields that a flag's decision is made of.
//!
//! Whether a flag is on, and with which variant, follows from what each constraint, rollout, list
//! and set of variants says of the value of its one field. So two values of a field that all
//! probes of the field answer alike are alike to the flag, whatever the other fields are. Probes
//! are asked with the engine itself, as flags with nothing else in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use vexil_domain::{
    ActivationStrategy, Constraint, Context, EnvironmentFlag, EnvironmentSnapshot, FlagSettings, Stickiness,
    Variant,
};
use vexil_engine::{Ambient, Engine, FlagId};

/// Fields that stand for the user where the stickiness is the default. Rollouts do not look at the last.
const WHO: [&str; 3] = ["userId", "sessionId", "remoteAddress"];

/// What is asked of a value.
#[derive(Debug, Clone)]
enum Probe {
    /// Whether this flag is on.
    Switch(FlagId),
    /// Which variant this flag has; variants are named by their numbers.
    Pick(FlagId),
    /// Whether the value is one of these.
    Listed(Vec<String>),
}

/// The probes of one or more flags, by field.
#[derive(Debug)]
pub(crate) struct Probes {
    engine: Engine,
    by_field: BTreeMap<String, FieldProbes>,
}

/// The probes of one field.
#[derive(Debug, Default)]
pub(crate) struct FieldProbes {
    probes: Vec<Probe>,
    /// The constraints among the probes, and lists of members as constraints.
    pub(crate) constraints: Vec<Constraint>,
    /// Whether the value is hashed into buckets.
    pub(crate) is_hashed: bool,
}

/// What the probes of a field answer for a value. Equal signatures mean equal decisions.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Signature(Vec<u32>);

impl Probes {
    /// The probes of a flag as it is in each of these snapshots, its parents' included.
    pub(crate) fn of(flag: &str, snapshots: &[&EnvironmentSnapshot]) -> Self {
        let mut collector = Collector::default();
        for snapshot in snapshots {
            let Some(flag) = snapshot.flags.get(flag) else {
                continue;
            };
            collector.flag(snapshot, flag);
            let parents = flag
                .dependencies
                .iter()
                .filter_map(|it| snapshot.flags.get(&it.parent));
            for parent in parents {
                collector.flag(snapshot, parent);
            }
        }
        collector.finish()
    }

    /// The fields that are asked for, by name.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &FieldProbes)> {
        self.by_field.iter().map(|(name, probes)| (name.as_str(), probes))
    }

    /// The probes of one field.
    pub(crate) fn field(&self, name: &str) -> Option<&FieldProbes> {
        self.by_field.get(name)
    }

    /// What the probes of `field` answer for `value`.
    pub(crate) fn signature(&self, field: &str, value: &str, ambient: &Ambient<'_>) -> Signature {
        let Some(known) = self.by_field.get(field).filter(|_| !value.is_empty()) else {
            return Signature(Vec::new());
        };
        let context = Context::default().with(field, value);
        let answers = known.probes.iter().map(|probe| match probe {
            Probe::Switch(flag) => u32::from(self.engine.is_enabled_by(*flag, &context, ambient)),
            Probe::Pick(flag) => self
                .engine
                .variant_by(*flag, &context, ambient)
                .name
                .parse()
                .unwrap_or(u32::MAX),
            Probe::Listed(values) => u32::from(values.iter().any(|one| one == value)),
        });
        Signature(answers.collect())
    }
}

impl FieldProbes {
    /// How many questions are asked for each value.
    pub(crate) fn len(&self) -> usize {
        self.probes.len()
    }
}

/// Gathers probes, each once.
#[derive(Default)]
struct Collector {
    scratch: EnvironmentSnapshot,
    /// What was gathered, with the scratch flag that asks for it.
    switches: Vec<(ActivationStrategy, String)>,
    picks: Vec<(String, Vec<Variant>, String)>,
    by_field: BTreeMap<String, Vec<Question>>,
    constraints: BTreeMap<String, Vec<Constraint>>,
    hashed: Vec<String>,
}

/// A probe before the engine is there.
#[derive(PartialEq)]
enum Question {
    Switch(String),
    Pick(String),
    Listed(Vec<String>),
}

impl Collector {
    fn flag(&mut self, snapshot: &EnvironmentSnapshot, flag: &EnvironmentFlag) {
        for strategy in flag
            .settings
            .strategies
            .iter()
            .filter(|strategy| !strategy.disabled)
        {
            let group = strategy
                .parameters
                .get("groupId")
                .map_or(flag.name.as_str(), String::as_str);
            let segments = strategy
                .segments
                .iter()
                .filter_map(|id| snapshot.segments.get(id));
            let shared = segments.flat_map(|segment| &segment.constraints);
            for constraint in strategy.constraints.iter().chain(shared) {
                self.constraint(constraint);
            }
            self.rule(strategy, group);
            self.variants(group, &strategy.variants);
        }
        self.variants(flag.name.as_str(), &flag.settings.variants);
    }

    fn constraint(&mut self, constraint: &Constraint) {
        let known = self
            .constraints
            .entry(constraint.context_name.clone())
            .or_default();
        if known.contains(constraint) {
            return;
        }
        known.push(constraint.clone());
        let strategy = ActivationStrategy::new("probe", "default").with_constraint(constraint.clone());
        self.switch(strategy, &[&constraint.context_name]);
    }

    /// What the strategy type itself asks.
    fn rule(&mut self, strategy: &ActivationStrategy, group: &str) {
        let stickiness;
        let fields: &[&str] = match strategy.name.as_str() {
            "flexibleRollout" => {
                let name = strategy.parameters.get("stickiness").map_or("", String::as_str);
                stickiness = Stickiness::from_name(name);
                match &stickiness {
                    Stickiness::Default => &["userId", "sessionId"],
                    Stickiness::Random => return,
                    Stickiness::Field(field) => &[field.as_str()],
                }
            }
            "gradualRolloutUserId" => &["userId"],
            "gradualRolloutSessionId" => &["sessionId"],
            "userWithId" | "remoteAddress" => return self.list(strategy),
            _ => return,
        };
        let mut bare = ActivationStrategy::new("probe", strategy.name.as_str());
        bare.parameters = strategy.parameters.clone();
        bare.parameters.insert("groupId".to_owned(), group.to_owned());
        self.hashed.extend(fields.iter().map(|field| (*field).to_owned()));
        self.switch(bare, fields);
    }

    /// `userWithId` and `remoteAddress`, which say what a constraint could say as well.
    fn list(&mut self, strategy: &ActivationStrategy) {
        use vexil_domain::Operator::{In, InCidr};
        let (field, parameter, operator) = match strategy.name.as_str() {
            "userWithId" => ("userId", "userIds", In),
            _ => ("remoteAddress", "IPs", InCidr),
        };
        let mut constraint = Constraint::new(field, operator);
        let list = strategy.parameters.get(parameter).map_or("", String::as_str);
        constraint.values = list.split(',').map(str::to_owned).collect();
        self.constraint(&constraint);
    }

    fn variants(&mut self, group: &str, variants: &[Variant]) {
        let Some(first) = variants.first() else { return };
        for one in variants.iter().flat_map(|variant| &variant.overrides) {
            self.ask(&one.context_name, Question::Listed(one.values.clone()));
            let mut members = Constraint::new(one.context_name.as_str(), vexil_domain::Operator::In);
            members.values = one.values.clone();
            self.constraints
                .entry(one.context_name.clone())
                .or_default()
                .push(members);
        }
        let fields: &[&str] = match first.stickiness.as_ref().unwrap_or(&Stickiness::Default) {
            Stickiness::Default => &WHO,
            Stickiness::Random => return,
            Stickiness::Field(field) => &[field.as_str()],
        };
        let numbered = |(number, variant): (usize, &Variant)| Variant {
            name: number.to_string(),
            weight: variant.weight,
            weight_type: variant.weight_type.clone(),
            stickiness: variant.stickiness.clone(),
            payload: None,
            overrides: Vec::new(),
        };
        let numbered: Vec<Variant> = variants.iter().enumerate().map(numbered).collect();
        self.hashed.extend(fields.iter().map(|field| (*field).to_owned()));
        self.pick(group, numbered, fields);
    }

    fn switch(&mut self, strategy: ActivationStrategy, fields: &[&str]) {
        let known = self.switches.iter().find(|(known, _)| *known == strategy);
        let name = match known {
            Some((_, name)) => name.clone(),
            None => {
                let name = self.scratch(vec![strategy.clone()]);
                self.switches.push((strategy, name.clone()));
                name
            }
        };
        for field in fields {
            self.ask(field, Question::Switch(name.clone()));
        }
    }

    fn pick(&mut self, group: &str, variants: Vec<Variant>, fields: &[&str]) {
        let known = self
            .picks
            .iter()
            .find(|(known, list, _)| known == group && *list == variants);
        let name = match known {
            Some((_, _, name)) => name.clone(),
            None => {
                let mut strategy =
                    ActivationStrategy::new("probe", "default").with_parameter("groupId", group);
                strategy.variants = variants.clone();
                let name = self.scratch(vec![strategy]);
                self.picks.push((group.to_owned(), variants, name.clone()));
                name
            }
        };
        for field in fields {
            self.ask(field, Question::Pick(name.clone()));
        }
    }

    /// Adds a flag that is on by these strategies, and returns its name.
    fn scratch(&mut self, strategies: Vec<ActivationStrategy>) -> String {
        let name = self.scratch.flags.len().to_string();
        let flag = EnvironmentFlag {
            name: name.as_str().into(),
            project: "default".into(),
            kind: "release".to_owned(),
            description: None,
            stale: false,
            impression_data: false,
            dependencies: Vec::new(),
            settings: Arc::new(FlagSettings {
                enabled: true,
                strategies,
                variants: Vec::new(),
            }),
        };
        self.scratch.flags.insert(flag.name.clone(), Arc::new(flag));
        name
    }

    fn ask(&mut self, field: &str, question: Question) {
        let known = self.by_field.entry(field.to_owned()).or_default();
        if !known.contains(&question) {
            known.push(question);
        }
    }

    fn finish(mut self) -> Probes {
        let (engine, _) = Engine::compile(&self.scratch);
        let probe = |question| match question {
            Question::Switch(name) => engine.flag(&name).map(Probe::Switch),
            Question::Pick(name) => engine.flag(&name).map(Probe::Pick),
            Question::Listed(values) => Some(Probe::Listed(values)),
        };
        let mut by_field = BTreeMap::new();
        for (field, questions) in self.by_field {
            let probes = FieldProbes {
                probes: questions.into_iter().filter_map(probe).collect(),
                constraints: self.constraints.remove(&field).unwrap_or_default(),
                is_hashed: self.hashed.contains(&field),
            };
            by_field.insert(field, probes);
        }
        Probes { engine, by_field }
    }
}
