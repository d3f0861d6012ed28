//! Shares, compared with users that stand for all whose buckets no rollout tells apart.

use std::collections::BTreeMap;

use vexil_budget::Budget;
use vexil_domain::{Context, EnvironmentName, EnvironmentSnapshot};

use super::sides::{Random, Sides, asked_for};
use super::small::{all_boxes, change, is_inside};
use crate::effect::atoms::{Asked, Fixed};
use crate::effect::probe::Sample;
use crate::effect::rules::{Dimension, Rules};
use crate::effect::said::{Said, described};
use crate::effect::walk::Walk;
use crate::{
    ConditionOn, ContextSet, EffectBox, EffectCondition, EffectGroup, EffectSummary, FlagEffect, Guard,
    GuardVerdict, Outcome, Reason, Share, Undecided, Witness, outcome,
};

/// Users that no list names, each with how many of 10,000 pairs of buckets it stands for.
fn users(sides: [&EnvironmentSnapshot; 2]) -> Vec<(String, u128)> {
    let mut cuts: BTreeMap<&str, Vec<u128>> = BTreeMap::from([("a", vec![0, 100]), ("b", vec![0, 100])]);
    let flags = sides.into_iter().flat_map(|side| side.flags.values());
    for strategy in flags.flat_map(|flag| &flag.settings.strategies) {
        if let (Some(group), Some(rollout)) = (
            strategy.parameters.get("groupId"),
            strategy.parameters.get("rollout"),
        ) {
            cuts.get_mut(group.as_str())
                .unwrap()
                .push(rollout.parse().unwrap());
        }
    }
    let bucket = |group: &str, user: &str| {
        u128::from(murmur3::murmur3_32(&mut format!("{group}:{user}").as_bytes(), 0).unwrap()) % 100
    };
    let cell = |group: &str, user: &str| -> (u128, u128) {
        let own = bucket(group, user);
        let from = cuts[group].iter().filter(|cut| **cut <= own).max().unwrap();
        let to = cuts[group].iter().filter(|cut| **cut > own).min().unwrap();
        (*from, *to)
    };
    let mut found: BTreeMap<[(u128, u128); 2], String> = BTreeMap::new();
    let mut covered = 0;
    let width = |(from, to): (u128, u128)| to - from;
    for number in 1000.. {
        let user = number.to_string();
        let cells = ["a", "b"].map(|group| cell(group, &user));
        if found.insert(cells, user).is_none() {
            covered += cells.map(width).iter().product::<u128>();
        }
        if covered == 10_000 {
            break;
        }
    }
    let weighted = found
        .into_iter()
        .map(|(cells, user)| (user, cells.map(width).iter().product()));
    weighted.collect()
}

/// A context for each combination of atoms, but for the user.
fn without_user(walk: &mut Walk<'_, '_, 8>) -> Vec<Context> {
    let mut all = vec![Context::default()];
    for level in 0..walk.order.len() {
        walk.fill(level).unwrap();
        let made = walk.levels[level].as_ref().unwrap();
        let Dimension::Field(field) = &walk.asked.rules.dimensions[made.dimension] else {
            continue;
        };
        if field == "userId" {
            continue;
        }
        let values: Vec<&Sample> = made.atoms.list.iter().map(|atom| &atom.parts[0].1).collect();
        let with = |context: &Context, value: &Sample| match value {
            Sample::Text(text) => context.clone().with(field, text.as_str()),
            _ => context.clone(),
        };
        all = all
            .iter()
            .flat_map(|context| values.iter().map(move |value| with(context, value)))
            .collect();
    }
    all
}

