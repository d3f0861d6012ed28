//! Compiles what is particular to each strategy type.

use std::sync::Arc;

use vexil_domain::{FlagName, Stickiness};
use vexil_values::{Network, Number, fold};

use crate::compile::{Linker, place};
use crate::custom::{CompiledFunction, Custom};
use crate::fields::FieldId;
use crate::program::{Rare, Rollout, Rule, Sticky, StrategyKind};
use crate::values::hash::hash;
use crate::values::murmur::{Prefix, ROLLOUT_SEED};
use crate::values::networks::Networks;
use crate::values::text_set::TextSet;
use crate::{Place, Problem, source};

impl Linker {
    pub(crate) fn rule(&mut self, flag: &FlagName, index: usize, strategy: &impl source::Strategy) -> Rule {
        let list = |name: &str| items(strategy.parameter(name).unwrap_or_default());
        match StrategyKind::of(strategy.name()) {
            StrategyKind::Default => Rule::Always,
            StrategyKind::FlexibleRollout => {
                let sticky = strategy.parameter("stickiness").unwrap_or_default();
                let sticky = self.sticky(&Stickiness::from_name(sticky));
                self.rollout(flag, index, strategy, "rollout", sticky)
            }
            StrategyKind::GradualRolloutUserId => self.rollout(
                flag,
                index,
                strategy,
                "percentage",
                Sticky::Field(FieldId::USER_ID),
            ),
            StrategyKind::GradualRolloutSessionId => {
                let sticky = Sticky::Field(FieldId::SESSION_ID);
                self.rollout(flag, index, strategy, "percentage", sticky)
            }
            StrategyKind::GradualRolloutRandom => {
                self.rollout(flag, index, strategy, "percentage", Sticky::Random)
            }
            StrategyKind::UserWithId => Rule::Rare(Rare::Users(TextSet::new(list("userIds")))),
            StrategyKind::RemoteAddress => {
                let networks = self.networks(list("IPs"), || place(flag, index));
                Rule::Rare(Rare::Addresses(networks))
            }
            StrategyKind::ApplicationHostname => {
                let hosts = fold(strategy.parameter("hostNames").unwrap_or_default());
                Rule::Rare(Rare::Hosts(TextSet::new(items(&hosts))))
            }
            StrategyKind::Custom => Rule::Rare(Rare::Custom(Arc::new(self.custom(flag, index, strategy)))),
        }
    }

    /// A strategy of a type that the application decides. Where it does not know the type, that is warned of.
    fn custom(&mut self, flag: &FlagName, index: usize, strategy: &impl source::Strategy) -> Custom {
        let registered = self.custom.get(strategy.name()).cloned();
        if registered.is_none() && !strategy.disabled() {
            let problem = Problem::UnknownStrategy {
                strategy: strategy.name().to_owned(),
            };
            self.warn(place(flag, index), problem);
        }
        Custom {
            name: strategy.name().into(),
            place: index,
            parameters: strategy
                .parameters()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            function: registered.map(|registered| CompiledFunction {
                fields: registered.fields.iter().map(|field| self.field(field)).collect(),
                registered,
            }),
        }
    }

    /// The networks of a strategy's list. Entries that are none are passed over and warned of.
    fn networks<'a>(
        &mut self,
        entries: impl Iterator<Item = &'a str>,
        place: impl Fn() -> Place,
    ) -> Networks {
        let networks = entries.filter(|entry| !entry.is_empty()).filter_map(|entry| {
            let network = Network::parse(entry);
            if network.is_none() {
                let value = entry.to_owned();
                self.warn(place(), Problem::BadNetwork { value });
            }
            network
        });
        networks.collect()
    }

    pub(crate) fn sticky(&mut self, stickiness: &Stickiness) -> Sticky {
        match stickiness {
            Stickiness::Default => Sticky::Default,
            Stickiness::Random => Sticky::Random,
            Stickiness::Field(field) => Sticky::Field(self.field(field)),
        }
    }

    fn rollout(
        &mut self,
        flag: &FlagName,
        index: usize,
        strategy: &impl source::Strategy,
        parameter: &'static str,
        sticky: Sticky,
    ) -> Rule {
        let percentage = strategy.parameter(parameter).and_then(Number::parse);
        let Some(percentage) = percentage else {
            let place = Place {
                flag: Some(flag.clone()),
                strategy: Some(index),
                ..Place::default()
            };
            self.warn(place, Problem::UnusableParameter { parameter });
            return Rule::Rare(Rare::Unusable(parameter));
        };
        let group = group(flag, strategy);
        let prefix = Prefix::of_group(group, ROLLOUT_SEED);
        Rule::Rollout(Rollout {
            prefix,
            sticky,
            bound: percentage.get().clamp(0.0, 100.0) as u8,
            salt: rollout_salt(strategy.id().as_str(), prefix),
            group: (group != flag.as_str()).then(|| group.into()),
        })
    }
}

/// What tells the draws of a strategy's rollout from all others.
pub(crate) fn rollout_salt(strategy: &str, prefix: Prefix) -> u32 {
    (hash(strategy.as_bytes()) ^ prefix.salt()) as u32
}

/// The items of a parameter that is a list, without the blanks around them.
fn items(list: &str) -> impl Iterator<Item = &str> + Clone {
    list.split(',').map(str::trim)
}

/// What is hashed together with the stickiness value: the parameter `groupId`, else the flag's name.
pub(crate) fn group<'a>(flag: &'a FlagName, strategy: &'a impl source::Strategy) -> &'a str {
    strategy.parameter("groupId").unwrap_or(flag.as_str())
}
