//! Checks of constraints.

use vexil_domain::{Constraint, Operator};

use super::{CONSTRAINTS_PER_STRATEGY, Problem, Problems, VALUES_PER_CONSTRAINT, values};
use crate::IssueCode::ConstraintInvalid;

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

fn check(problems: &mut Problems, path: &str, constraint: &Constraint) {
    if constraint.context_name.is_empty() {
        let message = "must name the context field that is compared";
        problems.add(format!("{path}/contextName"), ConstraintInvalid, message);
    }
    match &constraint.operator {
        Operator::Unknown(name) => unknown_operator(problems, path, name),
        operator if operator.takes_values() => check_values(problems, path, constraint),
        _ => check_value(problems, path, constraint),
    }
}

fn unknown_operator(problems: &mut Problems, path: &str, name: &str) {
    let known: Vec<&str> = Operator::KNOWN.iter().map(Operator::name).collect();
    let message = format!("`{name}` is no operator; there are: {}", known.join(", "));
    problems.add(format!("{path}/operator"), ConstraintInvalid, message);
}

fn check_values(problems: &mut Problems, path: &str, constraint: &Constraint) {
    let operator = &constraint.operator;
    if constraint.values.is_empty() {
        let message = format!("`{operator}` needs at least one value");
        problems.add(format!("{path}/values"), ConstraintInvalid, message);
    }
    for (place, value) in constraint.values.iter().enumerate() {
        let path = format!("{path}/values/{place}");
        if value.is_empty() {
            problems.add(path, ConstraintInvalid, "must not be empty");
        } else if *operator == Operator::InCidr && !values::is_network(value) {
            let message = format!("`{value}` is neither an IP address nor a network such as 10.0.0.0/8");
            problems.add(path, ConstraintInvalid, message);
        }
    }
}

fn check_value(problems: &mut Problems, path: &str, constraint: &Constraint) {
    let operator = &constraint.operator;
    let inverted = format!("{path}/inverted");
    let path = format!("{path}/value");
    let Some(value) = constraint.value.as_deref().filter(|value| !value.is_empty()) else {
        problems.add(path, ConstraintInvalid, format!("`{operator}` needs a value"));
        return;
    };
    if *operator == Operator::Regex && constraint.is_inverted() {
        let message = "`REGEX` cannot be inverted; write the pattern the other way round";
        problems.add(inverted, ConstraintInvalid, message);
    }
    let wanted = match operator {
        Operator::NumEq | Operator::NumGt | Operator::NumGte | Operator::NumLt | Operator::NumLte => {
            (!values::is_number(value)).then(|| "a number such as 5 or 0.25".to_owned())
        }
        Operator::DateAfter | Operator::DateBefore => (!values::is_instant(value))
            .then(|| "a date and time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31".to_owned()),
        Operator::Regex => regex::Regex::new(value)
            .err()
            .map(|error| format!("a regular expression ({error})")),
        _ => (!values::is_version(value)).then(|| "a semantic version such as 1.2.0".to_owned()),
    };
    if let Some(wanted) = wanted {
        problems.add(path, ConstraintInvalid, format!("`{value}` is not {wanted}"));
    }
}
