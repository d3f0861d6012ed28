//! Activation strategies.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use vexil_domain::{ActivationStrategy, Parameters, SegmentId};

use crate::constraint::arb_constraint;
use crate::text::{arb_network_text, arb_number_text, arb_text};
use crate::variant::{arb_stickiness, arb_variants};

/// Every strategy type that the engine knows.
pub const STRATEGY_TYPES: [&str; 8] = [
    "default",
    "flexibleRollout",
    "gradualRolloutUserId",
    "gradualRolloutSessionId",
    "gradualRolloutRandom",
    "userWithId",
    "remoteAddress",
    "applicationHostname",
];

/// Percentages as text: whole ones, with a fraction, out of range, and what is no number.
pub fn arb_percentage_text() -> BoxedStrategy<String> {
    prop_oneof![
        6 => (0_u8..=100).prop_map(|percentage| percentage.to_string()),
        2 => prop_oneof![Just("0"), Just("100"), Just("33.5"), Just("101"), Just("-1"), Just("1e2")]
            .prop_map(str::to_owned),
        1 => arb_number_text(),
    ]
    .boxed()
}

/// Parameters that fit a strategy type; a parameter may be missing.
pub fn arb_parameters(strategy_type: &str) -> BoxedStrategy<Parameters> {
    let list = |item: BoxedStrategy<String>| vec(item, 0..5).prop_map(|items| items.join(",")).boxed();
    let group = || ("groupId", prop_oneof!["[a-c]", arb_text()].boxed());
    let stickiness = arb_stickiness()
        .prop_map(|stickiness| stickiness.name().to_owned())
        .boxed();
    let fitting: Vec<(&'static str, BoxedStrategy<String>)> = match strategy_type {
        "flexibleRollout" => vec![
            ("rollout", arb_percentage_text()),
            ("stickiness", stickiness),
            group(),
        ],
        "gradualRolloutUserId" | "gradualRolloutSessionId" | "gradualRolloutRandom" => {
            vec![("percentage", arb_percentage_text()), group()]
        }
        "userWithId" => vec![("userIds", list(prop_oneof!["[a-c]{1,2}", arb_text()].boxed()))],
        "remoteAddress" => vec![("IPs", list(arb_network_text()))],
        "applicationHostname" => vec![(
            "hostNames",
            list(prop_oneof!["[a-cA-C]{1,2}", arb_text()].boxed()),
        )],
        _ => Vec::new(),
    };
    let known: Vec<BoxedStrategy<Option<(String, String)>>> = fitting
        .into_iter()
        .map(|(name, value)| {
            option::weighted(0.9, value.prop_map(move |value| (name.to_owned(), value))).boxed()
        })
        .collect();
    let unknown = btree_map("[a-z]{1,3}", arb_text(), 0..2);
    (known, unknown)
        .prop_map(|(known, unknown)| unknown.into_iter().chain(known.into_iter().flatten()).collect())
        .boxed()
}

/// Any strategy, mostly of a known type, referring to some of `segments` and sometimes to one that
/// is not there.
pub fn arb_strategy(segments: &[SegmentId]) -> BoxedStrategy<ActivationStrategy> {
    let kind = prop_oneof![
        12 => select(&STRATEGY_TYPES[..]).prop_map(str::to_owned),
        6 => Just("flexibleRollout".to_owned()),
        1 => arb_text(),
    ];
    let mut ids = segments.to_vec();
    ids.push(SegmentId(i64::MAX));
    let some = if segments.is_empty() {
        Just(Vec::new()).boxed()
    } else {
        prop_oneof![3 => vec(select(segments.to_vec()), 0..3), 1 => vec(select(ids), 0..3)].boxed()
    };
    let shell = (
        "[a-z0-9]{8}",
        option::of(arb_text()),
        proptest::bool::weighted(0.15),
        any::<i32>(),
    );
    (kind, shell, vec(arb_constraint(), 0..4), some, arb_variants())
        .prop_flat_map(|(name, shell, constraints, segments, variants)| {
            arb_parameters(&name).prop_map(move |parameters| ActivationStrategy {
                id: shell.0.as_str().into(),
                name: name.clone(),
                title: shell.1.clone(),
                disabled: shell.2,
                sort_order: shell.3,
                parameters,
                constraints: constraints.clone(),
                segments: segments.clone(),
                variants: variants.clone(),
            })
        })
        .boxed()
}
