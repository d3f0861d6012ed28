//! Probes: the single questions about single fields that a flag's decision is made of.
//!
//! Whether a flag is on, and with which variant, follows from what each constraint, rollout, list
//! and set of variants says of the value of its one field. So two values of a field that all
//! probes of the field answer alike are alike to the flag, whatever the other fields are. Probes
//! are asked with the engine itself, as flags with nothing else in them; it also tells which fields
//! each of them reads.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{
    ActivationStrategy, Constraint, Context, EnvironmentFlag, EnvironmentSnapshot, FlagName, Operator,
    Variant,
};
use vexil_engine::{Ambient, Engine, FlagId};

use crate::cost;

/// What is asked of a value.
#[derive(Debug, Clone)]
enum Probe {
    /// Whether this flag is on.
    Switch(FlagId),
    /// Which variant this flag has; variants are named by their numbers.
    Pick(FlagId),
    /// Whether the value is one of these.
    Listed(HashSet<String>),
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
    ///
    /// # Errors
    ///
    /// When the budget does not last: copying and compiling costs a unit for each value.
    pub(crate) fn of(
        flag: &FlagName,
        snapshots: &[&EnvironmentSnapshot],
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut collector = Collector::default();
        for snapshot in snapshots {
            let Some(flag) = snapshot.flags.get(flag) else {
                continue;
            };
            budget.spend(cost::to_copy(flag, snapshot))?;
            collector.flag(snapshot, flag);
            let parents = flag
                .dependencies
                .iter()
                .filter_map(|it| snapshot.flags.get(&it.parent));
            for parent in parents {
                collector.flag(snapshot, parent);
            }
        }
        Ok(collector.finish())
    }

    /// Pays for the signatures of so many values of a field.
    pub(crate) fn pay(&self, field: &str, values: usize, budget: &Budget) -> Result<(), Exhausted> {
        let probes = self.field(field).map_or(0, |field| field.probes.len());
        budget.spend_product(&[values, 1 + probes])
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
                .parse::<u32>()
                .unwrap_or(u32::MAX),
            Probe::Listed(values) => u32::from(values.contains(value)),
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

/// Gathers probes, each once, as flags of an environment of their own.
#[derive(Default)]
struct Collector {
    scratch: EnvironmentSnapshot,
    /// What was gathered, in the order of the names of the scratch flags.
    asked: Vec<Asked>,
    /// The same, to find what was gathered before.
    known: HashSet<Asked>,
    /// Constraints that were gathered.
    known_constraints: HashSet<Constraint>,
    /// Context values that get a variant whatever the weights say, by field.
    listed: Vec<(String, Vec<String>)>,
    /// What fields are compared with, for those who look for values worth trying.
    constraints: BTreeMap<String, Vec<Constraint>>,
}

/// A scratch flag.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Asked {
    strategy: ActivationStrategy,
    /// Whether the variant counts, and not the switch.
    picks: bool,
    /// Whether the values that it reads are hashed.
    hashes: bool,
}

impl Collector {
    fn flag(&mut self, snapshot: &EnvironmentSnapshot, flag: &EnvironmentFlag) {
        for strategy in flag
            .settings
            .strategies
            .iter()
            .filter(|strategy| !strategy.disabled)
        {
            let segments = strategy
                .segments
                .iter()
                .filter_map(|id| snapshot.segments.get(id));
            let shared = segments.flat_map(|segment| &segment.constraints);
            for constraint in strategy.constraints.iter().chain(shared) {
                self.constraint(constraint);
            }
            let mut bare = ActivationStrategy::new("probe", strategy.name.as_str());
            bare.parameters = strategy.parameters.clone();
            bare.parameters
                .get_or_insert_with("groupId".to_owned(), || flag.name.to_string());
            self.variants(&bare, &strategy.variants);
            self.rule(bare);
        }
        let own = ActivationStrategy::new("probe", "default").with_parameter("groupId", flag.name.as_str());
        self.variants(&own, &flag.settings.variants);
    }

    fn constraint(&mut self, constraint: &Constraint) {
        if !self.known_constraints.insert(constraint.clone()) {
            return;
        }
        self.constraints
            .entry(constraint.context_name.clone())
            .or_default()
            .push(constraint.clone());
        let strategy = ActivationStrategy::new("probe", "default").with_constraint(constraint.clone());
        self.ask(Asked {
            strategy,
            picks: false,
            hashes: false,
        });
    }

    /// What the strategy type itself asks.
    fn rule(&mut self, strategy: ActivationStrategy) {
        let list = |name: &str| -> Vec<String> {
            let text = strategy.parameters.get(name).map_or("", String::as_str);
            text.split(',').map(str::to_owned).collect()
        };
        let hashes = match strategy.name.as_str() {
            "flexibleRollout" | "gradualRolloutUserId" | "gradualRolloutSessionId" => true,
            "userWithId" => {
                self.compared("userId", Operator::In, list("userIds"));
                false
            }
            "remoteAddress" => {
                self.compared("remoteAddress", Operator::InCidr, list("IPs"));
                false
            }
            _ => return,
        };
        self.ask(Asked {
            strategy,
            picks: false,
            hashes,
        });
    }

    fn variants(&mut self, strategy: &ActivationStrategy, variants: &[Variant]) {
        if variants.is_empty() {
            return;
        }
        for one in variants.iter().flat_map(|variant| &variant.overrides) {
            self.compared(&one.context_name, Operator::In, one.values.clone());
            self.listed.push((one.context_name.clone(), one.values.clone()));
        }
        let numbered = |(number, variant): (usize, &Variant)| Variant {
            name: number.to_string(),
            payload: None,
            overrides: Vec::new(),
            ..variant.clone()
        };
        let mut strategy = ActivationStrategy {
            name: "default".to_owned(),
            ..strategy.clone()
        };
        strategy.variants = variants.iter().enumerate().map(numbered).collect();
        self.ask(Asked {
            strategy,
            picks: true,
            hashes: true,
        });
    }

    /// Remembers values that a field is compared with.
    fn compared(&mut self, field: &str, operator: Operator, values: Vec<String>) {
        let constraint = Constraint {
            values,
            ..Constraint::new(field, operator)
        };
        self.constraints
            .entry(field.to_owned())
            .or_default()
            .push(constraint);
    }

    fn ask(&mut self, asked: Asked) {
        if !self.known.insert(asked.clone()) {
            return;
        }
        let name = self.asked.len().to_string();
        let flag = EnvironmentFlag::new(name.as_str(), "default").with_strategy(asked.strategy.clone());
        self.scratch.flags.insert(flag.name.clone(), Arc::new(flag));
        self.asked.push(asked);
    }

    fn finish(mut self) -> Probes {
        let (engine, _) = Engine::compile(&self.scratch);
        let mut by_field: BTreeMap<String, FieldProbes> = BTreeMap::new();
        for (number, asked) in self.asked.iter().enumerate() {
            let Some(flag) = engine.flag(&number.to_string()) else {
                continue;
            };
            for field in engine.reads(flag) {
                let known = by_field.entry(field.to_owned()).or_default();
                known.is_hashed |= asked.hashes;
                known.probes.push(if asked.picks {
                    Probe::Pick(flag)
                } else {
                    Probe::Switch(flag)
                });
            }
        }
        for (field, values) in self.listed {
            by_field
                .entry(field)
                .or_default()
                .probes
                .push(Probe::Listed(values.into_iter().collect()));
        }
        for (field, probes) in &mut by_field {
            probes.constraints = self.constraints.remove(field).unwrap_or_default();
        }
        Probes { engine, by_field }
    }
}
