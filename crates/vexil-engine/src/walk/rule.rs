//! The rules of strategy types.

use vexil_domain::FlagName;

use super::Walk;
use super::observer::Observer;
use super::pick::{Purpose, Source};
use crate::fields::FieldId;
use crate::program::{Rollout, Rule};
use crate::values::hash::draw;
use crate::values::lowercase::with_lowercase;
use crate::values::network::Networks;
use crate::values::text_set::{Hashed, TextSet};
use crate::view::{Value, View};

impl<'c, V: View<'c>> Walk<'_, 'c, V> {
    /// Whether a strategy type's own rule holds; `None` where that cannot be told here.
    ///
    /// The rules that few strategies have stand apart from the others, so that those stay short.
    #[inline(always)]
    pub(super) fn rule<O: Observer>(&self, flag: &FlagName, rule: &Rule, observer: &mut O) -> Option<bool> {
        match rule {
            Rule::Rollout(rollout) => Some(self.rollout(flag, rollout, observer)),
            Rule::Always => {
                observer.rule(|| crate::Rule::Always);
                Some(true)
            }
            Rule::Users(users) => Some(self.users(users, observer)),
            Rule::Addresses(networks) => Some(self.addresses(networks, observer)),
            Rule::Hosts(hosts) => self.hosts(hosts, observer),
            Rule::Custom(name) => {
                observer.rule(|| crate::Rule::NotEvaluable {
                    strategy: name.to_string(),
                });
                None
            }
            Rule::Unusable(parameter) => {
                observer.rule(|| crate::Rule::Unusable { parameter });
                Some(false)
            }
        }
    }

    #[inline(never)]
    fn users<O: Observer>(&self, users: &TextSet, observer: &mut O) -> bool {
        let found = self.view.value(FieldId::USER_ID);
        let holds = found.is_some_and(|user| users.find(user.hashed()).is_some());
        observer.rule(|| crate::Rule::Listed {
            field: self.world.fields.name(FieldId::USER_ID).clone(),
            found: found.map(|found| found.text().to_owned()),
            holds,
        });
        holds
    }

    #[inline(never)]
    fn addresses<O: Observer>(&self, networks: &Networks, observer: &mut O) -> bool {
        let address = self.view.value(FieldId::REMOTE_ADDRESS).and_then(Value::address);
        let network = address.and_then(|address| networks.find(address));
        observer.rule(|| crate::Rule::Network {
            found: self.view.text(FieldId::REMOTE_ADDRESS).map(str::to_owned),
            network: network.map(ToString::to_string),
        });
        network.is_some()
    }

    #[inline(never)]
    fn hosts<O: Observer>(&self, hosts: &TextSet, observer: &mut O) -> Option<bool> {
        let found = self.ambient.host_name;
        let holds = found.map(|host| with_lowercase(host, |host| hosts.find(Hashed::new(host)).is_some()));
        observer.rule(|| match found.zip(holds) {
            Some((found, holds)) => crate::Rule::HostName {
                found: found.to_owned(),
                holds,
            },
            None => crate::Rule::NotEvaluable {
                strategy: "applicationHostname".to_owned(),
            },
        });
        holds
    }

    #[inline(always)]
    fn rollout<O: Observer>(&self, flag: &FlagName, rollout: &Rollout, observer: &mut O) -> bool {
        let source = self.source(rollout.sticky, Purpose::Rollout);
        let bound = u32::from(rollout.bound);
        let for_all = !O::COMPLETE && bound == 100;
        let bucket = match source {
            Source::Value(..) | Source::Chance if for_all => Some(bound),
            Source::Value(_, value) => Some(rollout.prefix.finish(value) % 100 + 1),
            Source::Chance => Some(draw(self.ambient.seed, u64::from(rollout.salt), 100) as u32),
            Source::Nothing => None,
        };
        observer.rule(|| {
            crate::Rule::Rollout(crate::Rollout {
                group: rollout.group.as_deref().unwrap_or(flag.as_str()).to_owned(),
                draw: self.explain_source(source, rollout.sticky, Purpose::Rollout),
                bucket,
                bound,
            })
        });
        bucket.is_some_and(|bucket| bucket <= bound)
    }
}
