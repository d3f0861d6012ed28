//! Contexts near everything that a flag compares with. They are made from the flags alone, not from atoms.

use std::collections::BTreeMap;
use std::io::Cursor;

use time::{Duration, OffsetDateTime};
use vexil_domain::{ActivationStrategy, Context, EnvironmentFlag, EnvironmentSnapshot, FlagName, Parameters};
use vexil_engine::Ambient;
use vexil_values::{Comparison, Instant, Network, read};

use super::sides::Random;
use crate::{CustomAnswer, Side, Witness};

/// So many ids are looked through for one that falls into a bucket.
const MOST_IDS: u32 = 20_000;

/// Values to draw contexts from, by field.
#[derive(Default)]
pub(crate) struct Pools {
    fields: BTreeMap<String, Vec<String>>,
    hosts: Vec<String>,
    presents: Vec<OffsetDateTime>,
    customs: Vec<(String, Parameters)>,
}

/// One context, with what else an answer depends on.
pub(crate) struct Drawn {
    pub(crate) context: Context,
    pub(crate) now: OffsetDateTime,
    pub(crate) seed: u64,
    pub(crate) host: Option<String>,
    /// For each custom strategy whether it says yes.
    pub(crate) says: Vec<CustomAnswer>,
}

impl Drawn {
    pub(crate) fn ambient(&self) -> Ambient<'_> {
        Ambient {
            now: self.now,
            seed: self.seed,
            host_name: self.host.as_deref(),
            custom_results: None,
        }
    }
}

