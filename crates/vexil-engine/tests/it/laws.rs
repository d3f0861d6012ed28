//! What holds whatever the flags and whoever asks.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use vexil_domain::{Context, EnvironmentSnapshot, FlagSettings, Operator};
use vexil_engine::{ConditionPlace, Engine, Finding, FlagId, VariantOutcome, Verdict, Verdicts};
use vexil_proptest::{
    arb_constraint, arb_context, arb_environment_flag, arb_environment_snapshot, arb_strategy,
};

use crate::support::{ambient, flag, only, rollout, snapshot, variant};

fn user(id: &str) -> Context {
    Context::default().with("userId", id)
}

proptest! {
    #[test]
    fn a_rollout_never_loses_anybody_when_it_grows(id in ".{1,20}", low in 0_u32..=100, high in 0_u32..=100, seed: u64) {
        let (low, high) = (low.min(high), low.max(high));
        for (stickiness, context) in [("userId", user(&id)), ("random", Context::default())] {
            let in_at = |percentage: u32| {
                only(rollout(&percentage.to_string(), stickiness)).is_enabled("f", &context, &ambient(seed))
            };
            prop_assert!(!in_at(low) || in_at(high));
        }
    }

    #[test]
    fn zero_admits_nobody_and_a_hundred_all_who_have_the_value(context in arb_context(), field in "[a-zA-Z]{0,8}", seed: u64) {
        for stickiness in ["default", "random", "userId", &field] {
            let in_at = |percentage| only(rollout(percentage, stickiness)).is_enabled("f", &context, &ambient(seed));
            let has_value = ["", "default", "random"].contains(&stickiness) || context.get(stickiness).is_some();
            prop_assert!(!in_at("0"));
            prop_assert_eq!(in_at("100"), has_value);
        }
    }

    #[test]
    fn inverting_a_constraint_turns_it_round_unless_it_cannot_be_understood(
        constraint in arb_constraint(),
        context in arb_context(),
        seed: u64,
    ) {
        let holds = |inverted| {
            let strategy = vexil_domain::ActivationStrategy::new("s", "default").with_constraint(
                vexil_domain::Constraint { inverted: Some(inverted), ..constraint.clone() },
            );
            let explanation = only(strategy).explain("f", &context, &ambient(seed)).unwrap();
            let one = explanation.strategies[0].constraints[0].clone();
            (one.holds, matches!(one.finding, Finding::Invalid(_)))
        };
        match (holds(false), holds(true)) {
            ((plain, true), (inverted, true)) => prop_assert!(!plain && !inverted),
            // a list of networks with one that is none
            ((_, false), (inverted, true)) => prop_assert!(!inverted),
            ((plain, _), (inverted, _)) => prop_assert_ne!(plain, inverted),
        }
        if let Operator::Unknown(_) = constraint.operator {
            prop_assert!(!holds(true).0);
        }
    }

    #[test]
    fn the_order_of_strategies_does_not_change_on_or_off(
        strategies in prop::collection::vec(arb_strategy(&[]), 0..5).prop_shuffle(),
        context in arb_context(),
        seed: u64,
    ) {
        let mut ordered = strategies.clone();
        ordered.sort_by(|a, b| a.id.cmp(&b.id));
        let is_enabled = |strategies| {
            Engine::compile(&snapshot([flag("f", strategies)])).0.is_enabled("f", &context, &ambient(seed))
        };
        prop_assert_eq!(is_enabled(strategies), is_enabled(ordered));
    }

    #[test]
    fn an_unrelated_flag_changes_nothing(
        before in arb_environment_snapshot(),
        other in arb_environment_flag(&[]),
        context in arb_context(),
        seed: u64,
    ) {
        let mut after = before.clone();
        let mut other = other;
        other.name = "unrelated to all others".into();
        after.flags.insert(other.name.clone(), Arc::new(other));
        let (before, after) = (Engine::compile(&before).0, Engine::compile(&after).0);
        for id in before.flags() {
            let name = before.name(id).unwrap().as_str();
            prop_assert_eq!(
                before.explain(name, &context, &ambient(seed)),
                after.explain(name, &context, &ambient(seed))
            );
        }
    }

    #[test]
    fn the_explanation_says_what_was_decided(snapshot in arb_environment_snapshot(), context in arb_context(), seed: u64) {
        let engine = Engine::compile(&snapshot).0;
        let ambient = ambient(seed);
        let prepared = engine.prepare(&context, &ambient);
        let mut verdicts = Verdicts::default();
        let resolved: BTreeMap<FlagId, _> =
            prepared.resolve_all().map(|resolved| (resolved.id, resolved.variant)).collect();
        prop_assert_eq!(resolved.len(), snapshot.flags.len());
        prop_assert_eq!(engine.len(), snapshot.flags.len());
        for (name, flag) in &snapshot.flags {
            let id = engine.flag(name.as_str()).unwrap();
            let explanation = engine.explain_by(id, &context, &ambient).unwrap();
            let choice = engine.variant_by(id, &context, &ambient);
            let enabled = engine.is_enabled_by(id, &context, &ambient);
            prop_assert_eq!(explanation.enabled, enabled);
            prop_assert_eq!(choice.feature_enabled, enabled);
            prop_assert_eq!(named(&flag.settings, explanation.variant), choice.enabled.then_some(choice.name));
            prop_assert_eq!(engine.is_enabled(name.as_str(), &context, &ambient), enabled);
            prop_assert_eq!(engine.variant(name.as_str(), &context, &ambient), choice);
            prop_assert_eq!(engine.explain(name.as_str(), &context, &ambient), Some(explanation.clone()));
            prop_assert_eq!(prepared.is_enabled(name.as_str()), enabled);
            prop_assert_eq!(prepared.is_enabled_by(id), enabled);
            prop_assert_eq!(prepared.variant(name.as_str()), choice);
            prop_assert_eq!(prepared.variant_by(id), choice);
            prop_assert_eq!(prepared.explain(name.as_str()), Some(explanation.clone()));
            prop_assert_eq!(prepared.explain_by(id), Some(explanation.clone()));
            prop_assert_eq!(resolved[&id], choice);
            prop_assert!(parallel(flag, &explanation));
            prop_assert!(engine.verdicts_by(id, &context, &ambient, &mut verdicts));
            let told = ConditionPlace::of_flag(flag, &snapshot).map(|place| holds(&explanation, place));
            prop_assert_eq!(&verdicts.conditions, &told.collect::<Vec<_>>());
            prop_assert_eq!(&verdicts, &Verdicts::from(&explanation));
            prop_assert!(prepared.verdicts_by(id, &mut verdicts));
            prop_assert_eq!(&verdicts, &Verdicts::from(&explanation));
            prop_assert!(!explanation.to_string().is_empty());
        }
    }

    #[test]
    fn what_a_flag_does_not_read_does_not_matter(
        snapshot in arb_environment_snapshot(),
        context in arb_context(),
        noise in arb_context(),
        seed: u64,
    ) {
        let engine = Engine::compile(&snapshot).0;
        for id in engine.flags() {
            let reads = engine.reads(id);
            prop_assert!(reads.is_sorted());
            let mut other = Context::default();
            for field in fields(&noise).filter(|field| !reads.contains(field)) {
                other.set(field, noise.get(field).unwrap_or_default());
            }
            for field in &reads {
                if let Some(value) = context.get(field) {
                    other.set(field, value);
                }
            }
            prop_assert_eq!(
                engine.explain_by(id, &context, &ambient(seed)),
                engine.explain_by(id, &other, &ambient(seed)),
                "{:?}", reads
            );
        }
    }
}

