//! The door and the engine agree about what a constraint may say.

use proptest::prelude::*;
use vexil_change_request::validate;
use vexil_domain::{ActivationStrategy, Constraint, Operator};
use vexil_engine::Engine;
use vexil_proptest::arb_constraint;

use crate::support::{flag, snapshot};

/// What compiling a constraint, alone in its flag, warns of.
fn warnings(constraint: &Constraint) -> Vec<String> {
    let strategy = ActivationStrategy::new("s", "default").with_constraint(constraint.clone());
    let (_, warnings) = Engine::compile(&snapshot([flag("f", vec![strategy])]));
    warnings.iter().map(ToString::to_string).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        // `PROPTEST_CASES=1000000 cargo nextest run -p vexil-engine admission` walks a million
        cases: ProptestConfig::default().cases.max(5_000),
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_constraint_is_admitted_exactly_when_compiling_it_warns_of_nothing(constraint in arb_constraint()) {
        let refused = validate::constraint("", &constraint);
        let warnings = warnings(&constraint);
        prop_assert_eq!(refused.len(), warnings.len(), "{:?} {:?}", refused, warnings);
    }
}

#[test]
fn the_largest_patterns_that_are_admitted_can_be_compiled() {
    for part in [
        "\\pL",
        ".{100}",
        "(?i:\\pL)",
        "[^a]{100}",
        "a{100}",
        "(a|\\pN){9}",
    ] {
        let times = |count: usize| Constraint {
            value: Some(part.repeat(count)),
            ..Constraint::new("field", Operator::Regex)
        };
        let admitted = |count: &usize| validate::constraint("", &times(*count)).is_empty();
        let largest = (1..).take_while(admitted).last().unwrap();
        assert_eq!(
            warnings(&times(largest)),
            Vec::<String>::new(),
            "{part} {largest} times"
        );
        assert_eq!(warnings(&times(largest + 1)).len(), 1, "{part} {largest} times");
    }
}
