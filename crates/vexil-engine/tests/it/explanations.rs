//! What an explanation says, and how it reads.

use vexil_domain::{ActivationStrategy, Constraint, Context, Dependency, Operator, SegmentId};
use vexil_engine::{
    Ambient, Decider, Draw, Engine, Evaluation, Explanation, Finding, Found, ParentFinding, PickedBy, Rule,
    VariantOutcome, Verdict,
};

use crate::support::{NOW, ambient, constraint, flag, only, rollout, snapshot, variant};

fn explain(engine: &Engine, context: &Context) -> Explanation {
    engine.explain("f", context, &ambient(0)).unwrap()
}

fn user(id: &str) -> Context {
    Context::default().with("userId", id)
}

#[test]
fn a_rollout_names_its_bucket_and_its_bound() {
    // The vector (123, g1) = 75 is one that a real Unleash gives.
    let explanation = explain(&only(rollout("50", "userId")), &user("123"));
    let Rule::Rollout(found) = &explanation.strategies[0].rule else {
        panic!("{explanation}");
    };
    assert_eq!((found.bucket, found.bound, found.holds()), (Some(75), 50, false));
    assert_eq!(explanation.decider(), Decider::NoStrategyHolds);
    assert!(
        explanation
            .to_string()
            .contains("bucket 75 of 100, rollout 50, group `g1`, by userId `123`")
    );
    assert!(explain(&only(rollout("75", "userId")), &user("123")).enabled);
}

#[test]
fn a_missing_value_that_leaves_a_rollout_to_chance_or_to_nobody_is_named() {
    let draw = |stickiness| {
        let explanation = explain(&only(rollout("50", stickiness)), &Context::default());
        match explanation.strategies[0].rule.clone() {
            Rule::Rollout(rollout) => rollout.draw,
            other => panic!("{other}"),
        }
    };
    let missing = vec!["userId".into(), "sessionId".into()];
    assert_eq!(draw("default"), Draw::Chance { missing });
    assert_eq!(draw("random"), Draw::Chance { missing: vec![] });
    let missing = vec!["plan".into()];
    assert_eq!(draw("plan"), Draw::Nothing { missing });
}

#[test]
fn a_constraint_says_what_it_compared_and_found() {
    let see = |constraint: Constraint, context: &Context| {
        let strategy = ActivationStrategy::new("s", "default").with_constraint(constraint);
        explain(&only(strategy), context).strategies[0].constraints[0].clone()
    };
    let context = user("anna@x.org").with("age", "old").with("version", "1.2.3");
    let one = see(
        constraint("userId", Operator::StrEndsWith, &["@y.org", " @x.org "]),
        &context,
    );
    assert_eq!(
        one.finding,
        Finding::Listed {
            value: "@x.org".to_owned()
        }
    );
    assert_eq!(
        (one.found, one.holds),
        (Found::Value("anna@x.org".to_owned()), true)
    );
    let one = see(constraint("age", Operator::NumGt, &["18"]), &context);
    assert_eq!(one.to_string(), "age NUM_GT does not hold: `old` is no number");
    let one = see(constraint("version", Operator::SemverGt, &["1.2.0"]), &context);
    assert_eq!(
        one.finding,
        Finding::Compared {
            with: "1.2.0".to_owned(),
            holds: true
        }
    );
    let one = see(constraint("plan", Operator::In, &["gold"]), &context);
    assert_eq!((one.finding, one.holds), (Finding::Missing, false));
    let one = see(
        constraint("currentTime", Operator::DateAfter, &["2024-01-01"]),
        &context,
    );
    assert_eq!((one.found, one.holds), (Found::Now(NOW), true));
    let one = see(
        constraint("remoteAddress", Operator::InCidr, &["10.0.0.0/8"]),
        &context.with("remoteAddress", "10.1.2.3"),
    );
    assert_eq!(
        one.finding,
        Finding::Listed {
            value: "10.0.0.0/8".to_owned()
        }
    );
}

#[test]
fn a_custom_strategy_is_incomplete_and_unknown_or_false() {
    let custom = ActivationStrategy::new("s", "ours");
    let explanation = explain(&only(custom.clone()), &user("1"));
    assert_eq!(explanation.strategies[0].evaluation, Evaluation::Incomplete);
    assert_eq!(
        (explanation.strategies_result, explanation.enabled),
        (Verdict::Unknown, false)
    );
    let narrowed = custom.with_constraint(constraint("userId", Operator::In, &["2"]));
    let explanation = explain(&only(narrowed), &user("1"));
    assert_eq!(explanation.strategies[0].evaluation, Evaluation::Incomplete);
    assert_eq!(explanation.strategies_result, Verdict::False);
}

