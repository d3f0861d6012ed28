//! Evaluates constraints.

use super::evaluator::Evaluator;
use super::tracer::{NoTrace, Tracer};
use crate::context_lookup::ContextLookup;
use crate::fields::FieldId;
use crate::program::Constraint;
use crate::{ConstraintExplanation, Found};

impl<'c, V: ContextLookup<'c>> Evaluator<'_, 'c, V> {
    #[inline(always)]
    pub(super) fn constraint<O: Tracer>(&self, constraint: &Constraint, tracer: &mut O) -> bool {
        let inverted = constraint.inverted;
        let (satisfied, outcome) = match self.context.value(constraint.field) {
            Some(value) => constraint.condition.with_value(inverted, value),
            None => {
                let now = (constraint.field == FieldId::CURRENT_TIME).then_some(self.ambient.now);
                constraint.condition.without_value(inverted, now)
            }
        };
        let holds = satisfied != inverted;
        tracer.constraint(holds, || ConstraintExplanation {
            field: self.table.fields.name(constraint.field).clone(),
            operator: constraint.operator(),
            inverted,
            found: self.found(constraint),
            finding: constraint.condition.finding(satisfied, outcome),
            holds,
        });
        holds
    }

    /// Whether a constraint holds, asked by itself.
    pub(crate) fn constraint_alone(&self, constraint: &Constraint) -> bool {
        self.constraint(constraint, &mut NoTrace)
    }

    fn found(&self, constraint: &Constraint) -> Found {
        match self.context.text(constraint.field) {
            Some(text) => Found::Value(text.to_owned()),
            None if constraint.field == FieldId::CURRENT_TIME && constraint.condition.is_about_time() => {
                Found::Now(self.ambient.now)
            }
            None => Found::Missing,
        }
    }
}
