//! Boxes: sets of atoms, one for each dimension that matters, put together from the paths of a diagram.

mod rows;

use std::rc::Rc;

use vexil_budget::{Budget, Exhausted};

use super::diagram::{Diagram, Kind, Node, SAME};
use super::fast::FastMap;
use rows::{Grouping, Rows};

/// So many paths are put together where all boxes are wanted.
pub(crate) const MOST_PATHS: usize = 1_000;
/// So many where some are shown.
pub(crate) const SHOWN_PATHS: usize = 200;

/// Atoms by level, ascending; levels that do not matter are left out.
pub(crate) type AtomBox = Vec<(usize, Rc<[u32]>)>;

/// A set of atoms by number; zero is all of them.
type SetNumber = u32;

/// The boxes of a set, none of which meets another; and whether there are more.
pub(crate) fn boxes(
    diagram: &Diagram,
    root: Node,
    size: &dyn Fn(usize) -> usize,
    most: usize,
    budget: &Budget,
) -> Result<(Vec<AtomBox>, bool), Exhausted> {
    let levels = diagram.levels(root);
    let mut boxes = Boxes {
        diagram,
        budget,
        sets: Sets::default(),
        ways: FastMap::default(),
        levels: &levels,
        most,
        pairs: Vec::new(),
        atoms: Vec::new(),
    };
    let mut rows = Rows::new(levels.len());
    let mut row = vec![0; levels.len()];
    let complete = boxes.collect(root, &mut row, &mut rows)?;
    let rows = boxes.merged(rows, size)?;
    let written = |row: &[SetNumber]| -> AtomBox {
        let count = row.iter().filter(|set| **set != 0).count();
        let mut place = Vec::with_capacity(count);
        let sets = levels.iter().zip(row);
        place.extend(sets.filter_map(|(level, set)| Some((*level, boxes.sets.shared(*set)?))));
        place
    };
    let mut list: Vec<AtomBox> = Vec::with_capacity(rows.len());
    list.extend(rows.iter().map(written));
    list.sort_unstable();
    Ok((list, !complete))
}

/// Sets of atoms, each once.
#[derive(Default)]
struct Sets {
    list: Vec<Rc<[u32]>>,
    known: FastMap<Rc<[u32]>, SetNumber>,
}

impl Sets {
    fn number(&mut self, atoms: &[u32]) -> SetNumber {
        if let Some(known) = self.known.get(atoms) {
            return *known;
        }
        let atoms: Rc<[u32]> = atoms.into();
        self.list.push(Rc::clone(&atoms));
        self.known.insert(atoms, self.list.len() as u32);
        self.list.len() as u32
    }

    fn atoms(&self, set: SetNumber) -> &[u32] {
        let place = (set as usize).checked_sub(1);
        place
            .and_then(|place| self.list.get(place))
            .map_or(&[], |set| set)
    }

    /// The atoms of a set, to be kept; `None` for all of them.
    fn shared(&self, set: SetNumber) -> Option<Rc<[u32]>> {
        let place = (set as usize).checked_sub(1)?;
        self.list.get(place).map(Rc::clone)
    }
}

struct Boxes<'b> {
    diagram: &'b Diagram,
    budget: &'b Budget,
    sets: Sets,
    /// Of each node where its atoms lead, those that lead to the same place together.
    ways: FastMap<Node, Rc<[(Node, SetNumber)]>>,
    levels: &'b [usize],
    /// So many paths are put together.
    most: usize,
    /// The places that atoms lead to, by number, with these atoms; of the node that is looked at.
    pairs: Vec<(u32, u32)>,
    /// The atoms of the set that is put together.
    atoms: Vec<u32>,
}

