//! What cannot be understood is off, alone, and comes back as a warning with its place.

use vexil_domain::{ActivationStrategy, Context, Dependency, Operator, Segment, SegmentId};
use vexil_engine::{Engine, Warning};

use crate::support::{ambient, constraint, flag, snapshot};

fn of(strategy: ActivationStrategy) -> Vec<String> {
    let bad = flag("bad", vec![strategy, ActivationStrategy::new("t", "default")]);
    let (engine, warnings) = Engine::compile(&snapshot([bad]));
    let explanation = engine.explain("bad", &Context::default(), &ambient(0)).unwrap();
    assert!(!explanation.strategies.is_empty());
    assert!(explanation.enabled, "the other strategy still works");
    assert_eq!(explanation.decided_by, Some(1));
    warnings.iter().map(Warning::to_string).collect()
}

fn with(operator: Operator, values: &[&str]) -> Vec<String> {
    of(ActivationStrategy::new("s", "default").with_constraint(constraint("plan", operator, values)))
}

#[test]
fn constraints_that_cannot_be_understood_are_named() {
    let place = "flag `bad`, strategy 0, constraint 0: ";
    let cases = [
        (
            with(Operator::NumGt, &["many"]),
            "`many` is not a number such as 5 or 0.25, so the constraint never holds, inverted or not",
        ),
        (
            with(Operator::DateAfter, &["soon"]),
            "`soon` is not a date and time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31, so the constraint never holds, inverted or not",
        ),
        (
            with(Operator::SemverEq, &["v1"]),
            "`v1` is not a semantic version such as 1.2.0, so the constraint never holds, inverted or not",
        ),
        (
            with(Operator::NumEq, &[]),
            "`NUM_EQ` needs a value, so the constraint never holds, inverted or not",
        ),
        (
            with(Operator::Regex, &["(a"]),
            "`(a` is not a regular expression: `)` is missing, so the constraint never holds, inverted or not",
        ),
        (
            with(Operator::InCidr, &["bogus"]),
            "`bogus` is neither an IP address nor a network such as 10.0.0.0/8, so the entry is passed over; inverted, the constraint never holds",
        ),
        (
            with(Operator::In, &[]),
            "`IN` needs at least one value, so no context value is listed",
        ),
        (
            with(Operator::In, &[" "]),
            "must not be empty, so the entry is passed over",
        ),
    ];
    for (warnings, expected) in cases {
        assert_eq!(warnings, [format!("{place}{expected}")]);
    }
    let unknown = with(Operator::from_name("LIKE"), &["x"]);
    let expected = "`LIKE` is no operator; there are: IN, NOT_IN, ";
    assert!(
        unknown[0].starts_with(&format!("{place}{expected}")),
        "{unknown:?}"
    );
}

#[test]
fn strategies_that_cannot_be_understood_are_named() {
    let rollout = ActivationStrategy::new("s", "flexibleRollout").with_parameter("rollout", "half");
    let expected =
        "flag `bad`, strategy 0: parameter `rollout` is missing or no number, so the strategy never holds";
    assert_eq!(of(rollout), [expected]);
    let mut lost = ActivationStrategy::new("s", "default");
    lost.segments = vec![SegmentId(3)];
    let expected = "flag `bad`, strategy 0: segment 3 does not exist, so the strategy never holds";
    assert_eq!(of(lost), [expected]);
}

#[test]
fn segments_that_cannot_be_understood_are_named() {
    let mut state = snapshot([]);
    let segment = Segment::new(
        SegmentId(4),
        "s",
        vec![constraint("age", Operator::NumLt, &["old"])],
    );
    state.segments.insert(segment.id, segment.into());
    let warnings = Engine::compile(&state).1;
    let expected = "segment 4, constraint 0: `old` is not a number such as 5 or 0.25, so the constraint never holds, inverted or not";
    assert_eq!(warnings[0].to_string(), expected);
}

#[test]
fn missing_nested_and_circular_parents_are_named() {
    let child = |name: &str, parent: &str| {
        let mut child = flag(name, vec![]);
        child.dependencies = vec![Dependency {
            parent: parent.into(),
            enabled: true,
            variants: vec![],
        }];
        child
    };
    let flags = [
        child("lost", "nobody"),
        child("grandchild", "child"),
        child("child", "root"),
        flag("root", vec![]),
        child("x", "y"),
        child("y", "x"),
        child("self", "self"),
        child("below", "x"),
    ];
    let (engine, warnings) = Engine::compile(&snapshot(flags));
    let warnings: Vec<String> = warnings.iter().map(Warning::to_string).collect();
    assert_eq!(
        warnings,
        [
            "flag `below`: the parent `x` itself has parents, so the flag is off",
            "flag `grandchild`: the parent `child` itself has parents, so the flag is off",
            "flag `lost`: the parent `nobody` does not exist, so the flag is off",
            "flag `self`: the parent `self` depends on the flag itself, so the flag is off",
            "flag `x`: the parent `y` depends on the flag itself, so the flag is off",
            "flag `y`: the parent `x` depends on the flag itself, so the flag is off",
        ]
    );
    let on = |name: &str| engine.is_enabled(name, &Context::default(), &ambient(0));
    assert!(on("root") && on("child"));
    assert!(
        !["lost", "grandchild", "x", "y", "self", "below"]
            .into_iter()
            .any(on)
    );
}

#[test]
fn a_long_chain_of_parents_is_no_trouble() {
    let flags = (0..20_000).map(|number| {
        let mut one = flag(&format!("flag-{number:05}"), vec![]);
        one.dependencies = vec![Dependency {
            parent: format!("flag-{:05}", (number + 1) % 20_000).into(),
            enabled: true,
            variants: vec![],
        }];
        one
    });
    assert_eq!(Engine::compile(&snapshot(flags)).1.len(), 20_000);
}