#[test]
fn a_disabled_strategy_is_shown_but_left_out() {
    let mut disabled =
        ActivationStrategy::new("s", "default").with_constraint(constraint("userId", Operator::In, &["1"]));
    disabled.disabled = true;
    let explanation = explain(&only(disabled.clone()), &user("1"));
    let strategy = &explanation.strategies[0];
    assert_eq!(
        (strategy.evaluation, strategy.verdict),
        (Evaluation::Unevaluated, Verdict::Unknown)
    );
    assert!(strategy.constraints[0].holds);
    assert_eq!(explanation.strategies_result, Verdict::Unknown);
    assert!(!explanation.enabled && !explanation.enabled_in_environment);
    assert_eq!(explanation.decider(), Decider::OnlyDisabledStrategies);
    let both = Engine::compile(&snapshot([flag("f", vec![disabled, rollout("0", "userId")])])).0;
    let explanation = explain(&both, &user("1"));
    assert_eq!(explanation.strategies_result, Verdict::Unknown);
    assert!(explanation.enabled_in_environment && !explanation.enabled);
}

#[test]
fn a_host_name_is_compared_only_where_somebody_gives_it() {
    let strategy =
        ActivationStrategy::new("s", "applicationHostname").with_parameter("hostNames", "Web-1, web-2");
    let engine = only(strategy);
    assert_eq!(
        explain(&engine, &user("1")).strategies[0].evaluation,
        Evaluation::Incomplete
    );
    let on = |host| engine.is_enabled("f", &user("1"), &Ambient::new(NOW, 0).with_host_name(host));
    assert!(on("web-1") && on("WEB-2") && !on("web-3"));
}

#[test]
fn parents_say_what_they_are() {
    let depends_on = |name: &str, enabled: bool, variants: &[&str]| Dependency {
        parent: name.into(),
        enabled,
        variants: variants.iter().map(ToString::to_string).collect(),
    };
    let mut parent = flag("parent", vec![rollout("100", "userId")]);
    std::sync::Arc::make_mut(&mut parent.settings).variants = vec![variant("red", 1)];
    let mut f = flag("f", vec![]);
    f.dependencies = vec![
        depends_on("parent", true, &["red"]),
        depends_on("parent", true, &["blue"]),
        depends_on("parent", false, &[]),
        depends_on("nobody", true, &[]),
        depends_on("f", true, &[]),
    ];
    let engine = Engine::compile(&snapshot([parent, f])).0;
    let explanation = explain(&engine, &user("1"));
    let satisfied: Vec<bool> = explanation
        .parents
        .iter()
        .map(|parent| parent.satisfied)
        .collect();
    assert_eq!(satisfied, [true, false, false, false, false]);
    let on = ParentFinding::On {
        variant: "red".to_owned(),
    };
    let findings: Vec<_> = explanation
        .parents
        .iter()
        .map(|parent| parent.finding.clone())
        .collect();
    assert_eq!(
        findings,
        [
            on.clone(),
            on.clone(),
            on,
            ParentFinding::Missing,
            ParentFinding::HasParents
        ]
    );
    assert_eq!(explanation.decider(), Decider::Parent(1));
    assert!(explanation.has_unsatisfied_dependency());
    let explanation = explain(&engine, &Context::default());
    assert_eq!(explanation.parents[2].finding, ParentFinding::Off);
    assert!(explanation.parents[2].satisfied);
}

#[test]
fn a_variant_names_its_bucket_and_where_it_comes_from() {
    let mut strategy = rollout("100", "userId");
    strategy.variants = vec![variant("a", 500), variant("b", 500)];
    let explanation = explain(&only(strategy.clone()), &user("123"));
    let pick = explanation.strategies[0].variants.clone().unwrap();
    let PickedBy::Weight {
        bucket, bound, total, ..
    } = pick.by
    else {
        panic!("{pick}");
    };
    assert!(bucket <= bound && bound - bucket < 500 && total == 1000);
    let variant = pick.variant.unwrap();
    assert_eq!(
        explanation.variant,
        VariantOutcome::OfStrategy { strategy: 0, variant }
    );
    strategy.parameters.insert("rollout".to_owned(), "0".to_owned());
    let explanation = explain(&only(strategy), &user("123"));
    assert_eq!(explanation.variant, VariantOutcome::Disabled);
    assert_eq!(
        explanation.strategies[0].variants.clone().unwrap().variant,
        Some(variant)
    );
}

#[test]
fn a_missing_segment_does_not_hold() {
    let mut strategy = ActivationStrategy::new("s", "default");
    strategy.segments = vec![SegmentId(7)];
    let explanation = explain(&only(strategy), &user("1"));
    let segment = &explanation.strategies[0].segments[0];
    assert_eq!(
        (segment.id, segment.found, segment.holds),
        (SegmentId(7), false, false)
    );
    assert!(!explanation.enabled);
}

#[cfg(feature = "serde")]
#[test]
fn an_explanation_is_a_document_too() {
    let engine = only(rollout("50", "userId"));
    let explanation = explain(&engine, &Context::default().with("userId", "123"));
    let document = serde_json::to_value(&explanation).unwrap();
    assert_eq!(document["decidedBy"], serde_json::Value::Null);
    assert_eq!(document["strategies"][0]["strategy"], "flexibleRollout");
    assert_eq!(
        document["strategies"][0]["rule"]["rollout"],
        serde_json::json!({
            "group": "g1", "draw": { "value": { "field": "userId", "value": "123" } }, "bucket": 75, "bound": 50
        })
    );
}
