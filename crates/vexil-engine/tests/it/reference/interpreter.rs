//! The rules, one function each. `None` is "perhaps": chance decides.

use std::io::Cursor;
use std::net::IpAddr;

use ipnet::IpNet;
use regex::RegexBuilder;
use time::OffsetDateTime;
use vexil_domain::{
    ActivationStrategy, Constraint, Context, Dependency, EnvironmentFlag, EnvironmentSnapshot, Operator,
    Stickiness, Variant,
};

use super::values::{date, list, lower, number};

pub(super) struct Interpreter<'a> {
    pub(super) snapshot: &'a EnvironmentSnapshot,
    pub(super) context: &'a Context,
    pub(super) now: OffsetDateTime,
    pub(super) host: Option<&'a str>,
}

type Perhaps<T> = Option<T>;

fn and(left: Perhaps<bool>, right: Perhaps<bool>) -> Perhaps<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn bucket(group: &str, value: &str, seed: u32, size: u64) -> u64 {
    let hash = murmur3::murmur3_32(&mut Cursor::new(format!("{group}:{value}")), seed).unwrap();
    u64::from(hash) % size + 1
}

fn networks<'a>(entries: impl Iterator<Item = &'a str>) -> Vec<IpNet> {
    entries
        .filter_map(|entry| {
            let entry = entry.trim();
            let address = || entry.parse::<IpAddr>().ok().map(IpNet::from);
            entry.parse::<IpNet>().ok().or_else(address)
        })
        .collect()
}

/// "A constraint whose own value cannot be read never holds"; what is merely listed beside others is passed
/// over, unless that would let somebody in.
fn has_bad_network(entries: &[String]) -> bool {
    let entries = list(entries);
    networks(entries.iter().copied()).len() < entries.len()
}

impl<'a> Interpreter<'a> {
    pub(super) fn is_enabled(&self, flag: &EnvironmentFlag) -> Perhaps<bool> {
        let mut parents = Some(true);
        for dependency in &flag.dependencies {
            parents = and(parents, self.parent(dependency));
        }
        and(and(Some(flag.settings.enabled), parents), self.strategies(flag))
    }

    pub(super) fn parent(&self, dependency: &Dependency) -> Perhaps<bool> {
        let parent = self.snapshot.flags.get(&dependency.parent);
        let Some(parent) = parent.filter(|parent| parent.dependencies.is_empty()) else {
            return Some(false);
        };
        let on = self.is_enabled(parent);
        if !dependency.enabled || dependency.variants.is_empty() {
            return on.map(|on| on == dependency.enabled);
        }
        let listed = self.variant(parent).map(|variant| {
            let name = variant.unwrap_or("disabled");
            dependency.variants.iter().any(|wanted| wanted == name)
        });
        and(on, listed)
    }

    fn strategies(&self, flag: &EnvironmentFlag) -> Perhaps<bool> {
        let strategies = &flag.settings.strategies;
        if strategies.is_empty() {
            return Some(true);
        }
        let verdicts: Vec<_> = strategies
            .iter()
            .map(|strategy| self.strategy(flag, strategy))
            .collect();
        if verdicts.contains(&Some(true)) {
            Some(true)
        } else if verdicts.contains(&None) {
            None
        } else {
            Some(false)
        }
    }

    fn strategy(&self, flag: &EnvironmentFlag, strategy: &ActivationStrategy) -> Perhaps<bool> {
        let constraints = strategy.constraints.iter().all(|one| self.constraint(one));
        let segments = strategy.segments.iter().all(|id| {
            let segment = self.snapshot.segments.get(id);
            segment.is_some_and(|segment| segment.constraints.iter().all(|one| self.constraint(one)))
        });
        and(
            Some(!strategy.disabled && constraints && segments),
            self.rule(flag, strategy),
        )
    }

