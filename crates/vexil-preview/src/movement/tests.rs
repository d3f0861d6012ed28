use vexil_domain::{Stickiness, Variant};

use super::rollouts::moved as rollout_moved;
use super::variants::{Weights, moved};
use super::*;
use crate::Share;

fn range(group: &str, percentage: u32) -> Option<RolloutRange> {
    let stickiness = Stickiness::Field("userId".to_owned());
    Some(RolloutRange {
        group: group.to_owned(),
        stickiness,
        percentage,
    })
}

#[test]
fn a_wider_rollout_lets_in_the_difference_and_nobody_leaves() {
    let moved = rollout_moved("s".into(), range("g", 10), range("g", 35));
    assert_eq!(
        (moved.enters, moved.leaves, moved.redrawn),
        (Share::new(1, 4), Share::NONE, false)
    );
    let back = rollout_moved("s".into(), range("g", 35), None);
    assert_eq!((back.enters, back.leaves), (Share::NONE, Share::new(35, 100)));
}

#[test]
fn a_new_group_draws_everybody_anew() {
    let moved = rollout_moved("s".into(), range("g", 50), range("h", 50));
    assert_eq!(
        (moved.enters, moved.leaves, moved.redrawn),
        (Share::new(1, 4), Share::new(1, 4), true)
    );
}

fn weights(list: &[(&str, u32)]) -> Option<Weights> {
    let variants: Vec<Variant> = list
        .iter()
        .map(|(name, weight)| Variant {
            name: (*name).to_owned(),
            weight: *weight,
            weight_type: Default::default(),
            stickiness: None,
            payload: None,
            overrides: Vec::new(),
        })
        .collect();
    Weights::new("g", None, &variants)
}

/// Counts every residue modulo the least common multiple, one by one.
fn counted(before: &[(&str, u32)], after: &[(&str, u32)]) -> (u128, u128) {
    let pick = |list: &[(&str, u32)], residue: u32| {
        let mut bucket = residue % list.iter().map(|(_, weight)| weight).sum::<u32>();
        for (name, weight) in list {
            match bucket.checked_sub(*weight) {
                None => return (*name).to_owned(),
                Some(rest) => bucket = rest,
            }
        }
        unreachable!()
    };
    let total = |list: &[(&str, u32)]| list.iter().map(|(_, weight)| u128::from(*weight)).sum::<u128>();
    let (one, other) = (total(before), total(after));
    let whole = one * other / crate::share::gcd(one, other);
    let stays = (0..whole as u32)
        .filter(|residue| pick(before, *residue) == pick(after, *residue))
        .count();
    (stays as u128, whole)
}

#[test]
fn shares_of_variants_are_those_of_counting_every_residue() {
    for (before, after) in [
        (&[("a", 500), ("b", 500)][..], &[("a", 250), ("b", 750)][..]),
        (&[("a", 500), ("b", 500)], &[("b", 500), ("a", 500)]),
        (&[("a", 333), ("b", 333), ("c", 333)], &[("a", 500), ("b", 500)]),
        (&[("a", 12), ("b", 18)], &[("a", 7), ("c", 13), ("b", 1)]),
        (&[("a", 1)], &[("a", 0), ("b", 3), ("a", 2)]),
    ] {
        let found = moved(None, weights(before).as_ref(), weights(after).as_ref());
        let (stays, whole) = counted(before, after);
        assert_eq!(found.stays, Share::new(stays, whole), "{before:?} {after:?}");
        let moving: f64 = found.moves.iter().map(|one| one.share.as_f64()).sum();
        assert!((moving + found.stays.as_f64() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn moves_name_both_ends_and_the_largest_comes_first() {
    let found = moved(
        None,
        weights(&[("a", 500), ("b", 500)]).as_ref(),
        weights(&[("a", 200), ("c", 100), ("b", 700)]).as_ref(),
    );
    let moves: Vec<_> = found
        .moves
        .iter()
        .map(|one| (one.from.as_deref(), one.to.as_deref(), one.share))
        .collect();
    let (a, b, c) = (Some("a"), Some("b"), Some("c"));
    assert_eq!(moves, [(a, b, Share::new(1, 5)), (a, c, Share::new(1, 10))]);
    assert_eq!(found.stays, Share::new(7, 10));
    let gone = moved(None, weights(&[("a", 1)]).as_ref(), None);
    assert_eq!(
        gone.moves,
        [VariantMove {
            from: a.map(str::to_owned),
            to: None,
            share: Share::new(1, 1)
        }]
    );
    assert_eq!(b, Some("b"));
}
