//! Conditions on one field that are seldom asked together.

use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, Constraint, Operator};

use super::of_flag;
use super::sides::Sides;

fn looks_for(field: &str, operator: Operator, texts: &[&str]) -> Constraint {
    let values = texts.iter().map(|text| (*text).to_owned()).collect();
    Constraint {
        values,
        ..Constraint::new(field, operator)
    }
}

#[test]
fn a_user_is_found_who_begins_as_no_numbered_one_does() {
    let begin: Vec<String> = (0..10).map(|digit| format!("user-{digit}")).collect();
    let begin: Vec<&str> = begin.iter().map(String::as_str).collect();
    for percentage in ["1", "4", "100"] {
        let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
            .with_parameter("rollout", percentage)
            .with_parameter("stickiness", "userId")
            .with_parameter("groupId", "g");
        let mut others = looks_for("userId", Operator::StrStartsWith, &begin);
        others.inverted = Some(true);
        strategy.constraints = vec![others];
        let sides = Sides::new((of_flag(Vec::new()), of_flag(vec![strategy])));
        let effect = sides
            .comparison()
            .effect(&["f".into()], &[], &Budget::unlimited());
        assert!(effect.is_complete(), "{effect:#?}");
    }
}