    pub(super) fn rule(&self, flag: &EnvironmentFlag, strategy: &ActivationStrategy) -> Perhaps<bool> {
        let parameter = |name: &str| strategy.parameters.get(name).map(String::as_str);
        let items = |name: &str| parameter(name).unwrap_or_default().split(',');
        let rollout = |percentage: &str, value: Perhaps<Option<&str>>| {
            let Some(percentage) = parameter(percentage).and_then(number) else {
                return Some(false);
            };
            match value {
                Some(None) => Some(false),
                _ if percentage < 1.0 => Some(false),
                None if percentage >= 100.0 => Some(true),
                None => None,
                Some(Some(value)) => {
                    let group = parameter("groupId").unwrap_or(flag.name.as_str());
                    Some(bucket(group, value, 0, 100) as f64 <= percentage)
                }
            }
        };
        match strategy.name.as_str() {
            "default" => Some(true),
            "flexibleRollout" => rollout(
                "rollout",
                match Stickiness::from_name(parameter("stickiness").unwrap_or_default()) {
                    Stickiness::Random => None,
                    Stickiness::Default => self.first(&["userId", "sessionId"]).map(Some),
                    Stickiness::Field(field) => Some(self.context.get(&field)),
                },
            ),
            "gradualRolloutUserId" => rollout("percentage", Some(self.context.get("userId"))),
            "gradualRolloutSessionId" => rollout("percentage", Some(self.context.get("sessionId"))),
            "gradualRolloutRandom" => rollout("percentage", None),
            "userWithId" => {
                let user = self.context.get("userId");
                Some(user.is_some_and(|user| items("userIds").any(|item| item.trim() == user)))
            }
            "remoteAddress" => {
                let address = self
                    .context
                    .get("remoteAddress")
                    .and_then(|text| text.parse::<IpAddr>().ok());
                let networks = networks(items("IPs"));
                Some(address.is_some_and(|address| networks.iter().any(|network| network.contains(&address))))
            }
            "applicationHostname" => {
                let host = self.host.map(lower);
                Some(host.is_some_and(|host| items("hostNames").any(|item| lower(item.trim()) == host)))
            }
            _ => Some(false),
        }
    }

