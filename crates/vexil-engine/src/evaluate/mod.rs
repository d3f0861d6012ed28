//! The evaluation of a flag: the one place where flags are decided.
//!
//! It is generic over how context values are looked up and over a [`Tracer`], which sees every
//! node on the way. With [`NoTrace`] it stops at the first node that decides and allocates nothing;
//! with the recorder of explanations it visits every node.

mod constraint;
mod evaluator;
mod pick;
mod recorder;
mod rule;
mod tracer;
mod verdicts;

use crate::chunk::FlagRef;
use crate::context_lookup::ContextLookup;
use crate::program::{Answer, Constraint, Parent, Rule, Strategy};
use crate::{
    Choice, Evaluation, Explanation, ParentFinding, ParentVerdict, StrategyVerdict, Verdict, Verdicts,
};
use evaluator::Decision;
pub(crate) use evaluator::Evaluator;
use recorder::Recorder;
use tracer::{NoTrace, Tracer};

impl<'e, 'c, V: ContextLookup<'c>> Evaluator<'e, 'c, V> {
    /// Whether a flag is on.
    #[inline]
    pub(crate) fn is_enabled(&self, flag_ref: FlagRef<'_>) -> bool {
        match flag_ref.flag.answer {
            Answer::Gone | Answer::Off => false,
            Answer::On | Answer::OnWithVariants => true,
            Answer::Rollout => self.depends_on_rollout(flag_ref),
            Answer::Constraint => self.depends_on_constraint(flag_ref),
            Answer::Depends => self.depends(flag_ref),
        }
    }

    /// Most flags that depend on anything have one strategy and nothing else.
    #[inline(never)]
    fn depends_on_rollout(&self, flag_ref: FlagRef<'_>) -> bool {
        match flag_ref.strategies() {
            [
                Strategy {
                    rule: Rule::Rollout(rollout),
                    ..
                },
            ] => self.rollout(&flag_ref.flag.name, rollout, &mut NoTrace),
            _ => false,
        }
    }

    /// Whether the constraint holds cannot be foreseen, so nothing branches on it.
    #[inline(never)]
    fn depends_on_constraint(&self, flag_ref: FlagRef<'_>) -> bool {
        let only = flag_ref.deciding_constraint();
        only.is_some_and(|only| self.constraint(only, &mut NoTrace))
    }

    #[inline(never)]
    fn depends(&self, flag_ref: FlagRef<'_>) -> bool {
        if flag_ref.strategies().len() > 1 {
            return self.depends_on_many(flag_ref);
        }
        self.decide(flag_ref, &mut NoTrace).enabled
    }

    #[inline(never)]
    fn depends_on_many(&self, flag_ref: FlagRef<'_>) -> bool {
        self.for_many().decide(flag_ref, &mut NoTrace).enabled
    }

    /// The same, for a flag with several strategies.
    #[inline]
    fn for_many(&self) -> Evaluator<'e, 'c, V::Many> {
        Evaluator {
            table: self.table,
            ambient: self.ambient,
            context: self.context.for_many(),
        }
    }

    /// The variant of a flag.
    #[inline]
    pub(crate) fn variant<'f>(&self, flag_ref: FlagRef<'f>) -> Choice<'f> {
        match flag_ref.flag.answer {
            Answer::Gone | Answer::Off => Choice::disabled(false),
            Answer::On => Choice::disabled(true),
            _ => self.choose(flag_ref),
        }
    }

    #[inline(never)]
    fn choose<'f>(&self, flag_ref: FlagRef<'f>) -> Choice<'f> {
        let by = match flag_ref.strategies() {
            // it holds where the flag is on
            [only] => Some((0, only)),
            _ if flag_ref.flag.own_variants => return self.choose_of_many(flag_ref),
            _ => None,
        };
        if self.is_enabled(flag_ref) {
            self.chosen(flag_ref, Decision { enabled: true, by })
        } else {
            Choice::disabled(false)
        }
    }

    #[inline(never)]
    fn choose_of_many<'f>(&self, flag_ref: FlagRef<'f>) -> Choice<'f> {
        let decision = self.for_many().decide(flag_ref, &mut NoTrace);
        if decision.enabled {
            self.chosen(flag_ref, decision)
        } else {
            Choice::disabled(false)
        }
    }

    /// Why a flag is on or off; `None` where there is no such flag.
    pub(crate) fn explain(&self, flag_ref: FlagRef<'_>) -> Option<Explanation> {
        if flag_ref.flag.answer == Answer::Gone {
            return None;
        }
        let mut recorder = Recorder::default();
        let decision = self.decide(flag_ref, &mut recorder);
        Some(self.explanation(flag_ref, decision, recorder))
    }

    /// What every node of a flag concludes; `false` where there is no such flag.
    pub(crate) fn verdicts(&self, flag_ref: FlagRef<'_>, into: &mut Verdicts) -> bool {
        if flag_ref.flag.answer == Answer::Gone {
            return false;
        }
        into.parents.clear();
        into.strategies.clear();
        into.conditions.clear();
        let decision = self.decide(flag_ref, into);
        self.sum_up(flag_ref, decision, into);
        true
    }

    #[inline(always)]
    fn decide<'f, O: Tracer>(&self, flag_ref: FlagRef<'f>, tracer: &mut O) -> Decision<'f> {
        let flag = flag_ref.flag;
        let satisfied = match flag.parents() {
            [] => true,
            parents => self.parents(parents, tracer),
        };
        let off = Decision {
            enabled: false,
            by: None,
        };
        if !O::COMPLETE && !satisfied {
            return off;
        }
        let strategies = flag_ref.strategies();
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
            let holds = self.strategy(flag_ref, strategy, tracer);
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
    fn parents<O: Tracer>(&self, parents: &[Parent], tracer: &mut O) -> bool {
        let mut satisfied = true;
        for parent in parents {
            satisfied &= self.parent(parent, tracer);
            if !O::COMPLETE && !satisfied {
                return false;
            }
        }
        satisfied
    }

    /// A parent that has parents is not asked, so this goes no deeper.
    fn parent<O: Tracer>(&self, parent: &Parent, tracer: &mut O) -> bool {
        let Some(flag_ref) = self.table.flag_ref(parent.flag) else {
            return false;
        };
        let flag = flag_ref.flag;
        let has_parents = !flag.parents().is_empty();
        let (satisfied, on) = if flag.answer == Answer::Gone || has_parents {
            (false, false)
        } else if parent.enabled && !parent.variants.is_empty() {
            let choice = self.variant(flag_ref);
            let listed = parent.variants.iter().any(|name| **name == *choice.name);
            (choice.feature_enabled && listed, choice.feature_enabled)
        } else {
            let on = self.is_enabled(flag_ref);
            (on == parent.enabled, on)
        };
        let off = flag.answer != Answer::Gone && !has_parents && !on;
        tracer.parent(&flag.name, ParentVerdict { satisfied, off }, || {
            match flag.answer {
                Answer::Gone => ParentFinding::Missing,
                _ if has_parents => ParentFinding::HasParents,
                _ if !on => ParentFinding::Off,
                _ => ParentFinding::On {
                    variant: self.variant(flag_ref).name.to_owned(),
                },
            }
        });
        satisfied
    }

    #[inline(always)]
    fn strategy<O: Tracer>(&self, flag_ref: FlagRef<'_>, strategy: &Strategy, tracer: &mut O) -> bool {
        let mut admitted = self.all(flag_ref.constraints(strategy), tracer);
        tracer.own_constraints();
        if !O::COMPLETE && !admitted {
            return false;
        }
        admitted &= strategy.segments.is_empty() || self.segments(flag_ref, strategy, tracer);
        if !O::COMPLETE && !admitted {
            return false;
        }
        let rule = self.rule(&flag_ref.flag.name, &strategy.rule, tracer);
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
        tracer.strategy(strategy, make, pick);
        holds
    }

    #[inline(never)]
    fn segments<O: Tracer>(&self, flag_ref: FlagRef<'_>, strategy: &Strategy, tracer: &mut O) -> bool {
        let mut all = true;
        for index in flag_ref.segments(strategy) {
            let Some(segment) = self.table.segments.get(*index) else {
                return false;
            };
            let holds = self.all(&segment.constraints, tracer) && segment.found;
            tracer.segment(segment.id, segment.found, holds);
            all &= holds;
            if !O::COMPLETE && !all {
                return false;
            }
        }
        all
    }

    #[inline(always)]
    fn all<O: Tracer>(&self, constraints: &[Constraint], tracer: &mut O) -> bool {
        let mut all = true;
        for constraint in constraints {
            all &= self.constraint(constraint, tracer);
            if !O::COMPLETE && !all {
                return false;
            }
        }
        all
    }
}
