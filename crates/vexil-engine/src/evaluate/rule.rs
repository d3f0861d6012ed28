//! The rules of strategy types.

use vexil_domain::FlagName;

use super::evaluator::Evaluator;
use super::pick::{Purpose, Source};
use super::tracer::{NoTrace, Tracer};
use crate::context_lookup::{ContextLookup, Value};
use crate::fields::FieldId;
use crate::program::{Rare, Rollout, Rule};
use crate::values::hash::draw;
use crate::values::ignoring_case::with_folded;
use crate::values::text_set::Hashed;

impl<'c, V: ContextLookup<'c>> Evaluator<'_, 'c, V> {
    /// Whether a strategy type's own rule holds; `None` where that cannot be told here.
    #[inline(always)]
    pub(super) fn rule<O: Tracer>(&self, flag: &FlagName, rule: &Rule, tracer: &mut O) -> Option<bool> {
        match rule {
            Rule::Rollout(rollout) => Some(self.rollout(flag, rollout, tracer)),
            Rule::Always => {
                tracer.rule(|| crate::Rule::Always);
                Some(true)
            }
            Rule::Rare(rare) => self.rare_rule(flag, rare, tracer),
        }
    }

    /// Whether a rule holds, asked by itself.
    pub(crate) fn rule_alone(&self, flag: &FlagName, rule: &Rule) -> Option<bool> {
        self.rule(flag, rule, &mut NoTrace)
    }

    #[inline(never)]
    fn rare_rule<O: Tracer>(&self, flag: &FlagName, rule: &Rare, tracer: &mut O) -> Option<bool> {
        match rule {
            Rare::Users(users) => {
                let found = self.context.value(FieldId::USER_ID);
                let holds = found.is_some_and(|user| users.contains(user.hashed()));
                tracer.rule(|| crate::Rule::Listed {
                    field: self.table.fields.name(FieldId::USER_ID).clone(),
                    found: found.map(|found| found.text().to_owned()),
                    holds,
                });
                Some(holds)
            }
            Rare::Addresses(networks) => {
                let address = self
                    .context
                    .value(FieldId::REMOTE_ADDRESS)
                    .and_then(Value::address);
                let network = address.and_then(|address| networks.find(address));
                tracer.rule(|| crate::Rule::Network {
                    found: self.context.text(FieldId::REMOTE_ADDRESS).map(str::to_owned),
                    network: network.map(ToString::to_string),
                });
                Some(network.is_some())
            }
            Rare::Hosts(hosts) => {
                let found = self.ambient.host_name;
                let holds = found.map(|host| with_folded(host, |host| hosts.contains(Hashed::new(host))));
                tracer.rule(|| match found.zip(holds) {
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
            Rare::Custom(custom) => {
                let given = self.ambient.custom_results.and_then(|all| all.get(flag, custom));
                let holds = given.or_else(|| custom.ask(&|field| self.context.text(field)));
                tracer.rule(|| match holds {
                    Some(holds) => crate::Rule::Custom {
                        strategy: custom.name.to_string(),
                        is_given: given.is_some(),
                        holds,
                    },
                    None => crate::Rule::NotEvaluable {
                        strategy: custom.name.to_string(),
                    },
                });
                holds
            }
            Rare::Unusable(parameter) => {
                tracer.rule(|| crate::Rule::Unusable { parameter });
                Some(false)
            }
        }
    }

    #[inline(always)]
    pub(super) fn rollout<O: Tracer>(&self, flag: &FlagName, rollout: &Rollout, tracer: &mut O) -> bool {
        tracer.rule(|| {
            let source = self.source(rollout.sticky, Purpose::Rollout);
            crate::Rule::Rollout(crate::Rollout {
                group: rollout.group.as_deref().unwrap_or(flag.as_str()).to_owned(),
                draw: self.explain_source(source, rollout.sticky, Purpose::Rollout),
                bucket: self.bucket_of(source, rollout),
                bound: rollout.bound.into(),
            })
        });
        let source = self.source(rollout.sticky, Purpose::Rollout);
        if rollout.bound == 100 {
            return !matches!(source, Source::Nothing);
        }
        // whom it lets in cannot be foreseen, so nothing branches on it
        let bucket = self.bucket_of(source, rollout);
        bucket.is_some_and(|bucket| bucket <= u32::from(rollout.bound))
    }

    /// The bucket, 1 to 100, of whoever asks.
    #[inline(always)]
    fn bucket_of(&self, source: Source<'c>, rollout: &Rollout) -> Option<u32> {
        match source {
            Source::Value(_, value) => Some(rollout.prefix.finish(value) % 100 + 1),
            Source::Chance => Some(draw(self.ambient.seed, u64::from(rollout.salt), 100) as u32),
            Source::Nothing => None,
        }
    }
}
