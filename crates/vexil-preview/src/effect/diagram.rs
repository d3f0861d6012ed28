//! Reduced ordered decision diagrams: which change each combination of atoms undergoes.
//!
//! A node asks for the atom of one level. Equal nodes are kept once, and a node whose answers all lead
//! to the same place is left out, so equal functions are the same node.

pub(crate) mod cofactors;

use std::hash::{Hash as _, Hasher as _};
use std::rc::Rc;

use vexil_budget::{Budget, Exhausted};

use super::fast::{FastMap, Index, Mixer};

/// A node, by number.
pub(crate) type Node = u32;

/// Where nothing changes.
pub(crate) const SAME: Node = 0;

/// So many nodes there is room for at first.
const USUAL: usize = 32;

/// What a node is.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// What the flag was and what it becomes, by the numbers of outcomes.
    Leaf(u32, u32),
    /// The level that is asked for, and the node for each of its atoms.
    Branch(u32, Rc<[Node]>),
}

/// Nodes, each once.
#[derive(Debug)]
pub(crate) struct Diagram {
    nodes: Vec<Kind>,
    /// By hashes of nodes.
    known: Index,
}

/// Which changes occur below nodes.
pub(crate) struct Reached {
    /// Ascending.
    pub(crate) changes: Vec<(u32, u32)>,
    /// Of each node, as bits in the order of the changes; nothing where these are more than there are bits.
    below: FastMap<Node, u64>,
}

impl Reached {
    fn bit(&self, change: (u32, u32)) -> u64 {
        let place = self.changes.binary_search(&change);
        place.map_or(0, |place| 1_u64.checked_shl(place as u32).unwrap_or_default())
    }
}

impl Default for Diagram {
    fn default() -> Self {
        let mut empty = Self {
            nodes: Vec::with_capacity(USUAL),
            known: Index::default(),
        };
        empty.push(0, Kind::Leaf(u32::MAX, u32::MAX));
        empty
    }
}

impl Diagram {
    pub(crate) fn leaf(&mut self, before: u32, after: u32) -> Node {
        if before == after {
            return SAME;
        }
        let kind = Kind::Leaf(before, after);
        let mut mixer = Mixer::default();
        kind.hash(&mut mixer);
        match self.find(mixer.finish(), |known| *known == kind) {
            Some(known) => known,
            None => self.push(mixer.finish(), kind),
        }
    }

    pub(crate) fn branch(&mut self, level: usize, children: &[Node]) -> Node {
        match children.split_first() {
            None => return SAME,
            Some((first, rest)) if rest.iter().all(|other| other == first) => return *first,
            _ => {}
        }
        let level = level as u32;
        let mut mixer = Mixer::default();
        mixer.write_u32(level);
        mixer.write_words(children);
        let is_it = |kind: &Kind| match kind {
            Kind::Branch(own, theirs) => *own == level && **theirs == *children,
            Kind::Leaf(..) => false,
        };
        match self.find(mixer.finish(), is_it) {
            Some(known) => known,
            None => self.push(mixer.finish(), Kind::Branch(level, children.into())),
        }
    }

    fn find(&self, hash: u64, is_it: impl Fn(&Kind) -> bool) -> Option<Node> {
        let is_it = |number: usize| self.nodes.get(number).is_some_and(&is_it);
        self.known.find(hash, is_it).map(|number| number as Node)
    }

