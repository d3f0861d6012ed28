//! Checks of constraints.

use vexil_domain::Constraint;
use vexil_values::Part;

use super::{CONSTRAINTS_PER_STRATEGY, Problem, Problems, VALUES_PER_CONSTRAINT};
use crate::ProblemCode::ConstraintInvalid;

/// What is wrong with one constraint that stands at `path`.
#[must_use]
pub fn constraint(path: &str, constraint: &Constraint) -> Vec<Problem> {
    let mut problems = Problems::default();
    check(&mut problems, path, constraint);
    problems.found
}

/// What is wrong with the constraints of a strategy, which stand at `path`.
#[must_use]
pub fn constraints(path: &str, constraints: &[Constraint]) -> Vec<Problem> {
    let mut problems = Problems::default();
    if constraints.len() > CONSTRAINTS_PER_STRATEGY {
        let count = constraints.len();
        let message = format!("must have at most {CONSTRAINTS_PER_STRATEGY} constraints, not {count}");
        problems.add(path, ConstraintInvalid, message);
    }
    for (place, constraint) in constraints.iter().enumerate() {
        let path = format!("{path}/{place}");
        check(&mut problems, &path, constraint);
        if constraint.values.len() > VALUES_PER_CONSTRAINT {
            let count = constraint.values.len();
            let message = format!(
                "must have at most {VALUES_PER_CONSTRAINT} values, not {count}; a segment can hold more"
            );
            problems.add(format!("{path}/values"), ConstraintInvalid, message);
        }
    }
    problems.found
}

/// What is wrong is what cannot be compiled, or says nothing: the grammar decides.
fn check(problems: &mut Problems, path: &str, constraint: &Constraint) {
    for problem in vexil_values::problems(constraint) {
        let place = match problem.part() {
            Part::Field => format!("{path}/contextName"),
            Part::Operator => format!("{path}/operator"),
            Part::Value => format!("{path}/value"),
            Part::Values => format!("{path}/values"),
            Part::Entry(entry) => format!("{path}/values/{entry}"),
            Part::Inverted => format!("{path}/inverted"),
        };
        problems.add(place, ConstraintInvalid, problem.to_string());
    }
}