#[test]
fn the_largest_share_of_users_and_that_of_each_box_are_those_of_all_buckets() {
    let mut random = Random(asked_for("SEED", 3));
    let budget = Budget::unlimited();
    let (mut some, mut boxes) = (0, 0);
    for _ in 0..asked_for("CHANGES", 60) {
        let sides = Sides::new(change(&mut random));
        let comparison = sides.comparison();
        let rules = Rules::of(sides.both(), &"f".into());
        let asked = Asked {
            flag: &"f".into(),
            rules: &rules,
            fixed: &Fixed::default(),
            budget: &budget,
        };
        let mut walk = Walk::<8>::new(&asked);
        let all = all_boxes(&mut walk);
        let shares: Vec<Option<Share>> = all
            .iter()
            .map(|(_, place)| described(&walk, place, None, &mut Said::default()).share)
            .collect();
        let users = users([&sides.before, &sides.after]);
        let flags = || format!("{:#?}\n{:#?}", sides.before.flags, sides.after.flags);
        let mut largest = 0;
        for rest in without_user(&mut walk) {
            let mut changing = 0;
            let mut inside = vec![0; all.len()];
            for (user, weight) in &users {
                let mut context = rest.clone();
                context.set("userId", user.as_str());
                let [was, is] = sides
                    .both()
                    .map(|side| outcome(side, "f", &context, &comparison.ambient));
                changing += if was == is { 0 } else { *weight };
                for (own, (_, place)) in inside.iter_mut().zip(&all) {
                    if is_inside(&walk, place, &context, &comparison.ambient) {
                        *own += weight;
                    }
                }
            }
            for (own, share) in inside.into_iter().zip(&shares).filter(|(own, _)| *own > 0) {
                let expected = share.unwrap_or(Share::ALL);
                assert_eq!(Share::new(own, 10_000), expected, "{rest:?} {}", flags());
                boxes += 1;
            }
            largest = largest.max(changing);
        }
        for below in [0, 1, 2000] {
            let most = Share::new(largest.saturating_sub(below), 10_000);
            let guard = Guard::AtMost(most);
            let effect = comparison.effect(&["f".into()], &[guard], &budget);
            let expected = (largest > 0 && below > 0).then(|| Share::new(largest, 10_000));
            match &effect.guards[0].verdict {
                GuardVerdict::Broken { share, witness, .. } => {
                    assert_eq!(*share, expected, "{most} {}", flags());
                    let context = witness.to_context();
                    let [was, is] = sides
                        .both()
                        .map(|side| outcome(side, "f", &context, &comparison.ambient));
                    assert_ne!(was, is);
                }
                verdict => assert_eq!(
                    (verdict, expected),
                    (&GuardVerdict::Holds, None),
                    "{most} {}",
                    flags()
                ),
            }
        }
        some += usize::from(largest > 0);
    }
    println!("{some} with a share, {boxes} boxes");
    assert!(some > 20 && boxes > 150, "{some} {boxes}");
}

/// What is said of effects as a whole does not depend on their order, and tells apart what they change and where.
#[test]
fn the_digest_of_some_effects_tells_which_flags_change_where_and_how() {
    let mut random = Random(9);
    let effects = std::iter::repeat_with(|| {
        let sides = Sides::new(change(&mut random));
        let budget = Budget::unlimited();
        let mut effect = sides.comparison().effect(&["f".into()], &[], &budget);
        effect.flags.remove(0)
    });
    let mut some: Vec<FlagEffect> = effects
        .filter(|effect| !effect.groups.is_empty())
        .take(3)
        .collect();
    let nothing = FlagEffect {
        groups: Vec::new(),
        ..some[0].clone()
    };
    some[2].flag = "another".into();
    let elsewhere = EnvironmentName::from("staging");
    let summary = |list: &[(Option<bool>, &FlagEffect)]| {
        let mut summary = EffectSummary::default();
        for (new_elsewhere, effect) in list {
            match new_elsewhere {
                None => summary.add(effect),
                Some(is_new) => summary.add_elsewhere(&elsewhere, *is_new, effect),
            }
        }
        summary
    };
    let [first, second, third] = &some[..] else {
        unreachable!()
    };
    let lists = [
        vec![],
        vec![(None, first)],
        vec![(None, second)],
        vec![(None, third)],
        vec![(Some(true), first)],
        vec![(None, first), (None, third)],
        vec![(None, first), (Some(true), third)],
        vec![(Some(true), first), (None, third)],
        vec![(None, first), (Some(false), first)],
        vec![(None, first), (Some(false), second)],
    ];
    let expected = [
        (0, 0),
        (1, 1),
        (1, 1),
        (1, 1),
        (1, 1),
        (2, 2),
        (2, 2),
        (2, 2),
        (1, 1),
        (1, 1),
    ];
    let mut digests = Vec::new();
    for (mut list, counts) in lists.into_iter().zip(expected) {
        let all = summary(&list);
        let nodes: u64 = list.iter().map(|(_, effect)| effect.nodes).sum();
        assert_eq!(
            (all.compared, all.changed(), all.nodes),
            (counts.0, counts.1, nodes)
        );
        let digest = all.digest().unwrap();
        list.reverse();
        list.push((None, &nothing));
        assert_eq!(summary(&list).digest().as_ref(), Some(&digest));
        assert_eq!(summary(&list).changed(), counts.1);
        assert_eq!(digest.len(), "sha256:".len() + 64);
        digests.push(digest);
        let mut open = first.clone();
        let reason = Reason::TooManyRules;
        open.undecided = vec![Undecided::new(&open.flag, reason)];
        list.push((None, &open));
        let all = summary(&list);
        assert!(!all.is_complete() && all.digest().is_none() && all.undecided == open.undecided);
    }
    let count = digests.len();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), count);
}

