//! Compiles one flag, and finds out what is the same for everybody.

use std::sync::Arc;

use vexil_domain::{ActivationStrategy, EnvironmentFlag, FlagName, Stickiness};

use crate::compile::parameters::group;
use crate::compile::{Linker, place};
use crate::program::{
    Answer, Body, Constraint, Flag, Parent, Rule, SegmentIndex, Span, Sticky, Strategy, Variants,
};
use crate::{Place, Problem};

/// Compiles a flag, without its parents.
pub(crate) fn compile_flag(flag: &EnvironmentFlag, linker: &mut Linker) -> Flag {
    let settings = &*flag.settings;
    let mut parts = Parts {
        constraints: Vec::with_capacity(settings.strategies.iter().map(|s| s.constraints.len()).sum()),
        segments: Vec::new(),
    };
    let strategies: Box<[Strategy]> = settings
        .strategies
        .iter()
        .enumerate()
        .map(|(index, strategy)| parts.strategy(&flag.name, index, strategy, linker))
        .collect();
    let body = Body {
        switch: settings.enabled,
        parents: Box::default(),
        strategies,
        constraints: parts.constraints.into_boxed_slice(),
        segments: parts.segments.into_boxed_slice(),
        variants: linker.variants(flag.name.as_str(), None, &settings.variants),
    };
    let answer = body.answer();
    let bare = body.strategies.is_empty() && body.variants.is_none();
    Flag {
        name: flag.name.clone(),
        project: flag.project.clone(),
        body: (!bare).then(|| Arc::new(body)),
        answer,
        impression_data: flag.impression_data,
    }
}

impl Flag {
    /// A flag that is not there.
    pub(crate) fn gone(name: FlagName) -> Self {
        Self {
            name,
            project: "".into(),
            body: None,
            answer: Answer::Gone,
            impression_data: false,
        }
    }

    /// Gives parents to a flag that was just compiled.
    pub(crate) fn with_parents(mut self, parents: Box<[Parent]>) -> Self {
        if parents.is_empty() {
            return self;
        }
        let switch = self.answer != Answer::Off;
        let body = self.body.get_or_insert_with(|| {
            Arc::new(Body {
                switch,
                ..Body::default()
            })
        });
        if let Some(body) = Arc::get_mut(body) {
            body.parents = parents;
        }
        if self.answer != Answer::Off {
            self.answer = Answer::Depends;
        }
        self
    }
}

impl Body {
    /// What can be said of the flag, apart from parents, without looking at a context.
    fn answer(&self) -> Answer {
        let live = || self.strategies.iter().filter(|strategy| !strategy.idle);
        if !self.switch || (live().next().is_none() && !self.strategies.is_empty()) {
            return Answer::Off;
        }
        if !self.strategies.is_empty() && !live().any(Strategy::holds_for_everybody) {
            return Answer::Depends;
        }
        let without_variants =
            self.variants.is_none() && self.strategies.iter().all(|strategy| strategy.variants.is_none());
        if without_variants {
            Answer::On
        } else {
            Answer::OnWithVariants
        }
    }
}

impl Strategy {
    fn holds_for_everybody(&self) -> bool {
        let rule = match &self.rule {
            Rule::Always => true,
            Rule::Rollout(rollout) => rollout.bound == 100 && !matches!(rollout.sticky, Sticky::Field(_)),
            _ => false,
        };
        rule && self.constraints.is_empty() && self.segments.is_empty()
    }
}

struct Parts {
    constraints: Vec<Constraint>,
    segments: Vec<SegmentIndex>,
}

impl Parts {
    fn strategy(
        &mut self,
        flag: &FlagName,
        index: usize,
        strategy: &ActivationStrategy,
        linker: &mut Linker,
    ) -> Strategy {
        let rule = linker.rule(flag, index, strategy);
        let constraints = self.constraints(flag, index, strategy, linker);
        let segments = self.segments(strategy, linker);
        let constant_false = |constraint: &Constraint| constraint.constant() == Some(false);
        let nobody = match &rule {
            Rule::Rollout(rollout) => rollout.bound == 0,
            Rule::Users(users) => users.len() == 0,
            Rule::Addresses(networks) => networks.len() == 0,
            Rule::Custom(_) | Rule::Unusable(_) => true,
            Rule::Always | Rule::Hosts(_) => false,
        };
        Strategy {
            idle: strategy.disabled || nobody || constraints.of(&self.constraints).iter().any(constant_false),
            rule,
            constraints,
            segments,
            variants: strategy_variants(flag, strategy, linker),
            disabled: strategy.disabled,
        }
    }

    fn constraints(
        &mut self,
        flag: &FlagName,
        index: usize,
        strategy: &ActivationStrategy,
        linker: &mut Linker,
    ) -> Span {
        let start = self.constraints.len() as u32;
        for (place_in_list, constraint) in strategy.constraints.iter().enumerate() {
            let compiled = linker.constraint(constraint, || Place {
                constraint: Some(place_in_list),
                ..place(flag, index)
            });
            self.constraints.push(compiled);
        }
        Span {
            start,
            end: self.constraints.len() as u32,
        }
    }

    fn segments(&mut self, strategy: &ActivationStrategy, linker: &mut Linker) -> Span {
        let start = self.segments.len() as u32;
        self.segments
            .extend(strategy.segments.iter().map(|id| linker.segment(*id)));
        Span {
            start,
            end: self.segments.len() as u32,
        }
    }
}

fn strategy_variants(
    flag: &FlagName,
    strategy: &ActivationStrategy,
    linker: &mut Linker,
) -> Option<Box<Variants>> {
    let stickiness = strategy.parameters.get("stickiness");
    let inherited = stickiness.map(|name| Stickiness::from_name(name));
    linker.variants(group(flag, strategy), inherited.as_ref(), &strategy.variants)
}

impl Linker {
    /// Warns of segments that a flag's strategies refer to and that are not there.
    pub(crate) fn warn_of_segments(&mut self, flag: &Flag) {
        let Some(body) = &flag.body else { return };
        for (index, strategy) in body.strategies.iter().enumerate() {
            for segment in strategy.segments.of(&body.segments) {
                if let Some(missing) = self.segments.get(*segment).filter(|segment| !segment.found) {
                    let problem = Problem::MissingSegment { id: missing.id };
                    self.warn(place(&flag.name, index), problem);
                }
            }
        }
    }
}
