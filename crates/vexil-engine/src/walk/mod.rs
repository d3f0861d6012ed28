//! The walk over a flag: the one place where flags are decided.
//!
//! It is generic over how context values are looked up and over an [`Observer`], which sees every
//! node on the way. With [`Silent`] it stops at the first node that decides and allocates nothing;
//! with the recorder of explanations it visits every node.

mod compare;
mod observer;
mod pick;
mod recorder;
mod verdicts;

use vexil_domain::FlagName;

use crate::piece::Spot;
use crate::program::{Answer, Constraint, Parent, Rollout, Rule, Strategy};
use crate::values::Reading;
use crate::values::hash::draw;
use crate::values::lowercase::with_lowercase;
use crate::values::text_set::Hashed;
use crate::view::View;
use crate::world::World;
use crate::{
    Ambient, Choice, Evaluation, Explanation, ParentFinding, ParentVerdict, StrategyVerdict, Verdict,
    Verdicts,
};
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
    pub(crate) fn is_enabled(&self, spot: Spot<'_>) -> bool {
        match spot.flag.answer {
            Answer::Gone | Answer::Off => false,
            Answer::On | Answer::OnWithVariants => true,
            Answer::Depends => self.decide(spot, &mut Silent).enabled,
        }
    }

    /// The variant of a flag.
    #[inline]
    pub(crate) fn variant<'f>(&self, spot: Spot<'f>) -> Choice<'f> {
        match spot.flag.answer {
            Answer::Gone | Answer::Off => Choice::disabled(false),
            Answer::On => Choice::disabled(true),
            Answer::OnWithVariants | Answer::Depends => {
                let decision = self.decide(spot, &mut Silent);
                if decision.enabled {
                    self.chosen(spot, decision)
                } else {
                    Choice::disabled(false)
                }
            }
        }
    }

    /// Why a flag is on or off; `None` where there is no such flag.
    pub(crate) fn explain(&self, spot: Spot<'_>) -> Option<Explanation> {
        if spot.flag.answer == Answer::Gone {
            return None;
        }
        let mut recorder = Recorder::default();
        let decision = self.decide(spot, &mut recorder);
        Some(self.explanation(spot, decision, recorder))
    }

    /// What every node of a flag concludes; `false` where there is no such flag.
    pub(crate) fn verdicts(&self, spot: Spot<'_>, into: &mut Verdicts) -> bool {
        if spot.flag.answer == Answer::Gone {
            return false;
        }
        into.parents.clear();
        into.strategies.clear();
        into.conditions.clear();
        let decision = self.decide(spot, into);
        self.conclude(spot, decision, into);
        true
    }

    #[inline]
    fn decide<O: Observer>(&self, spot: Spot<'_>, observer: &mut O) -> Decision {
        let off = Decision {
            enabled: false,
            by: None,
        };
        let flag = spot.flag;
        if !O::COMPLETE && !flag.switch {
            return off;
        }
        let mut satisfied = true;
        for parent in flag.parents() {
            satisfied &= self.parent(parent, observer);
            if !O::COMPLETE && !satisfied {
                return off;
            }
        }
        let strategies = spot.strategies();
        if strategies.is_empty() {
            return Decision {
                enabled: flag.switch && satisfied,
                by: None,
            };
        }
        let mut by = None;
        for (index, strategy) in strategies.iter().enumerate() {
            if !O::COMPLETE && strategy.idle {
                continue;
            }
            let holds = self.strategy(spot, strategy, observer);
            if holds && by.is_none() {
                by = Some(index);
                if !O::COMPLETE {
                    break;
                }
            }
        }
        Decision {
            enabled: flag.switch && satisfied && by.is_some(),
            by,
        }
    }

    /// A parent that has parents is not asked, so this goes no deeper.
    fn parent<O: Observer>(&self, parent: &Parent, observer: &mut O) -> bool {
        let Some(spot) = self.world.spot(parent.flag) else {
            return false;
        };
        let flag = spot.flag;
        let has_parents = !flag.parents().is_empty();
        let (satisfied, on) = if flag.answer == Answer::Gone || has_parents {
            (false, false)
        } else if parent.enabled && !parent.variants.is_empty() {
            let choice = self.variant(spot);
            let listed = parent.variants.iter().any(|name| **name == *choice.name);
            (choice.feature_enabled && listed, choice.feature_enabled)
        } else {
            let on = self.is_enabled(spot);
            (on == parent.enabled, on)
        };
        let off = flag.answer != Answer::Gone && !has_parents && !on;
        observer.parent(&flag.name, ParentVerdict { satisfied, off }, || {
            match flag.answer {
                Answer::Gone => ParentFinding::Missing,
                _ if has_parents => ParentFinding::HasParents,
                _ if !on => ParentFinding::Off,
                _ => ParentFinding::On {
                    variant: self.variant(spot).name.to_owned(),
                },
            }
        });
        satisfied
    }

    #[inline(always)]
    fn strategy<O: Observer>(&self, spot: Spot<'_>, strategy: &Strategy, observer: &mut O) -> bool {
        let mut admitted = self.all(spot.constraints(strategy), observer);
        observer.own_constraints();
        if !O::COMPLETE && !admitted {
            return false;
        }
        for index in spot.segments(strategy) {
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
        let rule = self.rule(&spot.flag.name, &strategy.rule, observer);
        let holds = admitted && rule == Some(true) && !strategy.disabled;
        let make = || {
            let (evaluation, verdict) = match rule {
                _ if strategy.disabled => (Evaluation::Unevaluated, Verdict::Unknown),
                None if admitted => (Evaluation::Incomplete, Verdict::Unknown),
                None => (Evaluation::Incomplete, Verdict::False),
                Some(_) if holds => (Evaluation::Complete, Verdict::True),
                Some(_) => (Evaluation::Complete, Verdict::False),
            };
            let variants = strategy.variants.as_deref();
            StrategyVerdict {
                evaluation,
                verdict,
                variant: variants.and_then(|list| self.pick(list)).map(|(place, _)| place),
            }
        };
        let pick = || strategy.variants.as_deref().map(|list| self.explain_pick(list));
        observer.strategy(make, pick);
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
                let found = self.view.hashed(FieldId::USER_ID);
                let holds = found.is_some_and(|user| users.find(user).is_some());
                observer.rule(|| crate::Rule::Listed {
                    field: self.world.fields.name(FieldId::USER_ID).clone(),
                    found: found.map(|found| found.text.to_owned()),
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
                let holds =
                    found.map(|host| with_lowercase(host, |host| hosts.find(Hashed::new(host)).is_some()));
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
