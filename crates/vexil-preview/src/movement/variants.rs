//! What moves when variants change.

use std::collections::BTreeMap;

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{FlagName, Stickiness, StrategyId, Variant};

use super::findings::{VariantMove, VariantMovement};
use super::lookup::{group, strategy, strategy_ids};
use crate::share::gcd;
use crate::{Comparison, Share, Side};

/// Variants as ranges of buckets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Weights {
    pub(super) group: String,
    pub(super) stickiness: Stickiness,
    /// Names, each with its first bucket and the one behind its last, counted from 0. Without empty ranges.
    pub(super) ranges: Vec<(String, u128, u128)>,
    /// The sum of all weights.
    pub(super) total: u128,
}

impl Weights {
    /// The ranges of some variants; `None` where nothing can be picked. A strategy's stickiness goes
    /// before that of its variants.
    pub(super) fn new(group: &str, inherited: Option<&String>, variants: &[Variant]) -> Option<Self> {
        let own = variants.first()?.stickiness.clone();
        let stickiness = inherited
            .map(|name| Stickiness::from_name(name))
            .or(own)
            .unwrap_or_default();
        let mut total = 0;
        let mut ranges = Vec::new();
        for variant in variants.iter().filter(|variant| variant.weight > 0) {
            let start = total;
            total += u128::from(variant.weight);
            ranges.push((variant.name.clone(), start, total));
        }
        (total > 0).then(|| Self {
            group: group.to_owned(),
            stickiness,
            ranges,
            total,
        })
    }
}

pub(super) fn movements(
    comparison: &Comparison<'_>,
    flag: &FlagName,
    budget: &Budget,
) -> Result<Vec<VariantMovement>, Exhausted> {
    let ids = strategy_ids(comparison, flag, budget)?;
    let mut movements = Vec::new();
    for place in std::iter::once(None).chain(ids.into_iter().map(Some)) {
        let [before, after] =
            [comparison.before, comparison.after].map(|side| weights(side, flag, place.as_ref()));
        let ways = |weights: &Option<Weights>| weights.as_ref().map_or(1, |weights| weights.ranges.len());
        budget.spend_product(&[ways(&before), ways(&after)])?;
        if before != after {
            movements.push(moved(place, before.as_ref(), after.as_ref()));
        }
    }
    Ok(movements)
}

fn weights(side: Side<'_>, flag: &FlagName, place: Option<&StrategyId>) -> Option<Weights> {
    match place {
        None => {
            let found = side.snapshot.flags.get(flag)?;
            Weights::new(found.name.as_str(), None, &found.settings.variants)
        }
        Some(id) => {
            let (_, found, strategy) = strategy(side, flag, id)?;
            Weights::new(
                group(found, strategy),
                strategy.parameters.get("stickiness"),
                &strategy.variants,
            )
        }
    }
}

pub(super) fn moved(
    strategy: Option<StrategyId>,
    before: Option<&Weights>,
    after: Option<&Weights>,
) -> VariantMovement {
    let redrawn = before.zip(after).is_some_and(|(before, after)| {
        let random = before.stickiness == Stickiness::Random || after.stickiness == Stickiness::Random;
        random || before.group != after.group || before.stickiness != after.stickiness
    });
    let (parts, whole) = joint(before, after, redrawn);
    let mut stays = 0;
    let mut moves = Vec::new();
    for ((from, to), part) in parts {
        if from == to {
            stays += part;
        } else if part > 0 {
            moves.push((part, from, to));
        }
    }
    moves.sort_by_key(|(part, _, _)| std::cmp::Reverse(*part));
    let moves = moves.into_iter().map(|(part, from, to)| VariantMove {
        from,
        to,
        share: Share::new(part, whole),
    });
    VariantMovement {
        strategy,
        moves: moves.collect(),
        stays: Share::new(stays, whole),
        redrawn,
    }
}

/// From which variant to which.
type Way = (Option<String>, Option<String>);

/// How many of a whole go each way.
fn joint(before: Option<&Weights>, after: Option<&Weights>, redrawn: bool) -> (BTreeMap<Way, u128>, u128) {
    let mut parts: BTreeMap<Way, u128> = BTreeMap::new();
    let everybody = |weights: Option<&Weights>| match weights {
        Some(weights) => {
            let named = |(name, start, end): &(String, u128, u128)| (Some(name.clone()), *start, *end);
            (weights.ranges.iter().map(named).collect(), weights.total)
        }
        None => (vec![(None, 0, 1)], 1),
    };
    let (old, old_total): (Vec<_>, u128) = everybody(before);
    let (new, new_total): (Vec<_>, u128) = everybody(after);
    let divisor = if redrawn { 1 } else { gcd(old_total, new_total) };
    for (from, start, end) in &old {
        for (to, first, last) in &new {
            let part = meeting((*start, *end), (*first, *last), divisor);
            *parts.entry((from.clone(), to.clone())).or_default() += part;
        }
    }
    (parts, old_total * new_total / divisor)
}

/// How many residues modulo the least common multiple of two totals fall into a range of each: by
/// the Chinese remainder theorem, one for each pair of buckets that agree modulo their greatest
/// common divisor.
fn meeting(one: (u128, u128), other: (u128, u128), divisor: u128) -> u128 {
    // a range holds every remainder so many times, and those of one run once more
    let parts =
        |(start, end): (u128, u128)| ((end - start) / divisor, start % divisor, (end - start) % divisor);
    let (every, first, run) = parts(one);
    let (every_other, first_other, run_other) = parts(other);
    let both = overlap((first, run), (first_other, run_other), divisor);
    divisor * every * every_other + every * run_other + run * every_other + both
}

/// How many remainders two runs share, each given by its first and its length, around the end.
fn overlap(one: (u128, u128), other: (u128, u128), divisor: u128) -> u128 {
    let shared = |shift: u128, shift_other: u128| {
        let (first, last) = (one.0 + shift, one.0 + shift + one.1);
        let (first_other, last_other) = (other.0 + shift_other, other.0 + shift_other + other.1);
        last.min(last_other).saturating_sub(first.max(first_other))
    };
    shared(0, 0) + shared(divisor, 0) + shared(0, divisor)
}
