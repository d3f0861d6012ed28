//! The walk over a flag: the one place where flags are decided.
//!
//! It is generic over how context values are looked up and over an [`Observer`], which sees every
//! node on the way. With [`Silent`] it stops at the first node that decides and allocates nothing;
//! with the recorder of explanations it visits every node.

mod compare;
mod observer;
mod pick;
mod recorder;
mod rule;
mod verdicts;

use crate::piece::Spot;
use crate::program::{Answer, Constraint, Parent, Strategy};
use crate::view::View;
use crate::world::World;
use crate::{
    Ambient, Choice, Evaluation, Explanation, ParentFinding, ParentVerdict, StrategyVerdict, Verdict,
    Verdicts,
};
use observer::{Observer, Silent};
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
#[derive(Debug, Clone, Copy)]
struct Decision<'f> {
    enabled: bool,
    /// The first strategy that holds, and its place.
    by: Option<(usize, &'f Strategy)>,
}

impl<'e, 'c, V: View<'c>> Walk<'e, 'c, V> {
    /// Whether a flag is on.
    #[inline]
    pub(crate) fn is_enabled(&self, spot: Spot<'_>) -> bool {
        match spot.flag.answer {
            Answer::Gone | Answer::Off => false,
            Answer::On | Answer::OnWithVariants => true,
            Answer::Depends => self.depends(spot),
        }
    }

    /// Most flags that depend on anything have one strategy and nothing else.
    #[inline(never)]
    fn depends(&self, spot: Spot<'_>) -> bool {
        match (&spot.flag.extra, spot.strategies()) {
            (None, [only]) if only.is_unconditional() => {
                self.rule(&spot.flag.name, &only.rule, &mut Silent) == Some(true)
            }
            (None, [only]) => self.depends_on_one(spot, only),
            _ => self.depends_on_many(spot),
        }
    }

    #[inline(never)]
    fn depends_on_one(&self, spot: Spot<'_>, strategy: &Strategy) -> bool {
        self.strategy(spot, strategy, &mut Silent)
    }

    #[inline(never)]
    fn depends_on_many(&self, spot: Spot<'_>) -> bool {
        self.decide(spot, &mut Silent).enabled
    }

    /// The variant of a flag.
    #[inline]
    pub(crate) fn variant<'f>(&self, spot: Spot<'f>) -> Choice<'f> {
        match spot.flag.answer {
            Answer::Gone | Answer::Off => Choice::disabled(false),
            Answer::On => Choice::disabled(true),
            Answer::OnWithVariants | Answer::Depends => self.choose(spot),
        }
    }

    #[inline(never)]
    fn choose<'f>(&self, spot: Spot<'f>) -> Choice<'f> {
        let decision = self.decide(spot, &mut Silent);
        if decision.enabled {
            self.chosen(spot, decision)
        } else {
            Choice::disabled(false)
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
        self.sum_up(spot, decision, into);
        true
    }

    #[inline(always)]
    fn decide<'f, O: Observer>(&self, spot: Spot<'f>, observer: &mut O) -> Decision<'f> {
        let flag = spot.flag;
        let satisfied = match flag.parents() {
            [] => true,
            parents => self.parents(parents, observer),
        };
        let off = Decision {
            enabled: false,
            by: None,
        };
        if !O::COMPLETE && !satisfied {
            return off;
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
                by = Some((index, strategy));
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

    #[inline(never)]
    fn parents<O: Observer>(&self, parents: &[Parent], observer: &mut O) -> bool {
        let mut satisfied = true;
        for parent in parents {
            satisfied &= self.parent(parent, observer);
            if !O::COMPLETE && !satisfied {
                return false;
            }
        }
        satisfied
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

    #[inline(never)]
    fn strategy<O: Observer>(&self, spot: Spot<'_>, strategy: &Strategy, observer: &mut O) -> bool {
        let mut admitted = self.all(spot.constraints(strategy), observer);
        observer.own_constraints();
        if !O::COMPLETE && !admitted {
            return false;
        }
        admitted &= strategy.segments.is_empty() || self.segments(spot, strategy, observer);
        if !O::COMPLETE && !admitted {
            return false;
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

    #[inline(never)]
    fn segments<O: Observer>(&self, spot: Spot<'_>, strategy: &Strategy, observer: &mut O) -> bool {
        let mut all = true;
        for index in spot.segments(strategy) {
            let Some(segment) = self.world.segments.get(*index) else {
                return false;
            };
            let holds = self.all(&segment.constraints, observer) && segment.found;
            observer.segment(segment.id, segment.found, holds);
            all &= holds;
            if !O::COMPLETE && !all {
                return false;
            }
        }
        all
    }

    #[inline(always)]
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
}