/// Every field that a context has.
fn fields(context: &Context) -> impl Iterator<Item = &str> {
    let standard = [
        "userId",
        "sessionId",
        "remoteAddress",
        "environment",
        "appName",
        "currentTime",
    ];
    standard
        .into_iter()
        .chain(context.properties.iter().map(|(name, _)| name))
}

/// The name of the variant that an explanation points to.
fn named(settings: &FlagSettings, outcome: VariantOutcome) -> Option<&str> {
    let variant = match outcome {
        VariantOutcome::Disabled => return None,
        VariantOutcome::OfStrategy { strategy, variant } => &settings.strategies[strategy].variants[variant],
        VariantOutcome::OfFlag { variant } => &settings.variants[variant],
    };
    Some(&variant.name)
}

/// What an explanation says of a condition.
fn holds(explanation: &vexil_engine::Explanation, place: ConditionPlace) -> bool {
    let strategies = &explanation.strategies;
    match place {
        ConditionPlace::Constraint { strategy, constraint } => {
            strategies[strategy].constraints[constraint].holds
        }
        ConditionPlace::SegmentConstraint {
            strategy,
            segment,
            constraint,
        } => strategies[strategy].segments[segment].constraints[constraint].holds,
        ConditionPlace::Segment { strategy, segment } => strategies[strategy].segments[segment].holds,
    }
}