    fn first(&self, fields: &[&str]) -> Option<&'a str> {
        fields.iter().find_map(|field| self.context.get(field))
    }

    pub(super) fn constraint(&self, constraint: &Constraint) -> bool {
        let value = self.context.get(&constraint.context_name);
        let holds = match &constraint.operator {
            Operator::Unknown(_) => return false,
            Operator::InCidr if constraint.is_inverted() && has_bad_network(&constraint.values) => None,
            operator if operator.takes_values() => Some(self.list_operator(constraint, value)),
            operator => constraint
                .value
                .as_deref()
                .and_then(|wanted| self.value_operator(constraint, operator, wanted, value)),
        };
        holds.is_some_and(|holds| holds != constraint.is_inverted())
    }

    fn list_operator(&self, constraint: &Constraint, value: Option<&str>) -> bool {
        let values = list(&constraint.values);
        let Some(value) = value else {
            return constraint.operator == Operator::NotIn;
        };
        let fold = |text: &str| {
            if constraint.is_case_insensitive() {
                lower(text)
            } else {
                text.to_owned()
            }
        };
        let any = |holds: fn(&str, &str) -> bool| values.iter().any(|one| holds(&fold(value), &fold(one)));
        match constraint.operator {
            Operator::In => values.contains(&value),
            Operator::NotIn => !values.contains(&value),
            Operator::StrStartsWith => any(|value, part| value.starts_with(part)),
            Operator::StrEndsWith => any(|value, part| value.ends_with(part)),
            Operator::StrContains => any(|value, part| value.contains(part)),
            _ => {
                let networks = networks(values.into_iter());
                let address = value.parse::<IpAddr>();
                address.is_ok_and(|address| networks.iter().any(|network| network.contains(&address)))
            }
        }
    }

    /// `None` where the constraint itself cannot be understood.
    fn value_operator(
        &self,
        constraint: &Constraint,
        operator: &Operator,
        wanted: &str,
        value: Option<&str>,
    ) -> Option<bool> {
        Some(match operator {
            Operator::NumEq | Operator::NumGt | Operator::NumGte | Operator::NumLt | Operator::NumLte => {
                let wanted = number(wanted)?;
                value.and_then(number).is_some_and(|value| match operator {
                    Operator::NumEq => value == wanted,
                    Operator::NumGt => value > wanted,
                    Operator::NumGte => value >= wanted,
                    Operator::NumLt => value < wanted,
                    _ => value <= wanted,
                })
            }
            Operator::DateAfter | Operator::DateBefore => {
                let wanted = date(wanted.trim())?;
                let value = match value {
                    None if constraint.context_name == "currentTime" => Some(self.now),
                    value => value.and_then(date),
                };
                value.is_some_and(|value| match operator {
                    Operator::DateAfter => value > wanted,
                    _ => value < wanted,
                })
            }
            Operator::Regex => {
                let mut pattern = RegexBuilder::new(wanted);
                let pattern = pattern
                    .case_insensitive(constraint.is_case_insensitive())
                    .build()
                    .ok()?;
                value.is_some_and(|value| pattern.is_match(value))
            }
            Operator::SemverEq
            | Operator::SemverGt
            | Operator::SemverGte
            | Operator::SemverLt
            | Operator::SemverLte => {
                let wanted = semver::Version::parse(wanted.trim()).ok()?;
                let value = value.and_then(|value| semver::Version::parse(value).ok());
                value.is_some_and(|value| {
                    let order = value.cmp_precedence(&wanted);
                    match operator {
                        Operator::SemverEq => order.is_eq(),
                        Operator::SemverGt => order.is_gt(),
                        Operator::SemverGte => order.is_ge(),
                        Operator::SemverLt => order.is_lt(),
                        _ => order.is_le(),
                    }
                })
            }
            Operator::In
            | Operator::NotIn
            | Operator::StrStartsWith
            | Operator::StrEndsWith
            | Operator::StrContains
            | Operator::InCidr
            | Operator::Unknown(_) => return None,
        })
    }

    /// The name of the variant; the inner `None` is no variant.
    pub(super) fn variant<'f>(&self, flag: &'f EnvironmentFlag) -> Perhaps<Option<&'f str>> {
        if !self.is_enabled(flag)? {
            return Some(None);
        }
        for strategy in &flag.settings.strategies {
            if !self.strategy(flag, strategy)? {
                continue;
            }
            let own = self.own_variant(flag, strategy)?;
            if own.is_some() {
                return Some(own);
            }
            break;
        }
        self.flag_variant(flag)
    }

    /// What a strategy gives of its own when it is the first that holds.
    pub(super) fn own_variant<'f>(
        &self,
        flag: &EnvironmentFlag,
        strategy: &'f ActivationStrategy,
    ) -> Perhaps<Option<&'f str>> {
        let stickiness = strategy
            .parameters
            .get("stickiness")
            .map(|name| Stickiness::from_name(name));
        let group = strategy
            .parameters
            .get("groupId")
            .map_or(flag.name.as_str(), String::as_str);
        self.pick(&strategy.variants, group, stickiness)
    }

    /// What the flag gives where the strategy gives nothing.
    pub(super) fn flag_variant<'f>(&self, flag: &'f EnvironmentFlag) -> Perhaps<Option<&'f str>> {
        self.pick(&flag.settings.variants, flag.name.as_str(), None)
    }

    fn pick<'f>(
        &self,
        variants: &'f [Variant],
        group: &str,
        stickiness: Option<Stickiness>,
    ) -> Perhaps<Option<&'f str>> {
        let Some(first) = variants.first() else {
            return Some(None);
        };
        let listed = variants.iter().find(|variant| {
            variant.overrides.iter().any(|one| {
                let value = self.context.get(&one.context_name);
                value.is_some_and(|value| one.values.iter().any(|wanted| wanted == value))
            })
        });
        if let Some(variant) = listed {
            return Some(Some(&variant.name));
        }
        let total: u64 = variants.iter().map(|variant| u64::from(variant.weight)).sum();
        if total == 0 {
            return Some(None);
        }
        let value = match stickiness
            .or_else(|| first.stickiness.clone())
            .unwrap_or_default()
        {
            Stickiness::Random => None,
            Stickiness::Default => self.first(&["userId", "sessionId", "remoteAddress"]),
            Stickiness::Field(field) => self.context.get(&field),
        };
        let mut left = bucket(group, value?, 86_028_157, total);
        for variant in variants {
            let weight = u64::from(variant.weight);
            if left <= weight {
                return Some(Some(&variant.name));
            }
            left -= weight;
        }
        unreachable!("the bucket is not above the sum of the weights")
    }
}