    fn push(&mut self, hash: u64, kind: Kind) -> Node {
        self.nodes.push(kind);
        self.known.push(hash) as Node
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn kind(&self, node: Node) -> Option<&Kind> {
        self.nodes.get(node as usize)
    }

    /// The changes that occur below a node, each with the first path to it, by what was and what becomes.
    pub(crate) fn changes(&self, root: Node) -> Vec<(u32, u32)> {
        let mut seen = vec![false; self.nodes.len()];
        let mut pending = vec![root];
        let mut changes = Vec::new();
        while let Some(node) = pending.pop() {
            match seen.get_mut(node as usize) {
                Some(seen) if !*seen && node != SAME => *seen = true,
                _ => continue,
            }
            match self.kind(node) {
                Some(Kind::Leaf(before, after)) => changes.push((*before, *after)),
                Some(Kind::Branch(_, children)) => pending.extend(unlike(children)),
                None => {}
            }
        }
        changes.sort_unstable();
        changes
    }

    /// The same function where `keep` says so, and no change elsewhere.
    pub(crate) fn restricted(
        &mut self,
        root: Node,
        keep: &dyn Fn(usize, usize) -> bool,
        budget: &Budget,
    ) -> Result<Node, Exhausted> {
        let mut known = FastMap::default();
        self.mapped(root, &mut known, budget, &|_| None, &|_, leaf| leaf, keep)
    }

    /// Which changes occur below each node.
    pub(crate) fn reached(&self, root: Node) -> Reached {
        let mut reached = Reached {
            changes: self.changes(root),
            below: FastMap::default(),
        };
        if reached.changes.len() <= u64::BITS as usize {
            self.reach(root, &mut reached);
        }
        reached
    }

    fn reach(&self, node: Node, reached: &mut Reached) -> u64 {
        if let Some(known) = reached.below.get(&node) {
            return *known;
        }
        let below = match self.kind(node) {
            Some(Kind::Leaf(before, after)) => reached.bit((*before, *after)),
            Some(Kind::Branch(_, children)) => {
                unlike(children).fold(0, |below, child| below | self.reach(child, reached))
            }
            None => 0,
        };
        reached.below.insert(node, below);
        below
    }

    /// Only the changes of one kind.
    pub(crate) fn only(
        &mut self,
        root: Node,
        change: (u32, u32),
        budget: &Budget,
    ) -> Result<Node, Exhausted> {
        let reached = self.reached(root);
        self.part(root, change, &reached, budget)
    }

    /// Only the changes of one kind, of those that are reached: where there are no others, a node stays as it is.
    pub(crate) fn part(
        &mut self,
        root: Node,
        change: (u32, u32),
        reached: &Reached,
        budget: &Budget,
    ) -> Result<Node, Exhausted> {
        let mut known = FastMap::default();
        let bit = reached.bit(change);
        let whole = |node: Node| match reached.below.get(&node) {
            Some(below) if below & bit == 0 => Some(SAME),
            Some(below) if *below == bit => Some(node),
            _ => None,
        };
        let pick = |kind: (u32, u32), leaf| if kind == change { leaf } else { SAME };
        self.mapped(root, &mut known, budget, &whole, &pick, &|_, _| true)
    }

    fn mapped(
        &mut self,
        node: Node,
        known: &mut FastMap<Node, Node>,
        budget: &Budget,
        whole: &dyn Fn(Node) -> Option<Node>,
        leaf: &dyn Fn((u32, u32), Node) -> Node,
        keep: &dyn Fn(usize, usize) -> bool,
    ) -> Result<Node, Exhausted> {
        if node == SAME {
            return Ok(SAME);
        }
        if let Some(whole) = whole(node) {
            return Ok(whole);
        }
        if let Some(known) = known.get(&node) {
            return Ok(*known);
        }
        let mapped = match self.kind(node) {
            None => SAME,
            Some(Kind::Leaf(before, after)) => leaf((*before, *after), node),
            Some(Kind::Branch(level, children)) => {
                budget.spend(1 + children.len() as u64 / 4)?;
                let (level, children) = (*level as usize, Rc::clone(children));
                let mut mapped = Vec::with_capacity(children.len());
                let mut last = (SAME, SAME);
                for (atom, child) in children.iter().enumerate() {
                    mapped.push(if keep(level, atom) {
                        // neighbours often lead to the same place
                        if last.0 != *child {
                            last = (*child, self.mapped(*child, known, budget, whole, leaf, keep)?);
                        }
                        last.1
                    } else {
                        SAME
                    });
                }
                self.branch(level, &mapped)
            }
        };
        known.insert(node, mapped);
        Ok(mapped)
    }

    /// What changes in one diagram, where something changes in another as well.
    pub(crate) fn where_both(
        &mut self,
        one: Node,
        other: Node,
        known: &mut FastMap<(Node, Node), Node>,
        budget: &Budget,
    ) -> Result<Node, Exhausted> {
        if one == SAME || other == SAME {
            return Ok(SAME);
        }
        if let Some(known) = known.get(&(one, other)) {
            return Ok(*known);
        }
        let branch = |node: Node| match self.kind(node) {
            Some(Kind::Branch(level, children)) => Some((*level, Rc::clone(children))),
            _ => None,
        };
        let (first, second) = (branch(one), branch(other));
        let levels = [&first, &second].into_iter().flatten().map(|(level, _)| *level);
        let Some(level) = levels.min() else {
            return Ok(one);
        };
        let at = |known: Option<(u32, Rc<[Node]>)>| known.filter(|(own, _)| *own == level);
        let (first, second) = (at(first), at(second));
        let count = first
            .iter()
            .chain(&second)
            .map(|(_, children)| children.len())
            .max();
        budget.spend(1 + count.unwrap_or_default() as u64 / 4)?;
        let child = |known: &Option<(u32, Rc<[Node]>)>, atom: usize, otherwise: Node| {
            let own = known.as_ref().map(|(_, children)| children.get(atom).copied());
            own.map_or(otherwise, |child| child.unwrap_or(SAME))
        };
        let mut both = Vec::with_capacity(count.unwrap_or_default());
        for atom in 0..count.unwrap_or_default() {
            let (one, other) = (child(&first, atom, one), child(&second, atom, other));
            both.push(self.where_both(one, other, known, budget)?);
        }
        let result = self.branch(level as usize, &both);
        known.insert((one, other), result);
        Ok(result)
    }

    /// The levels that a node depends on, ascending.
    pub(crate) fn levels(&self, root: Node) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut levels = Vec::new();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            match seen.get_mut(node as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            if let Some(Kind::Branch(level, children)) = self.kind(node) {
                levels.push(*level as usize);
                pending.extend(unlike(children));
            }
        }
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// The levels below a node, with their atoms put together where they lead to the same places everywhere.
    pub(crate) fn alike(&self, root: Node) -> FastMap<usize, Alike> {
        let mut seen = vec![false; self.nodes.len()];
        let mut alike: FastMap<usize, Vec<usize>> = FastMap::default();
        let mut firsts: FastMap<(usize, Node), usize> = FastMap::default();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            match seen.get_mut(node as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let Some(Kind::Branch(level, children)) = self.kind(node) else {
                continue;
            };
            pending.extend(unlike(children));
            let known = alike
                .entry(*level as usize)
                .or_insert_with(|| vec![0; children.len()]);
            firsts.clear();
            for (atom, (like, child)) in known.iter_mut().zip(&**children).enumerate() {
                *like = *firsts.entry((*like, *child)).or_insert(atom);
            }
        }
        let alike = alike.into_iter();
        alike.map(|(level, like)| (level, Alike::new(&like))).collect()
    }
}

/// The atoms of a level, put together where they lead to the same places.
pub(crate) struct Alike {
    /// The first of each.
    pub(crate) firsts: Rc<[usize]>,
    /// Of each atom the place of its first among them.
    pub(crate) of: Rc<[u32]>,
}

impl Alike {
    /// Of each atom the first that is like it.
    fn new(like: &[usize]) -> Self {
        let mut firsts: Vec<usize> = Vec::new();
        let of = like.iter().enumerate().map(|(atom, first)| {
            if atom == *first {
                firsts.push(atom);
            }
            firsts.binary_search(first).unwrap_or_default() as u32
        });
        let of = of.collect();
        Self {
            firsts: firsts.into(),
            of,
        }
    }
}

/// Nodes without those that are like the one before.
fn unlike(nodes: &[Node]) -> impl Iterator<Item = Node> {
    let mut last = None;
    nodes
        .iter()
        .copied()
        .filter(move |node| last.replace(*node) != Some(*node))
}

#[cfg(test)]
pub(crate) mod tests;
