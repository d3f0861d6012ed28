//! Compiles what is particular to each strategy type.

use std::sync::Arc;

use vexil_domain::{FlagName, Stickiness};
use vexil_values::{Network, Number, fold};

use crate::compile::{Linker, place};
use crate::fields::FieldId;
use crate::program::{Rare, Rollout, Rule, Sticky};
use crate::values::hash::hash;
use crate::values::murmur::{Prefix, ROLLOUT_SEED};
use crate::values::text_set::TextSet;
use crate::{Place, Problem, source};

impl Linker {
    pub(crate) fn rule(&mut self, flag: &FlagName, index: usize, strategy: &impl source::Strategy) -> Rule {
        let list = |name: &str| items(strategy.parameter(name).unwrap_or_default());
        match strategy.name() {
            "default" => Rule::Always,
            "flexibleRollout" => {
                let sticky = strategy.parameter("stickiness").unwrap_or_default();
                let sticky = self.sticky(&Stickiness::from_name(sticky));
                self.rollout(flag, index, strategy, "rollout", sticky)
            }
            "gradualRolloutUserId" => self.rollout(
                flag,
                index,
                strategy,
                "percentage",
                Sticky::Field(FieldId::USER_ID),
            ),
            "gradualRolloutSessionId" => {
                let sticky = Sticky::Field(FieldId::SESSION_ID);
                self.rollout(flag, index, strategy, "percentage", sticky)
            }
            "gradualRolloutRandom" => self.rollout(flag, index, strategy, "percentage", Sticky::Random),
            "userWithId" => Rule::Rare(Rare::Users(TextSet::new(list("userIds")))),
            "remoteAddress" => Rule::Rare(Rare::Addresses(self.networks(list("IPs"), || place(flag, index)))),
            "applicationHostname" => {
                let hosts = fold(strategy.parameter("hostNames").unwrap_or_default());
                Rule::Rare(Rare::Hosts(TextSet::new(items(&hosts))))
            }
            custom => Rule::Rare(Rare::Custom(custom.into())),
        }
    }

    /// The networks of a strategy's list. Entries that are none are passed over and warned of.
    fn networks<'a>(
        &mut self,
        entries: impl Iterator<Item = &'a str>,
        place: impl Fn() -> Place,
    ) -> Arc<[Network]> {
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
            salt: (hash(strategy.id().as_str().as_bytes()) ^ prefix.salt()) as u32,
            group: (group != flag.as_str()).then(|| group.into()),
        })
    }
}

/// The items of a parameter that is a list, without the blanks around them.
fn items(list: &str) -> impl Iterator<Item = &str> + Clone {
    list.split(',').map(str::trim)
}

/// What is hashed together with the stickiness value: the parameter `groupId`, else the flag's name.
pub(crate) fn group<'a>(flag: &'a FlagName, strategy: &'a impl source::Strategy) -> &'a str {
    strategy.parameter("groupId").unwrap_or(flag.as_str())
}
