//! Single answers that the rules do not leave open.

use vexil_domain::{ActivationStrategy, Context, EnvironmentSnapshot, Operator};
use vexil_engine::{Choice, Engine};

use crate::support::{ambient, constraint, flag, only, rollout, snapshot, variant};

fn user(id: &str) -> Context {
    Context::default().with("userId", id)
}

fn holds(operator: Operator, values: &[&str], value: &str) -> bool {
    let strategy =
        ActivationStrategy::new("s", "default").with_constraint(constraint("field", operator, values));
    only(strategy).is_enabled("f", &Context::default().with("field", value), &ambient(0))
}

#[test]
fn unknown_flags_are_off_and_have_no_variant() {
    let engine = Engine::compile(&EnvironmentSnapshot::default()).0;
    assert!(engine.is_empty());
    assert_eq!(
        engine.variant("f", &user("1"), &ambient(0)),
        Choice::disabled(false)
    );
    assert_eq!(engine.explain("f", &user("1"), &ambient(0)), None);
}

#[test]
fn a_flag_that_is_on_and_has_no_strategies_is_on_for_everybody() {
    let engine = Engine::compile(&snapshot([flag("f", vec![])])).0;
    assert!(engine.is_enabled("f", &Context::default(), &ambient(0)));
    assert_eq!(
        engine.variant("f", &user("1"), &ambient(0)),
        Choice::disabled(true)
    );
}

#[test]
fn buckets_are_those_of_the_reference_vectors() {
    for (user_id, group, bucket) in [
        ("123", "g1", 75),
        ("abc", "g1", 88),
        ("123", "", 93),
        ("é", "g1", 64),
        ("日本", "g1", 26),
    ] {
        let on = |percentage: u32| {
            let strategy = rollout(&percentage.to_string(), "userId").with_parameter("groupId", group);
            only(strategy).is_enabled("f", &user(user_id), &ambient(0))
        };
        assert!(on(bucket) && !on(bucket - 1), "{user_id} {group}");
    }
}

#[test]
fn a_missing_group_is_the_name_of_the_flag() {
    let mut without = rollout("50", "userId");
    without.parameters.remove("groupId");
    let with = rollout("50", "userId").with_parameter("groupId", "f");
    for number in 0..200 {
        let on = |strategy: &ActivationStrategy| {
            only(strategy.clone()).is_enabled("f", &user(&number.to_string()), &ambient(0))
        };
        assert_eq!(on(&without), on(&with));
    }
}

#[test]
fn variants_without_any_weight_give_way_to_those_of_the_flag() {
    let mut strategy = rollout("100", "userId");
    strategy.variants = vec![variant("none", 0)];
    let mut f = flag("f", vec![strategy]);
    std::sync::Arc::make_mut(&mut f.settings).variants = vec![variant("own", 1)];
    let engine = Engine::compile(&snapshot([f])).0;
    assert_eq!(engine.variant("f", &user("1"), &ambient(0)).name, "own");
}

#[test]
fn text_is_compared_letter_by_letter_in_lower_case() {
    for (value, needle) in [
        ("ΟΔΟΣ", "οδοσ"),
        ("İstanbul", "i\u{307}S"),
        ("STRASSE", "straSSe"),
        ("É", "é"),
    ] {
        let mut one = constraint("field", Operator::StrStartsWith, &[needle]);
        one.case_insensitive = Some(true);
        let engine = only(ActivationStrategy::new("s", "default").with_constraint(one));
        assert!(
            engine.is_enabled("f", &Context::default().with("field", value), &ambient(0)),
            "{value}"
        );
    }
    assert!(!holds(Operator::StrContains, &["A"], "a"));
    assert!(
        !holds(Operator::StrContains, &[" ", ""], "a"),
        "blank values fit nothing"
    );
}

#[test]
fn huge_values_are_compared_in_time() {
    let long = "aB".repeat(200_000);
    for operator in [
        Operator::StrContains,
        Operator::StrEndsWith,
        Operator::StrStartsWith,
    ] {
        let mut one = constraint("field", operator, &[&long, &"ab".repeat(100_000)]);
        one.case_insensitive = Some(true);
        let engine = only(ActivationStrategy::new("s", "default").with_constraint(one));
        assert!(engine.is_enabled("f", &Context::default().with("field", long.clone()), &ambient(0)));
    }
    assert!(!holds(Operator::Regex, &["(a*)*b"], &"a".repeat(100_000)));
}

#[test]
fn numbers_are_compared_exactly() {
    assert!(!holds(Operator::NumEq, &["0.3"], "0.30000000000000004"));
    assert!(holds(Operator::NumGt, &["0.3"], "0.30000000000000004"));
    assert!(
        holds(Operator::NumEq, &["9007199254740992"], "9007199254740993"),
        "as 64-bit floats they are one"
    );
    assert!(!holds(Operator::NumLt, &["1"], "-inf"));
}
