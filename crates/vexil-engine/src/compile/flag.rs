//! Compiles one flag, and finds out what is the same for everybody.

use std::sync::Arc;

use vexil_domain::{FlagName, Stickiness};

use crate::chunk::{ChunkBuilder, FlagRef};
use crate::compile::parameters::group;
use crate::compile::{Linker, place};
use crate::program::{
    Answer, Constraint, Extra, Flag, Parent, Rare, Rule, Span, Sticky, Strategy, StrategyKind,
};
use crate::{Place, Problem, source};

/// Compiles a flag with its parents into a chunk.
pub(crate) fn compile_flag(
    flag: &impl source::Flag,
    parents: Box<[Parent]>,
    linker: &mut Linker,
    chunk: &mut ChunkBuilder,
) {
    let start = chunk.strategies.len() as u32;
    for (index, strategy) in flag.strategies().iter().enumerate() {
        let compiled = compile_strategy(flag.name(), index, strategy, linker, chunk);
        chunk.strategies.push(compiled);
    }
    let strategies = Span {
        start,
        end: chunk.strategies.len() as u32,
    };
    let extra = Extra {
        parents,
        variants: linker.variants(flag.name().as_str(), None, flag.variants()),
    };
    let label = linker.label(flag.kind(), flag.description());
    let compiled = strategies.of(&chunk.strategies);
    let flag = Flag {
        name: flag.name().clone(),
        project: flag.project().clone(),
        answer: answer(flag.enabled(), compiled, &extra),
        own_variants: compiled.iter().any(|strategy| strategy.variants.is_some()),
        strategies,
        constraint: 0,
        extra: (!extra.parents.is_empty() || extra.variants.is_some()).then(|| Arc::new(extra)),
        switch: flag.enabled(),
        impression_data: flag.impression_data(),
    };
    chunk.push(flag, label);
}

/// What can be said of a flag without looking at a context.
fn answer(switch: bool, strategies: &[Strategy], extra: &Extra) -> Answer {
    let live = || strategies.iter().filter(|strategy| !strategy.idle);
    if !switch || (live().next().is_none() && !strategies.is_empty()) {
        return Answer::Off;
    }
    let for_everybody = strategies.is_empty() || live().any(Strategy::holds_for_everybody);
    if !extra.parents.is_empty() {
        return Answer::Depends;
    }
    if !for_everybody {
        return match strategies {
            [only] if only.is_unconditional() && matches!(only.rule, Rule::Rollout(_)) => Answer::Rollout,
            [only] if only.is_for_all && only.segments.is_empty() && only.constraints.len() == 1 => {
                Answer::Constraint
            }
            _ => Answer::Depends,
        };
    }
    if extra.variants.is_none() && strategies.iter().all(|strategy| strategy.variants.is_none()) {
        Answer::On
    } else {
        Answer::OnWithVariants
    }
}

impl Strategy {
    fn holds_for_everybody(&self) -> bool {
        self.is_for_all && self.is_unconditional()
    }
}

fn is_for_all(rule: &Rule) -> bool {
    match rule {
        Rule::Always => true,
        Rule::Rollout(rollout) => rollout.bound == 100 && !matches!(rollout.sticky, Sticky::Field(_)),
        Rule::Rare(_) => false,
    }
}

fn compile_strategy(
    flag: &FlagName,
    index: usize,
    strategy: &impl source::Strategy,
    linker: &mut Linker,
    chunk: &mut ChunkBuilder,
) -> Strategy {
    let rule = linker.rule(flag, index, strategy);
    let constraints = compile_constraints(flag, index, strategy, linker, chunk);
    let start = chunk.segments.len() as u32;
    let segments = strategy.segments().iter().map(|id| linker.segment(*id));
    chunk.segments.extend(segments);
    let constant_false = |constraint: &Constraint| constraint.constant() == Some(false);
    let nobody = match &rule {
        Rule::Rollout(rollout) => rollout.bound == 0,
        Rule::Rare(Rare::Users(users)) => users.len() == 0,
        Rule::Rare(Rare::Addresses(networks)) => networks.is_empty(),
        Rule::Rare(Rare::Unusable(_)) => true,
        Rule::Always | Rule::Rare(Rare::Hosts(_) | Rare::Custom(_)) => false,
    };
    let never = nobody || constraints.of(&chunk.constraints).iter().any(constant_false);
    let inherited = strategy.parameter("stickiness").map(Stickiness::from_name);
    Strategy {
        idle: strategy.disabled() || never,
        is_for_all: is_for_all(&rule),
        rule,
        constraints,
        segments: Span {
            start,
            end: chunk.segments.len() as u32,
        },
        variants: linker
            .variants(group(flag, strategy), inherited.as_ref(), strategy.variants())
            .map(Arc::new),
        kind: StrategyKind::of(strategy.name()),
        disabled: strategy.disabled(),
    }
}

fn compile_constraints(
    flag: &FlagName,
    index: usize,
    strategy: &impl source::Strategy,
    linker: &mut Linker,
    chunk: &mut ChunkBuilder,
) -> Span {
    let start = chunk.constraints.len() as u32;
    for (place_in_list, constraint) in strategy.constraints().iter().enumerate() {
        let compiled = linker.constraint(constraint, || Place {
            constraint: Some(place_in_list),
            ..place(flag, index)
        });
        chunk.constraints.push(compiled);
    }
    Span {
        start,
        end: chunk.constraints.len() as u32,
    }
}

impl Linker {
    /// Warns of segments that a flag's strategies refer to and that are not there.
    pub(crate) fn warn_of_segments(&mut self, flag_ref: FlagRef<'_>) {
        for (index, strategy) in flag_ref.strategies().iter().enumerate() {
            for segment in flag_ref.segments(strategy) {
                if let Some(missing) = self.segments.get(*segment).filter(|segment| !segment.found) {
                    let problem = Problem::MissingSegment { id: missing.id };
                    self.warn(place(&flag_ref.flag.name, index), problem);
                }
            }
        }
    }
}
