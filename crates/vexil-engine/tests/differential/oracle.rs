//! What a part of a flag comes to for one context, by the rules as `tests/it/reference` has them; patterns by this engine,
//! since the rules have no dialect of their own.

use time::OffsetDateTime;
use vexil_domain::{
    ActivationStrategy, Constraint, Context, Dependency, EnvironmentFlag, EnvironmentSnapshot, Operator,
    Variant,
};
use vexil_engine::{Ambient, Engine};

use crate::interpreter::Interpreter;

pub(crate) struct Oracle<'a> {
    rules: Interpreter<'a>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(snapshot: &'a EnvironmentSnapshot, context: &'a Context) -> Self {
        Self {
            rules: Interpreter {
                snapshot,
                context,
                now: OffsetDateTime::now_utc(),
                host: None,
            },
        }
    }

    pub(crate) fn context(&self) -> &'a Context {
        self.rules.context
    }

    pub(crate) fn snapshot(&self) -> &'a EnvironmentSnapshot {
        self.rules.snapshot
    }

    pub(crate) fn constraint(&self, constraint: &Constraint) -> bool {
        if constraint.operator == Operator::Regex {
            return self.by_engine(constraint);
        }
        self.rules.constraint(constraint)
    }

    fn by_engine(&self, constraint: &Constraint) -> bool {
        let strategy = ActivationStrategy::new("s", "default").with_constraint(constraint.clone());
        let flag = EnvironmentFlag::new("f", "default").with_strategy(strategy);
        let engine = Engine::compile(&[flag].into_iter().collect()).0;
        engine.is_enabled("f", self.rules.context, &Ambient::new(self.rules.now, 0))
    }

    pub(crate) fn rule(&self, flag: &EnvironmentFlag, strategy: &ActivationStrategy) -> bool {
        self.rules.rule(flag, strategy) == Some(true)
    }

    pub(crate) fn parent(&self, dependency: &Dependency) -> bool {
        self.rules.parent(dependency) == Some(true)
    }

    /// The variant that a strategy gives of its own.
    pub(crate) fn own_variant<'f>(
        &self,
        flag: &EnvironmentFlag,
        strategy: &'f ActivationStrategy,
    ) -> Option<&'f Variant> {
        let name = self.rules.own_variant(flag, strategy)??;
        strategy.variants.iter().find(|variant| variant.name == name)
    }

    /// The variant that the flag gives.
    pub(crate) fn flag_variant<'f>(&self, flag: &'f EnvironmentFlag) -> Option<&'f Variant> {
        let name = self.rules.flag_variant(flag)??;
        flag.settings.variants.iter().find(|variant| variant.name == name)
    }
}
