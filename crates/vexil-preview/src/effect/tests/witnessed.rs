//! Each witness is in its box and in no other, where the texts of guards are atoms of their own as well.

use proptest::strategy::{Strategy as _, ValueTree};
use vexil_budget::Budget;
use vexil_domain::{Constraint, FlagName, Operator};

use super::contexts::Pools;
use super::guarded::shown;
use super::of_flag;
use super::regions::Regions;
use super::sides::{Random, Sides, arb_sides, asked_for, runner};
use crate::affected_flags;
use crate::effect::atoms::{Asked, Fixed};
use crate::effect::probe::Sample;
use crate::effect::rules::{Dimension, Rules};
use crate::effect::witness::Finder;

/// Looks at so many boxes of a flag at most, with atoms of their own for these texts; says how many had a witness.
fn are_in_their_boxes(sides: &Sides, flag: &FlagName, texts: &[(String, String)], most: usize) -> usize {
    let budget = Budget::unlimited();
    let comparison = sides.comparison();
    let rules = Rules::of(sides.both(), flag);
    let fixed = Fixed { texts, now: None };
    let asked = Asked {
        flag,
        rules: &rules,
        fixed: &fixed,
        budget: &budget,
    };
    let regions = Regions::new(&asked);
    let judges = comparison.judges(flag);
    let finder = Finder {
        comparison: &comparison,
        flag,
        walk: &regions.walk,
        judges: &judges,
        fields: &[],
        inside: true,
        texts: Default::default(),
    };
    let mut found = 0;
    for (number, (change, place)) in regions.boxes.iter().enumerate().take(most) {
        let [before, after] = [change.0, change.1].map(|outcome| &rules.outcomes[outcome as usize]);
        let Some(witness) = finder.find(place, before, after).unwrap() else {
            continue;
        };
        found += 1;
        let told = || format!("{flag} {before:?} {after:?} {witness:?} {texts:?}");
        let (own, inside) = regions
            .find(&shown(&witness))
            .unwrap_or_else(|_| panic!("in no atom: {}", told()));
        assert_eq!(own, Some(*change), "{}", told());
        assert_eq!(inside, [number], "{}", told());
        // a value says more than none
        for (level, chosen) in place {
            let made = regions.walk.levels[*level].as_ref().unwrap();
            let Dimension::Field(field) = &rules.dimensions[made.dimension] else {
                continue;
            };
            let begins_set = |atom: &u32| {
                let first = made.atoms.list[*atom as usize].parts.first();
                first.is_some_and(|(_, sample)| matches!(sample, Sample::Text(_)))
            };
            let is_set = witness.context.iter().any(|(name, _)| name == field);
            assert!(
                is_set || !made.atoms.hashes.is_empty() || !chosen.iter().any(begins_set),
                "{field} {}",
                told()
            );
        }
    }
    found
}

#[test]
fn a_witness_is_in_its_box_and_in_no_other_whatever_texts_are_atoms_of_their_own() {
    let mut runner = runner(23);
    let mut random = Random(asked_for("SEED", 23));
    let mut found = 0;
    for _ in 0..asked_for("CHANGES", 30) {
        let sides = Sides::new(arb_sides().new_tree(&mut runner).unwrap().current());
        for flag in affected_flags(&sides.before, &sides.after) {
            let pools = Pools::of(sides.both(), &flag, &[]);
            let mut texts: Vec<(String, String)> = Vec::new();
            for _ in 0..4 {
                let (field, values) = pools.some(&mut random);
                let own = values.into_iter().filter(|value| !value.is_empty());
                texts.extend(own.map(|value| (field.clone(), value)));
            }
            texts.sort_unstable();
            texts.dedup();
            found += are_in_their_boxes(&sides, &flag, &texts, 40);
        }
    }
    println!("found {found}");
    assert!(found > 100, "{found}");
}

/// Those that are tried first for a bucket are taken by a guard.
#[test]
fn a_text_that_a_guard_names_is_no_witness_of_a_bucket_of_others() {
    use vexil_domain::ActivationStrategy;
    let rollout = |percentage: &str, field: &str| {
        let mut strategy = ActivationStrategy::new("r", "flexibleRollout")
            .with_parameter("rollout", percentage)
            .with_parameter("groupId", "g")
            .with_parameter("stickiness", field);
        let mut begins = Constraint::new("plan", Operator::StrStartsWith);
        begins.values = vec!["p".to_owned()];
        strategy.constraints = vec![begins];
        of_flag(vec![strategy])
    };
    for field in ["userId", "sessionId", "tenant", "plan"] {
        for [before, after] in [["0", "5"], ["5", "50"], ["50", "100"]] {
            let sides = Sides::new((rollout(before, field), rollout(after, field)));
            let flag = FlagName::from("f");
            // found without a guard, so that there are others behind them
            let mut texts: Vec<(String, String)> = Vec::new();
            for _ in 0..4 {
                let effect = sides.comparison().effect(
                    std::slice::from_ref(&flag),
                    &[crate::Guard::Never(crate::ContextSet {
                        fields: texts
                            .iter()
                            .map(|(field, text)| (field.clone(), vec![text.clone()]))
                            .collect(),
                    })],
                    &Budget::unlimited(),
                );
                let boxes = effect.flags[0].groups.iter().flat_map(|group| &group.boxes);
                for witness in boxes.filter_map(|one| one.witness.as_ref()) {
                    let own = witness.context.iter().filter(|(name, _)| name == field);
                    texts.extend(own.cloned());
                }
                texts.sort_unstable();
                texts.dedup();
                let found = are_in_their_boxes(&sides, &flag, &texts, usize::MAX);
                assert!(found > 0, "{texts:?}");
            }
            assert!(texts.len() > 1, "{texts:?}");
        }
    }
}