impl Boxes<'_> {
    /// Collects paths; says whether these are all.
    fn collect(&mut self, node: Node, row: &mut [SetNumber], rows: &mut Rows) -> Result<bool, Exhausted> {
        if node == SAME {
            return Ok(true);
        }
        if rows.len() >= self.most {
            return Ok(false);
        }
        let Some(Kind::Branch(level, children)) = self.diagram.kind(node) else {
            self.budget.spend(1 + row.len() as u64 / 4)?;
            rows.push(row);
            return Ok(true);
        };
        let ways = match self.ways.get(&node) {
            Some(known) => Rc::clone(known),
            None => {
                self.budget.spend(1 + children.len() as u64 / 2)?;
                let ways = self.ways_of(children);
                self.ways.insert(node, Rc::clone(&ways));
                ways
            }
        };
        let place = self.levels.binary_search(&(*level as usize)).unwrap_or_default();
        let mut complete = true;
        for (child, set) in ways.iter() {
            if let Some(slot) = row.get_mut(place) {
                *slot = *set;
            }
            complete &= self.collect(*child, row, rows)?;
        }
        if let Some(slot) = row.get_mut(place) {
            *slot = 0;
        }
        Ok(complete)
    }

    fn ways_of(&mut self, children: &[Node]) -> Rc<[(Node, SetNumber)]> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut last = 0;
        self.pairs.clear();
        for (atom, child) in (0..).zip(children.iter().copied()) {
            if child == SAME {
                continue;
            }
            // neighbours often lead to the same place
            if nodes.get(last as usize) != Some(&child) {
                let known = nodes.iter().position(|known| *known == child);
                last = known.unwrap_or(nodes.len()) as u32;
                if known.is_none() {
                    nodes.push(child);
                }
            }
            self.pairs.push((last, atom));
        }
        self.pairs.sort_unstable();
        let sets = &mut self.sets;
        let mut number = |own: &[(u32, u32)]| {
            self.atoms.clear();
            self.atoms.extend(own.iter().map(|(_, atom)| *atom));
            sets.number(&self.atoms)
        };
        let groups = self.pairs.chunk_by(|one, other| one.0 == other.0);
        nodes
            .into_iter()
            .zip(groups)
            .map(|(node, own)| (node, number(own)))
            .collect()
    }

    /// Puts boxes together that differ along one level only, until there are none.
    fn merged(&mut self, mut rows: Rows, size: &dyn Fn(usize) -> usize) -> Result<Rows, Exhausted> {
        let mut grouping = Grouping::default();
        // so many levels were looked at since rows were put together
        let mut unchanged = 0;
        for (place, level) in self.levels.iter().enumerate().rev().cycle() {
            if unchanged == self.levels.len() {
                break;
            }
            self.budget.spend(rows.len() as u64 / 2)?;
            let count = rows.len();
            // no two rows are alike, so where none has anything none differ
            if rows.has(place) {
                grouping.group(&mut rows, place);
                self.put_back(&grouping, &mut rows, place, size(*level));
            }
            unchanged = if rows.len() == count { unchanged + 1 } else { 1 };
        }
        Ok(rows)
    }

    /// Gives each row what those that were put together have along a level.
    fn put_back(&mut self, grouping: &Grouping, rows: &mut Rows, place: usize, size: usize) {
        let mut others = grouping.others.chunk_by(|one, other| one.0 == other.0).peekable();
        for (group, first) in grouping.first.iter().enumerate() {
            let more = others.next_if(|more| more.first().is_some_and(|(own, _)| *own == group));
            let set = match more {
                None => *first,
                Some(more) => self.union(
                    std::iter::once(*first).chain(more.iter().map(|(_, set)| *set)),
                    size,
                ),
            };
            rows.put(group, place, set);
        }
    }

    /// The atoms of some sets, of `size` that there are.
    fn union(&mut self, sets: impl Iterator<Item = SetNumber>, size: usize) -> SetNumber {
        let atoms = &mut self.atoms;
        atoms.clear();
        // none of them is all atoms: that box would meet the others
        for set in sets {
            atoms.extend(self.sets.atoms(set));
        }
        atoms.sort_unstable();
        atoms.dedup();
        if atoms.len() < size {
            self.sets.number(atoms)
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::effect::diagram::tests::{SIZES, combinations, drawn, node_of};
    use crate::effect::tests::sides::Random;

    #[test]
    fn where_boxes_are_put_together_to_all_atoms_of_a_level_none_are_named() {
        let mut diagram = Diagram::default();
        let leaf = diagram.leaf(1, 2);
        let last = [0, 1, 2].map(|own| {
            let leads = [0, 1, 2].map(|atom| if atom == own { leaf } else { SAME });
            diagram.branch(2, &leads)
        });
        let [first, other] = [last[1], last[2]].map(|one| diagram.branch(1, &[last[0], one]));
        let root = diagram.branch(0, &[first, other]);
        let size = |level: usize| [2, 2, 3][level];
        let (found, more) = boxes(&diagram, root, &size, 10, &Budget::unlimited()).unwrap();
        let named: Vec<Vec<usize>> = found
            .iter()
            .map(|place| place.iter().map(|(level, _)| *level).collect())
            .collect();
        assert_eq!(
            (named, more),
            (vec![vec![0, 1, 2], vec![0, 1, 2], vec![1, 2]], false)
        );
    }

    #[test]
    fn boxes_hold_each_combination_that_changes_once_and_differ_along_two_levels() {
        let mut random = Random(8);
        let size = |level: usize| SIZES[level];
        for _ in 0..150 {
            let table = drawn(&mut random);
            let mut diagram = Diagram::default();
            let root = node_of(&mut diagram, &table);
            let paths = paths(&diagram, root);
            for most in [0, 1, 2, 5, 100] {
                let (found, more) = boxes(&diagram, root, &size, most, &Budget::unlimited()).unwrap();
                assert_eq!(more, paths > most, "{most} {table:?}");
                for (change, place) in table.iter().zip(combinations()) {
                    let inside =
                        |(level, atoms): &(usize, Rc<[u32]>)| atoms.contains(&(place[*level] as u32));
                    let count = found.iter().filter(|one| one.iter().all(inside)).count();
                    assert!(
                        count <= usize::from(change.is_some()),
                        "{place:?} {found:?} {table:?}"
                    );
                    assert!(
                        more || count == usize::from(change.is_some()),
                        "{place:?} {found:?} {table:?}"
                    );
                }
                assert!(
                    found.len() <= most && found.is_empty() == (paths.min(most) == 0),
                    "{most} {table:?}"
                );
                assert!(found.is_sorted(), "{found:?}");
                let of = |one: &AtomBox, level: usize| one.iter().find(|(own, _)| *own == level).cloned();
                for (number, one) in found.iter().enumerate() {
                    assert!(one.is_sorted_by(|one, next| one.0 < next.0), "{one:?}");
                    for (level, atoms) in one {
                        assert!(!atoms.is_empty() && atoms.len() < SIZES[*level], "{one:?}");
                        assert!(atoms.is_sorted_by(|one, next| one < next), "{one:?}");
                    }
                    for other in &found[number + 1..] {
                        let differing = (0..3).filter(|level| of(one, *level) != of(other, *level));
                        assert!(differing.count() > 1, "{one:?} {other:?} {table:?}");
                    }
                }
            }
        }
    }

    /// How many paths lead to a change, where atoms that lead to the same place are one.
    fn paths(diagram: &Diagram, node: Node) -> usize {
        match diagram.kind(node) {
            _ if node == SAME => 0,
            Some(Kind::Branch(_, children)) => {
                let different: BTreeSet<Node> = children.iter().copied().collect();
                different.into_iter().map(|child| paths(diagram, child)).sum()
            }
            _ => 1,
        }
    }

    #[test]
    fn there_are_more_boxes_exactly_where_more_paths_lead_to_a_change_than_are_wanted() {
        for count in 1..6 {
            let mut diagram = Diagram::default();
            let leaves = (0..count).map(|after| diagram.leaf(7, after)).collect::<Vec<_>>();
            // what comes last changes nothing, so no path is left once all are listed
            let root = diagram.branch(0, &[leaves, vec![SAME]].concat());
            for most in 1..8 {
                let size = |_: usize| count as usize + 1;
                let (found, more) = boxes(&diagram, root, &size, most, &Budget::unlimited()).unwrap();
                assert_eq!((found.len(), more), (1, most < count as usize), "{count} {most}");
            }
        }
    }
}
