//! The walk over a flag: the one place where flags are decided.
//!
//! It is generic over how context values are looked up and over an [`Observer`], which sees every
//! node on the way. With [`Silent`] it stops at the first node that decides and allocates nothing;
//! with the recorder of explanations it visits every node.

mod compare;
mod observer;
mod pick;
mod recorder;

use vexil_domain::FlagName;

use crate::program::{Answer, Body, Constraint, Flag, Parent, Rollout, Rule, Strategy};
use crate::values::Reading;
use crate::values::hash::draw;
use crate::values::lowercase::with_lowercase;
use crate::view::View;
use crate::world::World;
use crate::{Ambient, Choice, Evaluation, Explanation, ParentFinding, Verdict};
use observer::{Observer, Silent};
use pick::{Purpose, Source};
use recorder::Recorder;

/// Everything a walk needs besides the flag.
///
/// `'e` is the engine's, `'c` that of the context and of what surrounds it.
pub(crate) struct Walk<'e, 'c, V> {
    pub(crate) world: &'e World,
    pub(crate) ambient: &'c Ambient<'c>,
    pub(crate) view: V,
}

/// The outcome of all strategies of a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decision {
    enabled: bool,
    /// The first strategy that holds.
    by: Option<usize>,
}

impl<'e, 'c, V: View<'c>> Walk<'e, 'c, V> {
    /// Whether a flag is on.
    #[inline]
    pub(crate) fn is_enabled(&self, flag: &Flag) -> bool {
        match flag.answer {
            Answer::Gone | Answer::Off => false,
            Answer::On | Answer::OnWithVariants => true,
            Answer::Depends => flag
                .body
                .as_deref()
                .is_some_and(|body| self.decide(flag, body, &mut Silent).enabled),
        }
    }

    /// The variant of a flag.
    #[inline]
    pub(crate) fn variant(&self, flag: &'e Flag) -> Choice<'e> {
        match (flag.answer, flag.body.as_deref()) {
            (Answer::Gone | Answer::Off, _) => Choice::disabled(false),
            (Answer::On, _) => Choice::disabled(true),
            (Answer::OnWithVariants | Answer::Depends, None) => Choice::disabled(false),
            (Answer::OnWithVariants | Answer::Depends, Some(body)) => {
                let decision = self.decide(flag, body, &mut Silent);
                if decision.enabled {
                    self.chosen(body, decision)
                } else {
                    Choice::disabled(false)
                }
            }
        }
    }

    /// Why a flag is on or off; `None` where there is no such flag.
    pub(crate) fn explain(&self, flag: &Flag) -> Option<Explanation> {
        if flag.answer == Answer::Gone {
            return None;
        }
        let bare = Body {
            switch: flag.answer != Answer::Off,
            ..Body::default()
        };
        let body = flag.body.as_deref().unwrap_or(&bare);
        let mut recorder = Recorder::default();
        let decision = self.decide(flag, body, &mut recorder);
        Some(self.explanation(flag, body, decision, recorder))
    }

    fn decide<O: Observer>(&self, flag: &Flag, body: &Body, observer: &mut O) -> Decision {
        let off = Decision {
            enabled: false,
            by: None,
        };
        if !O::COMPLETE && !body.switch {
            return off;
        }
        let mut satisfied = true;
        for parent in &body.parents {
            satisfied &= self.parent(parent, observer);
            if !O::COMPLETE && !satisfied {
                return off;
            }
        }
        if body.strategies.is_empty() {
            return Decision {
                enabled: body.switch && satisfied,
                by: None,
            };
        }
        let mut by = None;
        for (index, strategy) in body.strategies.iter().enumerate() {
            if !O::COMPLETE && strategy.idle {
                continue;
            }
            let holds = self.strategy(flag, body, strategy, observer);
            if holds && by.is_none() {
                by = Some(index);
                if !O::COMPLETE {
                    break;
                }
            }
        }
        Decision {
            enabled: body.switch && satisfied && by.is_some(),
            by,
        }
    }

    fn parent<O: Observer>(&self, parent: &Parent, observer: &mut O) -> bool {
        let Some(flag) = self.world.slot(parent.flag) else {
            return false;
        };
        let has_parents = flag.body.as_ref().is_some_and(|body| !body.parents.is_empty());
        let (satisfied, on) = if flag.answer == Answer::Gone || has_parents {
            (false, false)
        } else if parent.enabled && !parent.variants.is_empty() {
            let choice = self.variant_of_parent(flag);
            let listed = parent.variants.iter().any(|name| **name == *choice.name);
            (choice.feature_enabled && listed, choice.feature_enabled)
        } else {
            let on = self.is_enabled(flag);
            (on == parent.enabled, on)
        };
        observer.parent(&flag.name, satisfied, || match flag.answer {
            Answer::Gone => ParentFinding::Missing,
            _ if has_parents => ParentFinding::HasParents,
            _ if !on => ParentFinding::Off,
            _ => ParentFinding::On {
                variant: self.variant_of_parent(flag).name.to_owned(),
            },
        });
        satisfied
    }

    /// A parent has no parents, or it is not asked, so this goes no deeper.
    fn variant_of_parent<'f>(&self, flag: &'f Flag) -> Choice<'f> {
        match (flag.answer, flag.body.as_deref()) {
            (Answer::Gone | Answer::Off, _) | (_, None) => Choice::disabled(flag.answer == Answer::On),
            (_, Some(body)) => {
                let decision = self.decide(flag, body, &mut Silent);
                if decision.enabled {
                    self.chosen(body, decision)
                } else {
                    Choice::disabled(false)
                }
            }
        }
    }

    fn strategy<O: Observer>(&self, flag: &Flag, body: &Body, strategy: &Strategy, observer: &mut O) -> bool {
        let mut admitted = self.all(strategy.constraints.of(&body.constraints), observer);
        observer.own_constraints();
        if !O::COMPLETE && !admitted {
            return false;
        }
        for index in strategy.segments.of(&body.segments) {
            let Some(segment) = self.world.segments.get(*index) else {
                return false;
            };
            let holds = self.all(&segment.constraints, observer) && segment.found;
            observer.segment(segment.id, segment.found, holds);
            admitted &= holds;
            if !O::COMPLETE && !admitted {
                return false;
            }
        }
        let rule = self.rule(&flag.name, &strategy.rule, observer);
        let holds = admitted && rule == Some(true) && !strategy.disabled;
        observer.strategy(|| {
            let (evaluation, verdict) = match rule {
                _ if strategy.disabled => (Evaluation::Unevaluated, Verdict::Unknown),
                None if admitted => (Evaluation::Incomplete, Verdict::Unknown),
                None => (Evaluation::Incomplete, Verdict::False),
                Some(_) if holds => (Evaluation::Complete, Verdict::True),
                Some(_) => (Evaluation::Complete, Verdict::False),
            };
            let pick = strategy.variants.as_deref().map(|list| self.explain_pick(list));
            (strategy.disabled, evaluation, verdict, pick)
        });
        holds
    }

    fn all<O: Observer>(&self, constraints: &[Constraint], observer: &mut O) -> bool {
        let mut all = true;
        for constraint in constraints {
            all &= self.constraint(constraint, observer);
            if !O::COMPLETE && !all {
                return false;
            }
        }
        all
    }

    /// Whether a strategy type's own rule holds; `None` where that cannot be told here.
    fn rule<O: Observer>(&self, flag: &FlagName, rule: &Rule, observer: &mut O) -> Option<bool> {
        use crate::fields::FieldId;
        match rule {
            Rule::Always => {
                observer.rule(|| crate::Rule::Always);
                Some(true)
            }
            Rule::Rollout(rollout) => Some(self.rollout(flag, rollout, observer)),
            Rule::Users(users) => {
                let found = self.view.text(FieldId::USER_ID);
                let holds = found.is_some_and(|user| users.find(user).is_some());
                observer.rule(|| crate::Rule::Listed {
                    field: self.world.fields.name(FieldId::USER_ID).clone(),
                    found: found.map(str::to_owned),
                    holds,
                });
                Some(holds)
            }
            Rule::Addresses(networks) => {
                let network = match self.view.address(FieldId::REMOTE_ADDRESS) {
                    Reading::Value(address) => networks.find(address),
                    Reading::Missing | Reading::Unreadable => None,
                };
                observer.rule(|| crate::Rule::Network {
                    found: self.view.text(FieldId::REMOTE_ADDRESS).map(str::to_owned),
                    network: network.map(ToString::to_string),
                });
                Some(network.is_some())
            }
            Rule::Hosts(hosts) => {
                let found = self.ambient.host_name;
                let holds = found.map(|host| with_lowercase(host, |host| hosts.find(host).is_some()));
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

    #[inline]
    fn rollout<O: Observer>(&self, flag: &FlagName, rollout: &Rollout, observer: &mut O) -> bool {
        let source = self.source(rollout.sticky, Purpose::Rollout);
        let bound = u32::from(rollout.bound);
        if !O::COMPLETE && bound == 100 {
            return !matches!(source, Source::Nothing);
        }
        let bucket = match source {
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
