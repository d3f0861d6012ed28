//! Changes of constraints, segments, rollouts and variants, at random.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use vexil_domain::{
    ActivationStrategy, Constraint, EnvironmentFlag, EnvironmentSnapshot, FlagSettings, Segment, SegmentId,
    Stickiness, Variant,
};
use vexil_proptest::{arb_constraint_on, arb_operator};

const FLAG: &str = "f";
const SEGMENT: SegmentId = SegmentId(1);

/// A constraint on one of a few fields.
fn arb_condition() -> BoxedStrategy<Constraint> {
    let field = select(&["userId", "plan", "age", "version", "joined", "currentTime"][..]);
    (field, arb_operator())
        .prop_flat_map(|(field, operator)| arb_constraint_on(field.to_owned(), operator))
        .boxed()
}

fn arb_stickiness_name() -> BoxedStrategy<&'static str> {
    select(&["default", "userId", "sessionId", "plan", "random"][..]).boxed()
}

fn arb_weights() -> BoxedStrategy<Vec<Variant>> {
    (vec(1_u32..600, 0..4), arb_stickiness_name())
        .prop_map(|(weights, stickiness)| {
            let variant = |(number, weight): (usize, u32)| Variant {
                name: format!("v{number}"),
                weight,
                weight_type: Default::default(),
                stickiness: Some(Stickiness::from_name(stickiness)),
                payload: None,
                overrides: Vec::new(),
            };
            weights.into_iter().enumerate().map(variant).collect()
        })
        .boxed()
}

/// A rollout with a few conditions, now and then in the segment, now and then with variants.
fn arb_rollout(id: usize) -> BoxedStrategy<ActivationStrategy> {
    let conditions = prop_oneof![1 => Just(0_usize), 2 => Just(1), 1 => Just(2)];
    let conditions = conditions.prop_flat_map(|count| vec(arb_condition(), count));
    let variants = prop_oneof![2 => Just(Vec::new()).boxed(), 1 => arb_weights()];
    (
        0_u32..=100,
        arb_stickiness_name(),
        conditions,
        any::<bool>(),
        variants,
    )
        .prop_map(
            move |(percentage, stickiness, constraints, in_segment, variants)| {
                let mut strategy = ActivationStrategy::new(format!("s{id}"), "flexibleRollout")
                    .with_parameter("rollout", percentage.to_string())
                    .with_parameter("stickiness", stickiness)
                    .with_parameter("groupId", "g");
                strategy.constraints = constraints;
                strategy.segments = if in_segment { vec![SEGMENT] } else { Vec::new() };
                strategy.variants = variants;
                strategy
            },
        )
        .boxed()
}

/// An environment of one flag and one segment.
pub fn snapshot(strategies: Vec<ActivationStrategy>, constraints: Vec<Constraint>) -> EnvironmentSnapshot {
    let mut snapshot = EnvironmentSnapshot::default();
    let flag = EnvironmentFlag {
        settings: Arc::new(FlagSettings {
            enabled: true,
            strategies,
            variants: Vec::new(),
        }),
        ..EnvironmentFlag::new(FLAG, "default")
    };
    snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
    snapshot
        .segments
        .insert(SEGMENT, Arc::new(Segment::new(SEGMENT, "members", constraints)));
    snapshot
}

/// A flag before and after one of its strategies, or its segment, was changed.
pub fn arb_change() -> BoxedStrategy<(EnvironmentSnapshot, EnvironmentSnapshot)> {
    let strategies = (arb_rollout(0), arb_rollout(1)).prop_map(|(one, other)| vec![one, other]);
    let strategies = prop_oneof![arb_rollout(0).prop_map(|one| vec![one]), strategies];
    let segment = prop_oneof![Just(Vec::new()).boxed(), vec(arb_condition(), 1).boxed()];
    let other = (arb_rollout(0), segment.clone(), 0_u32..5, 0_u32..=100);
    (strategies, segment, other)
        .prop_map(
            |(strategies, members, (other, other_members, what, percentage))| {
                let before = snapshot(strategies.clone(), members.clone());
                let mut changed = strategies;
                let mut after_members = members;
                match what {
                    0 => after_members = other_members,
                    1 => changed[0].constraints = other.constraints,
                    2 => changed[0].variants = other.variants,
                    3 => drop(
                        changed[0]
                            .parameters
                            .insert("rollout".to_owned(), percentage.to_string()),
                    ),
                    _ => changed[0] = other,
                }
                (before, snapshot(changed, after_members))
            },
        )
        .boxed()
}