/// Whether the lists of an explanation are those of the flag, and its verdicts fit together.
fn parallel(flag: &vexil_domain::EnvironmentFlag, explanation: &vexil_engine::Explanation) -> bool {
    let strategies = flag.settings.strategies.iter().zip(&explanation.strategies);
    let decided = explanation
        .decided_by
        .is_some_and(|by| explanation.strategies[by].verdict == Verdict::True);
    flag.dependencies.len() == explanation.parents.len()
        && flag.settings.strategies.len() == explanation.strategies.len()
        && (flag.settings.strategies.is_empty()
            || decided == (explanation.strategies_result == Verdict::True))
        && strategies.into_iter().all(|(strategy, explained)| {
            let segments = strategy.segments.iter().zip(&explained.segments);
            strategy.constraints.len() == explained.constraints.len()
                && strategy.segments.len() == explained.segments.len()
                && segments.into_iter().all(|(id, segment)| *id == segment.id)
                && strategy.variants.is_empty() == explained.variants.is_none()
                && (explained.verdict != Verdict::True
                    || explained.constraints.iter().all(|constraint| constraint.holds)
                        && explained.segments.iter().all(|segment| segment.holds))
        })
}

#[test]
fn the_shares_of_variants_converge_to_their_weights() {
    let mut strategy = rollout("100", "userId");
    let weights = [("a", 500), ("b", 333), ("none", 0), ("c", 167)];
    strategy.variants = weights
        .iter()
        .map(|(name, weight)| variant(name, *weight))
        .collect();
    let engine = only(strategy);
    let (users, ambient) = (40_000_u32, ambient(0));
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for number in 0..users {
        let context = user(&format!("user-{number}"));
        *counts
            .entry(
                weights
                    .iter()
                    .find(|(name, _)| *name == engine.variant("f", &context, &ambient).name)
                    .unwrap()
                    .0,
            )
            .or_default() += 1;
    }
    assert_eq!(counts.get("none"), None);
    for (name, weight) in weights {
        let share = f64::from(counts.get(name).copied().unwrap_or_default()) / f64::from(users);
        let expected = f64::from(weight) / 1000.0;
        assert!((share - expected).abs() < 0.01, "{name}: {share}, not {expected}");
    }
}

#[test]
fn the_shares_of_chance_are_those_of_the_percentage() {
    for percentage in ["1", "50", "99"] {
        let engine = only(rollout(percentage, "random"));
        let draws = 40_000_u64;
        let hits = (0..draws)
            .filter(|seed| engine.is_enabled("f", &Context::default(), &ambient(*seed)))
            .count();
        let share = 100.0 * hits as f64 / draws as f64;
        assert!(
            (share - percentage.parse::<f64>().unwrap()).abs() < 1.0,
            "{percentage}: {share}"
        );
    }
}

#[test]
fn chance_is_drawn_for_each_strategy_apart() {
    let strategies = |name: &str| {
        let mut strategy = rollout("50", "random");
        strategy.id = name.into();
        strategy
    };
    let flags = [flag("a", vec![strategies("1")]), flag("b", vec![strategies("2")])];
    let engine = Engine::compile(&EnvironmentSnapshot { ..snapshot(flags) }).0;
    let both = (0..1_000).map(|seed| {
        let on = |name| engine.is_enabled(name, &Context::default(), &ambient(seed));
        (on("a"), on("b"))
    });
    let equal = both.filter(|(a, b)| a == b).count();
    assert!((400..600).contains(&equal), "{equal}");
}
