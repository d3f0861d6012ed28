//! Custom strategies: decided by a function, or given as results.

use proptest::prelude::*;
use vexil_engine::{
    ActivationStrategy, Context, CustomResults, CustomStrategies, Engine, EnvironmentFlag, Problem, Rule,
    Update, Verdict, Write,
};

use crate::support::{ambient, flag, rollout, snapshot};

/// Lets in who is at least as old as the parameter `age` says.
fn by_age() -> CustomStrategies {
    CustomStrategies::default().with("byAge", ["age"], |asked| {
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
        let (age, least) = (number(asked.value("age")), number(asked.parameter("age")));
        assert_eq!(asked.value("name"), None, "it was not registered for this field");
        age.zip(least).is_some_and(|(age, least)| age >= least)
    })
}

fn custom(place: &str, least: &str) -> ActivationStrategy {
    ActivationStrategy::new(place, "byAge").with_parameter("age", least)
}

fn person(age: u32) -> Context {
    Context::default()
        .with("age", age.to_string())
        .with("name", "Ada")
}

#[test]
fn a_registered_function_decides() {
    let flags = snapshot([flag("f", vec![custom("a", "18")])]);
    let (engine, warnings) = Engine::compile_with(&flags, by_age());
    assert!(warnings.is_empty(), "{warnings:?}");
    assert!(engine.is_enabled("f", &person(18), &ambient(0)));
    assert!(!engine.is_enabled("f", &person(17), &ambient(0)));
    assert!(engine.prepare(&person(18), &ambient(0)).is_enabled("f"));
    assert_eq!(engine.reads(engine.flag("f").unwrap()), ["age"]);
    let explanation = engine.explain("f", &person(17), &ambient(0)).unwrap();
    assert_eq!(explanation.strategies[0].verdict, Verdict::False);
    assert_eq!(
        explanation.to_string(),
        "f is off: no strategy holds\n  strategy 0 (byAge) does not hold: the custom strategy `byAge` does not let in, \
         as its function says\n  no variant"
    );
}

#[test]
fn constraints_count_before_a_custom_strategy_and_others_beside_it() {
    let mut narrow = custom("a", "18");
    narrow.constraints = vec![crate::support::constraint(
        "name",
        vexil_domain::Operator::In,
        &["Ada"],
    )];
    let engine = Engine::compile_with(
        &snapshot([flag("f", vec![rollout("0", "default"), narrow])]),
        by_age(),
    )
    .0;
    assert!(engine.is_enabled("f", &person(20), &ambient(0)));
    assert!(!engine.is_enabled("f", &person(20).with("name", "Bob"), &ambient(0)));
}

#[test]
fn a_type_that_nobody_registered_is_warned_of_where_it_counts() {
    let mut disabled = custom("b", "1");
    disabled.disabled = true;
    let all = snapshot([flag(
        "f",
        vec![rollout("1", "default"), custom("a", "18"), disabled],
    )]);
    let (engine, warnings) = Engine::compile(&all);
    let [warning] = &*warnings else {
        panic!("{warnings:?}");
    };
    assert_eq!(
        warning.to_string(),
        "flag `f`, strategy 1: the strategy type `byAge` is not known here, so the strategy never holds unless its result is given"
    );
    assert!(matches!(&warning.problem, Problem::UnknownStrategy { strategy } if strategy == "byAge"));
    assert!(!engine.is_enabled("f", &person(99), &ambient(0)));
}

#[test]
fn an_updated_engine_knows_the_same_custom_strategies() {
    let engine = Engine::compile_with(&snapshot([]), by_age()).0;
    let put = Write::Upsert(std::sync::Arc::new(flag("f", vec![custom("a", "18")])));
    let (engine, warnings) = engine.updated(&Update {
        flags: vec![put],
        segments: vec![],
    });
    assert!(warnings.is_empty());
    assert!(engine.is_enabled("f", &person(18), &ambient(0)));
}

#[test]
fn given_results_count_first_by_place_then_by_type() {
    let flags = snapshot([
        flag("f", vec![custom("a", "18"), custom("b", "18")]),
        flag("g", vec![custom("c", "18")]),
    ]);
    let engine = Engine::compile_with(&flags, by_age()).0;
    let results = CustomResults::default()
        .with_type("byAge", false)
        .with("f", 1, true);
    let given = ambient(0).with_custom_results(&results);
    assert!(engine.is_enabled("f", &person(1), &given));
    assert!(!engine.is_enabled("g", &person(99), &given));
    let rules = engine.explain("f", &person(99), &given).unwrap().strategies;
    let result = |holds| Rule::Custom {
        strategy: "byAge".to_owned(),
        is_given: true,
        holds,
    };
    assert_eq!((&rules[0].rule, &rules[1].rule), (&result(false), &result(true)));
}

proptest! {
    /// What a property of a strategy in isolation looks like.
    #[test]
    fn a_custom_strategy_is_monotone_in_isolation(age: u8, more: u8, least: u8) {
        let alone = EnvironmentFlag::new("f", "default").with_strategy(custom("s", &least.to_string()));
        let engine = Engine::compile_with(&[alone].into_iter().collect(), by_age()).0;
        let is_on = |age: u32| engine.is_enabled("f", &person(age), &ambient(0));
        prop_assert!(!is_on(age.into()) || is_on(u32::from(age) + u32::from(more)));
    }
}
