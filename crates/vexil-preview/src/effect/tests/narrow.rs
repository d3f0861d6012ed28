//! Narrow buckets of one value that several hashes put it into at once.

use proptest::strategy::{Strategy, ValueTree};
use vexil_budget::Budget;
use vexil_domain::{
    ActivationStrategy, Constraint, Dependency, EnvironmentFlag, FlagName, Operator, Stickiness, Variant,
};

use vexil_proptest::{arb_constraint_on, arb_operator};

use super::of_flag;
use super::sides::{Random, Sides, runner};

/// A strategy that gives one in so many users its first variant.
fn split(name: &str, group: &str, of: u32, prefix: &str) -> ActivationStrategy {
    let variant = |name: &str, weight| Variant {
        stickiness: Some(Stickiness::Field("userId".to_owned())),
        ..Variant::new(name, weight)
    };
    let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
        .with_parameter("rollout", "100")
        .with_parameter("stickiness", "userId")
        .with_parameter("groupId", group);
    strategy.variants = vec![variant(name, 1), variant("rest", of - 1)];
    let mut begins = Constraint::new("userId", Operator::StrStartsWith);
    begins.values = vec![prefix.to_owned()];
    strategy.constraints = vec![begins];
    strategy
}

#[test]
fn two_buckets_that_one_in_millions_falls_into_each_have_a_text_where_groups_are_as_long() {
    let mut random = Random(5);
    for (groups, decided) in [
        (["ga", "gb"], true),
        (["checkout", "checkout-new"], true),
        (["checkout", "checkout-2"], false),
    ] {
        let of = 2_000_000 + random.below(2_000_000_000) as u32;
        let prefix = *random.one_of(&["", "u", "user-", "a@x"]);
        let [first, second] = groups;
        let before = of_flag(vec![split("one", first, of, prefix)]);
        let after = of_flag(vec![split("other", second, of, prefix)]);
        let sides = Sides::new((before, after));
        let comparison = sides.comparison();
        let effect = comparison.effect(&["f".into()], &[], &Budget::unlimited());
        assert_eq!(effect.is_complete(), decided, "{groups:?} {of}: {effect:#?}");
    }
}

/// Buckets that one in billions falls into and others, beside these constraints, a list for each strategy.
fn narrow_beside(constraints: &[Vec<Constraint>]) -> Sides {
    let side = |name: &str| {
        let strategies = constraints.iter().enumerate().map(|(number, constraints)| {
            let mut strategy = split(name, "checkout", 4_000_000_000, "");
            strategy.constraints.clone_from(constraints);
            strategy.with_parameter("rollout", (30 + number).to_string())
        });
        of_flag(strategies.collect())
    };
    Sides::new((side("one"), side("other")))
}

#[test]
fn beside_constraints_of_all_kinds_the_search_for_texts_of_buckets_ends_soon() {
    let constraint =
        || arb_operator().prop_flat_map(|operator| arb_constraint_on("userId".to_owned(), operator));
    let lists = proptest::collection::vec(proptest::collection::vec(constraint(), 1..=3), 1..=3);
    let mut runner = runner(3);
    for _ in 0..40 {
        let constraints = lists.new_tree(&mut runner).unwrap().current();
        let sides = narrow_beside(&constraints);
        let budget = Budget::new(30_000_000);
        let _ = sides.comparison().effect(&["f".into()], &[], &budget);
        assert!(budget.left() > 0, "{constraints:#?}");
    }
}

/// Each bucket is as wide as any of the others, so the narrowest is one of a rollout.
#[test]
fn what_several_rollouts_of_a_hundredth_let_in_at_once_has_a_text() {
    let flag = |name: &str, parents: &[&str]| {
        let strategy = ActivationStrategy::new("s", "flexibleRollout")
            .with_parameter("rollout", "1")
            .with_parameter("stickiness", "userId")
            .with_parameter("groupId", name);
        let mut flag = EnvironmentFlag::new(name, "default").with_strategy(strategy);
        flag.dependencies = parents
            .iter()
            .map(|parent| Dependency {
                parent: FlagName::from(*parent),
                enabled: true,
                variants: Vec::new(),
            })
            .collect();
        flag
    };
    for names in [["one", "two"], ["checkout", "a"], ["x", "longer-name"]] {
        let parents = names.map(|name| flag(name, &[]));
        let mut without = flag("f", &names);
        without.settings = Default::default();
        let side = |own: EnvironmentFlag| parents.iter().cloned().chain([own]).collect();
        let sides = Sides::new((side(without), side(flag("f", &names))));
        let comparison = sides.comparison();
        let effect = comparison.effect(&["f".into()], &[], &Budget::unlimited());
        assert!(
            effect.is_complete() && !effect.is_empty(),
            "{names:?}: {effect:#?}"
        );
    }
}

/// Variants by chance: of those that few draws fall into each has a seed, wherever its part of the whole is, and
/// whatever else is drawn.
#[test]
fn a_draw_that_one_in_billions_falls_into_has_a_seed() {
    let by_chance = |name: &str, rollout: &str, variants: &[(&str, u32)]| {
        let mut strategy = ActivationStrategy::new("s", "flexibleRollout")
            .with_parameter("rollout", rollout)
            .with_parameter("stickiness", "random")
            .with_parameter("groupId", name);
        let variants = variants.iter().map(|(variant, weight)| Variant {
            stickiness: Some(Stickiness::Random),
            ..Variant::new(*variant, *weight)
        });
        strategy.variants = variants.collect();
        EnvironmentFlag::new(name, "default").with_strategy(strategy)
    };
    for (weights, rare) in [
        ([1, 999, 4_000_000_000], 0),
        ([4_000_000_000, 1, 7], 1),
        ([4_000_000_000, 12, 1], 2),
        ([70_000, 3, 5_000_000], 1),
        ([15, 1, 1], 2),
        ([17, 1, 1], 1),
    ] {
        for (rollout, parent) in [
            ("100", None),
            ("2", None),
            ("100", Some("a-parent")),
            ("100", Some("parent")),
        ] {
            let sides = ["before", "after"].map(|changed| {
                let mut names = ["x", "y", "z"];
                names[rare] = changed;
                let variants: Vec<(&str, u32)> = names.into_iter().zip(weights).collect();
                let mut flag = by_chance("f", rollout, &variants);
                flag.dependencies = Vec::from_iter(parent.map(|parent| Dependency {
                    parent: parent.into(),
                    enabled: true,
                    variants: vec!["half".to_owned()],
                }));
                let halves = [("half", 1), ("rest", 1)];
                parent
                    .map(|parent| by_chance(parent, "100", &halves))
                    .into_iter()
                    .chain([flag])
                    .collect()
            });
            let sides = Sides::new(sides.into());
            let effect = sides
                .comparison()
                .effect(&["f".into()], &[], &Budget::unlimited());
            assert!(
                effect.is_complete() && !effect.is_empty(),
                "{weights:?} {rollout} {parent:?} {effect:#?}"
            );
        }
    }
}
