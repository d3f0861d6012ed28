//! Boxes in words: each condition is worded once, whatever boxes it is part of.

use std::rc::Rc;

use super::answer::{ConditionOn, EffectBox, EffectCondition};
use super::boxes::AtomBox;
use super::fast::FastMap;
use super::rules::{Dimension, Rules};
use super::walk::{Level, Walk};
use super::witness::Witness;
use super::words::{self, Columns};
use crate::Share;

/// Conditions in words, each once.
#[derive(Default)]
pub(super) struct Said {
    levels: FastMap<usize, SaidOfLevel>,
}

/// What is said of a level.
struct SaidOfLevel {
    /// What the tests say of its atoms.
    columns: Columns,
    /// By some of the atoms, the condition that it is in one of these.
    conditions: FastMap<Rc<[u32]>, Worded>,
}

/// A condition in words.
struct Worded {
    condition: EffectCondition,
    /// Where it is on a hash or on chance, how large a part of the whole that is, unless it is beyond counting.
    part: Option<Option<Share>>,
}

impl Said {
    /// The condition that a level is in one of some atoms.
    fn worded<const N: usize>(
        &mut self,
        known: &Level<'_, N>,
        level: usize,
        chosen: &Rc<[u32]>,
        rules: &Rules<'_>,
    ) -> &Worded {
        let of_level = self.levels.entry(level).or_insert_with(|| SaidOfLevel {
            columns: Columns::new(&known.atoms),
            conditions: FastMap::default(),
        });
        let columns = &of_level.columns;
        let made = of_level.conditions.entry(Rc::clone(chosen));
        made.or_insert_with(|| worded(known, columns, chosen, rules))
    }
}

fn worded<const N: usize>(
    known: &Level<'_, N>,
    columns: &Columns,
    chosen: &[u32],
    rules: &Rules<'_>,
) -> Worded {
    let on = match rules.dimensions.get(known.dimension) {
        Some(Dimension::Field(field)) => ConditionOn::Field(field.as_str().into()),
        Some(Dimension::Custom { name, .. }) => ConditionOn::Strategy(name.as_str().into()),
        Some(Dimension::Hash { field, .. }) => ConditionOn::Bucket(field.as_str().into()),
        Some(Dimension::Chance { .. }) => ConditionOn::Chance,
        Some(Dimension::Host) | None => ConditionOn::Host,
    };
    let is_drawn = matches!(on, ConditionOn::Bucket(_) | ConditionOn::Chance);
    let part = is_drawn.then(|| {
        let cells = chosen
            .iter()
            .filter_map(|atom| known.atoms.list.get(*atom as usize));
        cells
            .map(|cell| cell.share)
            .try_fold(Share::NONE, |all, one| all.plus(one?))
    });
    let words = words::words(rules, known.dimension, &known.atoms, columns, chosen).into();
    Worded {
        condition: EffectCondition { on, words },
        part,
    }
}

/// A box in words.
pub(super) fn described<const N: usize>(
    walk: &Walk<'_, '_, N>,
    place: &AtomBox,
    witness: Option<Witness>,
    said: &mut Said,
) -> EffectBox {
    let mut share = Some(Share::ALL);
    let mut is_drawn = false;
    let mut conditions = Vec::with_capacity(place.len());
    for (level, chosen) in place {
        let Some(known) = walk.levels.get(*level).and_then(Option::as_ref) else {
            continue;
        };
        let worded = said.worded(known, *level, chosen, walk.asked.rules);
        if let Some(part) = worded.part {
            is_drawn = true;
            share = share.zip(part).and_then(|(all, part)| all.times(part));
        }
        conditions.push(worded.condition.clone());
    }
    EffectBox {
        conditions,
        share: share.filter(|_| is_drawn),
        witness,
    }
}