/// Where not everything is decided, a share counts that a context shows.
#[test]
fn a_share_that_no_context_shows_is_not_counted() {
    let fields = |names: &[&str]| {
        names
            .iter()
            .map(|name| ConditionOn::Field((*name).into()))
            .collect()
    };
    let kinds: [(Vec<ConditionOn>, bool); 8] = [
        (vec![], true),
        (fields(&["country"]), true),
        (fields(&["country", "plan"]), true),
        (
            vec![ConditionOn::Host, ConditionOn::Strategy("custom".into())],
            true,
        ),
        (fields(&["userId"]), false),
        (fields(&["country", "sessionId"]), false),
        (vec![ConditionOn::Bucket("userId".into())], false),
        (vec![ConditionOn::Host, ConditionOn::Chance], false),
    ];
    let sides = Sides::new(change(&mut Random(1)));
    let rules = Rules::of(sides.both(), &"nobody".into());
    let shares = [None, Some(Share::new(1, 4)), Some(Share::new(3, 4))];
    let witness = |name: &str| Witness {
        host_name: Some(name.to_owned()),
        ..Witness::default()
    };
    let mut boxes: Vec<(EffectBox, Option<Share>)> = Vec::new();
    for (on, is_all) in kinds {
        for share in shares {
            for shown in [true, false] {
                let condition = |on| EffectCondition { on, words: "".into() };
                let place = EffectBox {
                    conditions: on.iter().cloned().map(condition).collect(),
                    share,
                    witness: shown.then(|| witness(&boxes.len().to_string())),
                };
                let counts = share.or(is_all.then_some(Share::ALL)).filter(|_| shown);
                boxes.push((place, counts));
            }
        }
    }
    let broken = |witness, share| GuardVerdict::Broken {
        flag: "f".into(),
        witness,
        share,
    };
    let first = broken(witness("first"), Some(Share::ALL));
    let mut effect = FlagEffect {
        flag: "f".into(),
        project: None,
        groups: Vec::new(),
        undecided: Vec::new(),
        nodes: 0,
        digest: None,
    };
    for (one, other) in boxes
        .iter()
        .flat_map(|one| boxes.iter().map(move |other| (one, other)))
    {
        let group = |place: &EffectBox| EffectGroup {
            before: Outcome::Off,
            after: Outcome::On(None),
            boxes: vec![place.clone()],
            more: false,
        };
        effect.groups = vec![group(&one.0), group(&other.0)];
        for most in [Share::NONE, Share::new(1, 4), Share::new(1, 2), Share::ALL] {
            let guard = Guard::AtMost(most);
            let counted = [one, other].into_iter().find_map(|(place, share)| {
                let share = share.filter(|share| share.exceeds(most))?;
                Some(broken(place.witness.clone().unwrap(), Some(share)))
            });
            let shown =
                |verdict: &GuardVerdict, all: bool| verdict.clone().shown_by(&effect, all, &guard, &rules);
            assert_eq!(
                shown(&first, false),
                counted.unwrap_or(GuardVerdict::Undecided),
                "{most} {effect:#?}"
            );
            assert_eq!(shown(&first, true), first);
            assert_eq!(shown(&GuardVerdict::Undecided, false), GuardVerdict::Undecided);
        }
        let never = Guard::Never(ContextSet::default());
        assert_eq!(first.clone().shown_by(&effect, false, &never, &rules), first);
    }
}
