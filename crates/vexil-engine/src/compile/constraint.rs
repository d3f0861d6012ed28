//! Compiles constraints: values are parsed once.

use std::sync::Arc;

use vexil_values::ConstraintText;

use crate::compile::Linker;
use crate::condition::Condition;
use crate::program::{Constraint, OperatorCode};
use crate::{Place, Problem};

impl Linker {
    /// Compiles a constraint. What cannot be understood never holds, and is warned of.
    pub(crate) fn constraint(
        &mut self,
        constraint: &impl ConstraintText,
        place: impl Fn() -> Place,
    ) -> Constraint {
        let mut last = None;
        let comparison = vexil_values::read(constraint, |problem| {
            self.warn(place(), Problem::Constraint(problem.clone()));
            last = Some(problem);
        });
        let condition = match comparison.map(Condition::compile) {
            Some(Ok(condition)) => condition,
            Some(Err(problem)) => {
                self.warn(place(), Problem::Constraint(problem.clone()));
                Condition::Invalid(Arc::new(problem))
            }
            None => Condition::Invalid(Arc::new(last.unwrap_or(vexil_values::Problem::NoField))),
        };
        Constraint {
            field: self.field(constraint.context_name()),
            operator: OperatorCode::of(constraint.operator()),
            inverted: constraint.is_inverted(),
            condition,
        }
    }
}

impl Constraint {
    /// What the constraint says whatever the context, if that can be told.
    pub(crate) fn constant(&self) -> Option<bool> {
        match &self.condition {
            Condition::Invalid(_) => Some(false),
            condition => condition.constant().map(|holds| holds != self.inverted),
        }
    }
}