impl Pools {
    /// Values around all that a flag and its parents compare with on both sides, and `others`.
    pub(crate) fn of(sides: [Side<'_>; 2], flag: &FlagName, others: &[(String, String)]) -> Self {
        let mut pools = Self::default();
        for side in sides {
            let own = side.snapshot.flags.get(flag);
            let parents = own.iter().flat_map(|flag| &flag.dependencies);
            let parents = parents.filter_map(|it| side.snapshot.flags.get(&it.parent));
            for flag in own.into_iter().chain(parents) {
                pools.add_flag(side.snapshot, flag);
            }
        }
        for (field, value) in others {
            pools.add(field, value.clone());
        }
        for field in ["userId", "sessionId", "remoteAddress"] {
            pools.add(field, "7".to_owned());
        }
        for values in pools.fields.values_mut() {
            values.sort_unstable();
            values.dedup();
        }
        pools
    }

    fn add(&mut self, field: &str, value: String) {
        self.fields.entry(field.to_owned()).or_default().push(value);
    }

    fn add_flag(&mut self, snapshot: &EnvironmentSnapshot, flag: &EnvironmentFlag) {
        let shared = flag.settings.variants.as_slice();
        self.add_variants(shared, flag.name.as_str(), None);
        for strategy in &flag.settings.strategies {
            let segments = strategy
                .segments
                .iter()
                .filter_map(|id| snapshot.segments.get(id));
            let constraints = segments.flat_map(|segment| &segment.constraints);
            for constraint in strategy.constraints.iter().chain(constraints) {
                self.add_constraint(constraint);
            }
            self.add_strategy(flag, strategy);
        }
    }

    fn add_constraint(&mut self, constraint: &vexil_domain::Constraint) {
        let field = constraint.context_name.as_str();
        for value in constraint.values.iter().chain(&constraint.value) {
            for text in spelled(value.trim()) {
                self.add(field, text);
            }
        }
        match read(constraint, drop) {
            Some(Comparison::Number(_, number)) => {
                let number = number.get();
                for near in [
                    number,
                    number.next_up(),
                    number.next_down(),
                    -number,
                    number + 1.0,
                ] {
                    self.add(field, format!("{near}"));
                    self.add(field, format!("{near:e}"));
                }
            }
            Some(Comparison::Date(_, moment)) => {
                let near = near_moments(moment);
                if field == "currentTime" {
                    self.presents.extend(&near);
                }
                let texts = near
                    .iter()
                    .filter_map(|moment| moment.format(&time::format_description::well_known::Rfc3339).ok());
                let texts: Vec<String> = texts.collect();
                texts.into_iter().for_each(|text| self.add(field, text));
            }
            Some(Comparison::Version(_, version)) => {
                let [major, minor, patch] = version.core();
                let pre = version.pre();
                self.add(field, format!("{major}.{minor}.{}", patch.saturating_add(1)));
                self.add(field, format!("{major}.{minor}.{}-0", patch.saturating_add(1)));
                self.add(field, format!("{major}.{minor}.{patch}-0"));
                self.add(field, format!("{major}.{minor}.{patch}+b"));
                if !pre.is_empty() {
                    self.add(field, format!("{major}.{minor}.{patch}"));
                    self.add(field, format!("{major}.{minor}.{patch}-{pre}.0"));
                    self.add(field, format!("{major}.{minor}.{patch}-{pre}-"));
                }
            }
            Some(Comparison::Within(networks)) => {
                let networks: Vec<Network> = networks.into_iter().collect();
                networks
                    .iter()
                    .for_each(|network| self.add_network(field, network));
            }
            Some(Comparison::Pattern(_)) => {
                for text in ["~", " ", "\n", "é", "-a-", "a\na"] {
                    self.add(field, text.to_owned());
                }
            }
            _ => {}
        }
    }

    fn add_network(&mut self, field: &str, network: &Network) {
        use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
        for (address, step) in [
            (network.first(), -1_i8),
            (network.first(), 0),
            (network.last(), 0),
            (network.last(), 1),
        ] {
            let moved: IpAddr = match address {
                IpAddr::V4(address) => {
                    Ipv4Addr::from(u32::from(address).wrapping_add_signed(step.into())).into()
                }
                IpAddr::V6(address) => {
                    Ipv6Addr::from(u128::from(address).wrapping_add_signed(step.into())).into()
                }
            };
            self.add(field, moved.to_string());
        }
    }

    fn add_strategy(&mut self, flag: &EnvironmentFlag, strategy: &ActivationStrategy) {
        let parameter = |name: &str| strategy.parameters.get(name).map_or("", String::as_str);
        let group = strategy
            .parameters
            .get("groupId")
            .map_or(flag.name.as_str(), String::as_str);
        match strategy.name.as_str() {
            "userWithId" => {
                let users: Vec<String> = parameter("userIds")
                    .split(',')
                    .flat_map(|user| spelled(user.trim()))
                    .collect();
                users.into_iter().for_each(|user| self.add("userId", user));
            }
            "remoteAddress" => {
                for entry in parameter("IPs").split(',').map(str::trim) {
                    spelled(entry)
                        .into_iter()
                        .for_each(|text| self.add("remoteAddress", text));
                    if let Some(network) = Network::parse(entry) {
                        self.add_network("remoteAddress", &network);
                    }
                }
            }
            "applicationHostname" => self.hosts.extend(
                parameter("hostNames")
                    .split(',')
                    .map(|name| name.trim().to_owned()),
            ),
            "flexibleRollout" | "gradualRolloutUserId" | "gradualRolloutSessionId" => {
                let fields: &[&str] = match (strategy.name.as_str(), parameter("stickiness")) {
                    ("gradualRolloutUserId", _) => &["userId"],
                    ("gradualRolloutSessionId", _) => &["sessionId"],
                    (_, "default" | "" | "random") => &["userId", "sessionId"],
                    (_, field) => &[field],
                };
                let percentage = ["rollout", "percentage"]
                    .map(parameter)
                    .concat()
                    .parse()
                    .unwrap_or(50);
                for field in fields {
                    self.add_buckets(field, group, 0, 100, &[0, percentage]);
                }
            }
            "gradualRolloutRandom" | "default" => {}
            _ => self
                .customs
                .push((strategy.name.clone(), strategy.parameters.clone())),
        }
        self.add_variants(&strategy.variants, group, strategy.parameters.get("stickiness"));
    }

    fn add_variants(&mut self, variants: &[vexil_domain::Variant], group: &str, inherited: Option<&String>) {
        let total: u64 = variants.iter().map(|variant| u64::from(variant.weight)).sum();
        let mut ends = vec![0];
        for variant in variants {
            ends.push(ends[ends.len() - 1] + u64::from(variant.weight));
            for one in &variant.overrides {
                for value in &one.values {
                    spelled(value)
                        .into_iter()
                        .for_each(|text| self.add(&one.context_name, text));
                }
            }
        }
        if total == 0 || variants.len() < 2 {
            return;
        }
        let name = inherited
            .cloned()
            .or_else(|| Some(variants[0].stickiness.as_ref()?.name().to_owned()));
        let named: Vec<String> = match name.as_deref() {
            None | Some("default" | "random" | "") => {
                ["userId", "sessionId", "remoteAddress"].map(str::to_owned).into()
            }
            Some(field) => vec![field.to_owned()],
        };
        for field in &named {
            self.add_buckets(field, group, 86_028_157, total, &ends);
        }
    }

    /// Ids just below and just behind each end of a range of a hash.
    fn add_buckets(&mut self, field: &str, group: &str, seed: u32, modulus: u64, ends: &[u64]) {
        let mut wanted: Vec<u64> = ends
            .iter()
            .flat_map(|end| [*end, end.wrapping_sub(1)])
            .filter(|rest| *rest < modulus)
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        for number in 0..MOST_IDS.min(u32::try_from(modulus.saturating_mul(20)).unwrap_or(u32::MAX)) {
            let id = format!("id-{number}");
            let hash = murmur3::murmur3_32(&mut Cursor::new(format!("{group}:{id}")), seed).unwrap();
            if let Some(place) = wanted.iter().position(|rest| u64::from(hash) % modulus == *rest) {
                wanted.swap_remove(place);
                self.add(field, id);
            }
            if wanted.is_empty() {
                return;
            }
        }
    }

    /// One or two values of one of the fields.
    pub(crate) fn some(&self, random: &mut Random) -> (String, Vec<String>) {
        let fields: Vec<_> = self.fields.iter().collect();
        let (field, values) = *random.one_of(&fields);
        let chosen = (0..=random.below(2)).map(|_| random.one_of(values).clone());
        (field.clone(), chosen.collect())
    }

    /// A context of values from the pools, or one near a witness.
    pub(crate) fn draw(&self, witnesses: &[&Witness], number: usize, random: &mut Random) -> Drawn {
        let mut drawn = Drawn {
            context: Context::default(),
            now: time::macros::datetime!(2024-07-01 00:00:30 UTC),
            seed: number as u64,
            host: None,
            says: Vec::new(),
        };
        if !self.presents.is_empty() && random.below(2) == 0 {
            drawn.now = *random.one_of(&self.presents);
        }
        if !self.hosts.is_empty() && random.below(3) > 0 {
            drawn.host = Some(random.one_of(&self.hosts).clone());
        }
        for (name, parameters) in &self.customs {
            if random.below(2) == 0 {
                drawn.says.push(CustomAnswer {
                    name: name.clone(),
                    parameters: parameters.clone(),
                    says: true,
                });
            }
        }
        if !witnesses.is_empty() && number.is_multiple_of(3) {
            let witness = *random.one_of(witnesses);
            self.near(witness, &mut drawn, random);
            return drawn;
        }
        for (field, values) in &self.fields {
            match random.below(12) {
                0 => {}
                1 => drawn.context.set(field, format!("id-{}", random.below(100_000))),
                2 => drawn.context.set(field, random.below(200).to_string()),
                _ => drawn.context.set(field, random.one_of(values).as_str()),
            }
        }
        drawn
    }

    /// A witness with up to two of its fields changed by one letter, or to another value.
    fn near(&self, witness: &Witness, drawn: &mut Drawn, random: &mut Random) {
        drawn.now = witness.now.unwrap_or(drawn.now);
        drawn.seed = witness.seed.unwrap_or(drawn.seed);
        drawn.host = witness.host_name.clone().or_else(|| drawn.host.take());
        drawn.says = witness.strategies.clone();
        let mut values: BTreeMap<&str, String> = witness
            .context
            .iter()
            .map(|(field, value)| (field.as_str(), value.clone()))
            .collect();
        for _ in 0..random.below(3) {
            let fields: Vec<&str> = self.fields.keys().map(String::as_str).collect();
            let field = *random.one_of(&fields);
            let known = values.remove(field);
            let value = match (random.below(4), known) {
                (0, _) => continue,
                (1, Some(text)) => random.one_of(&spelled(&text)).clone(),
                (2, Some(text)) => format!("{text}{}", random.below(10)),
                _ => random.one_of(&self.fields[field]).clone(),
            };
            values.insert(field, value);
        }
        for (field, value) in values {
            drawn.context.set(field, value);
        }
    }
}

/// A text, and texts that differ from it by one letter.
fn spelled(text: &str) -> Vec<String> {
    let mut all = vec![
        text.to_owned(),
        format!("{text}~"),
        format!("~{text}"),
        format!("{text} "),
        format!("{text}0"),
    ];
    all.push(text.to_uppercase());
    all.push(text.to_lowercase());
    if let Some((last, _)) = text.char_indices().last() {
        all.push(text[..last].to_owned());
        all.push(format!("{}x", &text[..last]));
    }
    let mut rest = text.chars();
    if let Some(first) = rest.next() {
        all.push(rest.as_str().to_owned());
        all.push(format!("{first}{text}"));
    }
    all
}

fn near_moments(moment: Instant) -> Vec<OffsetDateTime> {
    let Ok(moment) = OffsetDateTime::try_from(moment) else {
        return Vec::new();
    };
    let steps = [
        Duration::ZERO,
        Duration::NANOSECOND,
        -Duration::NANOSECOND,
        Duration::DAY,
        -Duration::DAY,
    ];
    steps
        .iter()
        .filter_map(|step| moment.checked_add(*step))
        .collect()
}
