//! Boxes: sets of atoms, one for each dimension that matters, put together from the paths of a diagram.

use std::collections::HashMap;

use vexil_budget::{Budget, Exhausted};

use super::diagram::{Diagram, Kind, Node, SAME};

/// So many paths are put together; beyond, they are shown as they are, and the rest is counted.
const MOST_PATHS: usize = 1_000;

/// Atoms by level, ascending; levels that do not matter are left out.
pub(crate) type AtomBox = Vec<(usize, Vec<u32>)>;

/// The boxes of a set, none of which meets another; and whether there are more.
pub(crate) fn boxes(
    diagram: &Diagram,
    root: Node,
    size: &dyn Fn(usize) -> usize,
    budget: &Budget,
) -> Result<(Vec<AtomBox>, bool), Exhausted> {
    let mut paths = Vec::new();
    let mut path = Vec::new();
    let complete = collect(diagram, root, &mut path, &mut paths, budget)?;
    Ok((merged(paths, size, budget)?, !complete))
}

/// Collects paths; says whether these are all.
fn collect(
    diagram: &Diagram,
    node: Node,
    path: &mut AtomBox,
    paths: &mut Vec<AtomBox>,
    budget: &Budget,
) -> Result<bool, Exhausted> {
    if node == SAME {
        return Ok(true);
    }
    if paths.len() >= MOST_PATHS {
        return Ok(false);
    }
    let Some(Kind::Branch(level, children)) = diagram.kind(node) else {
        budget.spend(1 + path.len() as u64)?;
        paths.push(path.clone());
        return Ok(true);
    };
    budget.spend(1 + children.len() as u64 / 2)?;
    let mut groups: Vec<(Node, Vec<u32>)> = Vec::new();
    let mut places: HashMap<Node, usize> = HashMap::new();
    for (atom, child) in (0..).zip(children.iter().copied()) {
        if child == SAME {
            continue;
        }
        let place = *places.entry(child).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, atoms)) => atoms.push(atom),
            None => groups.push((child, vec![atom])),
        }
    }
    let mut complete = true;
    for (child, atoms) in groups {
        path.push((*level as usize, atoms));
        complete &= collect(diagram, child, path, paths, budget)?;
        path.pop();
    }
    Ok(complete)
}

/// Puts boxes together that differ along one level only, until there are none.
fn merged(
    mut boxes: Vec<AtomBox>,
    size: &dyn Fn(usize) -> usize,
    budget: &Budget,
) -> Result<Vec<AtomBox>, Exhausted> {
    loop {
        let count = boxes.len();
        let mut levels: Vec<usize> = boxes.iter().flatten().map(|(level, _)| *level).collect();
        levels.sort_unstable();
        levels.dedup();
        for level in levels.into_iter().rev() {
            budget.spend(boxes.len() as u64)?;
            boxes = merged_along(level, boxes, size(level));
        }
        if boxes.len() == count {
            boxes.sort();
            return Ok(boxes);
        }
    }
}

fn merged_along(level: usize, boxes: Vec<AtomBox>, size: usize) -> Vec<AtomBox> {
    let mut groups: Vec<(AtomBox, Option<Vec<u32>>)> = Vec::new();
    let mut places: HashMap<AtomBox, usize> = HashMap::new();
    for mut rest in boxes {
        let own = rest.iter().position(|(at, _)| *at == level);
        let own = own.map(|place| rest.remove(place).1);
        match places.get(&rest).and_then(|place| groups.get_mut(*place)) {
            Some((_, known)) => {
                *known = known.take().zip(own).map(|(known, own)| [known, own].concat());
            }
            None => {
                places.insert(rest.clone(), groups.len());
                groups.push((rest, own));
            }
        }
    }
    let put_back = |(mut rest, own): (AtomBox, Option<Vec<u32>>)| {
        if let Some(mut atoms) = own {
            atoms.sort_unstable();
            atoms.dedup();
            if atoms.len() < size {
                let place = rest.partition_point(|(at, _)| *at < level);
                rest.insert(place, (level, atoms));
            }
        }
        rest
    };
    groups.into_iter().map(put_back).collect()
}
