//! Covers: cells of a grid put together into few boxes that hold exactly these cells.
//!
//! A box is a set of values for each axis. Starting with one box a cell, boxes that differ along one
//! axis only are merged, axis by axis; then none are left to merge. The result depends on the
//! order of the axes, so several are tried and the fewest boxes are kept.

use std::collections::HashMap;

use vexil_budget::{Budget, Exhausted};

/// So many cells times axes are merged in every order that is tried; beyond, in two.
const THOROUGH: usize = 100_000;
/// So many cells times axes are merged in all rotations together.
const ROTATED: usize = 10 * THOROUGH;

/// Boxes, each with the sorted values of each axis. No cell is in two of them.
pub(crate) type Boxes = Vec<Vec<Vec<u32>>>;

/// A small exact cover of `cells`, each of which holds one value for each axis.
///
/// Boxes come in the order of their first cells.
///
/// # Errors
///
/// When the budget does not last.
pub(crate) fn cover(axes: usize, cells: &[Vec<u32>], budget: &Budget) -> Result<Boxes, Exhausted> {
    budget.spend_product(&[axes, cells.len()])?;
    // along an axis on which all cells agree there is nothing to merge
    let varies = |axis: &usize| {
        let mut values = cells.iter().map(|cell| cell.get(*axis));
        let first = values.next();
        first.is_some_and(|first| values.any(|value| value != first))
    };
    let varying: Vec<usize> = (0..axes).filter(varies).collect();
    let mut best: Option<Boxes> = None;
    for order in orders(&varying, cells.len()) {
        let boxes = merged(&order, cells, budget)?;
        if best.as_ref().is_none_or(|best| boxes.len() < best.len()) {
            best = Some(boxes);
        }
    }
    Ok(best.unwrap_or_default())
}

/// The orders in which axes are merged: all of few axes, rotations both ways of more.
fn orders(varying: &[usize], cells: usize) -> Vec<Vec<usize>> {
    let axes = varying.len();
    let forth = varying.to_vec();
    let back: Vec<usize> = forth.iter().rev().copied().collect();
    if axes <= 1 {
        return vec![forth];
    }
    if cells.saturating_mul(axes) > THOROUGH {
        return vec![back, forth];
    }
    if axes <= 4 {
        return permutations(&forth);
    }
    let rotations = |order: &[usize]| {
        (0..axes)
            .map(|by| {
                let mut turned = order.to_vec();
                turned.rotate_left(by);
                turned
            })
            .collect::<Vec<_>>()
    };
    if cells.saturating_mul(axes).saturating_mul(2 * axes) > ROTATED {
        return vec![back, forth];
    }
    [rotations(&back), rotations(&forth)].concat()
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |first: usize| {
        let rest: Vec<usize> = items.iter().copied().filter(|item| *item != first).collect();
        permutations(&rest)
            .into_iter()
            .map(move |tail| [vec![first], tail].concat())
    };
    items.iter().copied().flat_map(with_first).collect()
}

/// Merges along each axis once.
///
/// Once is enough: boxes that differ along one axis only would have done so before the last axis was merged, for
/// a value of it that both have, or else they differ along that one.
fn merged(order: &[usize], cells: &[Vec<u32>], budget: &Budget) -> Result<Boxes, Exhausted> {
    let mut sets = Sets::default();
    let mut boxes: Vec<Vec<u32>> = cells
        .iter()
        .map(|cell| cell.iter().map(|value| sets.number(vec![*value])).collect())
        .collect();
    for axis in order {
        let width = boxes.first().map_or(0, Vec::len);
        budget.spend_product(&[boxes.len(), 1 + width / 16])?;
        boxes = merged_along(*axis, boxes, &mut sets);
    }
    let values = |one: &Vec<u32>| one.iter().map(|set| sets.get(*set).to_vec()).collect();
    Ok(boxes.iter().map(values).collect())
}

/// Merges boxes that are equal but for one axis.
fn merged_along(axis: usize, boxes: Vec<Vec<u32>>, sets: &mut Sets) -> Vec<Vec<u32>> {
    let mut places: HashMap<Vec<u32>, usize> = HashMap::with_capacity(boxes.len());
    let mut groups: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    for one in boxes {
        let mut rest = one;
        let Some(own) = rest.get_mut(axis) else { continue };
        let own = std::mem::replace(own, u32::MAX);
        match places.get(&rest).and_then(|place| groups.get_mut(*place)) {
            Some((_, along)) => along.push(own),
            None => {
                places.insert(rest.clone(), groups.len());
                groups.push((rest, vec![own]));
            }
        }
    }
    groups
        .into_iter()
        .map(|(mut rest, along)| {
            if let Some(own) = rest.get_mut(axis) {
                *own = sets.union(&along);
            }
            rest
        })
        .collect()
}

/// Sets of values, each known by a number.
#[derive(Default)]
struct Sets {
    all: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, u32>,
}

impl Sets {
    fn number(&mut self, set: Vec<u32>) -> u32 {
        if let Some(known) = self.numbers.get(&set) {
            return *known;
        }
        let number = self.all.len() as u32;
        self.numbers.insert(set.clone(), number);
        self.all.push(set);
        number
    }

    fn get(&self, number: u32) -> &[u32] {
        self.all.get(number as usize).map_or(&[], Vec::as_slice)
    }

    fn union(&mut self, numbers: &[u32]) -> u32 {
        if let [only] = numbers {
            return *only;
        }
        let mut union: Vec<u32> = numbers
            .iter()
            .flat_map(|number| self.get(*number))
            .copied()
            .collect();
        union.sort_unstable();
        union.dedup();
        self.number(union)
    }
}

#[cfg(test)]
mod tests;
