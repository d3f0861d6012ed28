//! Reduced ordered decision diagrams: which change each combination of atoms undergoes.
//!
//! A node asks for the atom of one level. Equal nodes are kept once, and a node whose answers all lead
//! to the same place is left out, so equal functions are the same node.

use vexil_budget::{Budget, Exhausted};

use super::fast::FastMap;

/// A node, by number.
pub(crate) type Node = u32;

/// Where nothing changes.
pub(crate) const SAME: Node = 0;

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// What the flag was and what it becomes, by the numbers of outcomes.
    Leaf(u32, u32),
    /// The level that is asked for, and the node for each of its atoms.
    Branch(u32, Box<[Node]>),
}

/// Nodes, each once.
#[derive(Debug)]
pub(crate) struct Diagram {
    nodes: Vec<Kind>,
    known: FastMap<Kind, Node>,
}

impl Default for Diagram {
    fn default() -> Self {
        Self {
            nodes: vec![Kind::Leaf(u32::MAX, u32::MAX)],
            known: FastMap::default(),
        }
    }
}

impl Diagram {
    pub(crate) fn leaf(&mut self, before: u32, after: u32) -> Node {
        if before == after {
            return SAME;
        }
        self.intern(Kind::Leaf(before, after))
    }

    pub(crate) fn branch(&mut self, level: usize, children: Vec<Node>) -> Node {
        match children.split_first() {
            None => SAME,
            Some((first, rest)) if rest.iter().all(|other| other == first) => *first,
            _ => self.intern(Kind::Branch(level as u32, children.into())),
        }
    }

    fn intern(&mut self, kind: Kind) -> Node {
        if let Some(known) = self.known.get(&kind) {
            return *known;
        }
        let number = self.nodes.len() as Node;
        self.nodes.push(kind.clone());
        self.known.insert(kind, number);
        number
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
                Some(Kind::Branch(_, children)) => pending.extend(children),
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
        self.mapped(root, &mut known, budget, &|_, leaf| leaf, keep)
    }

    /// Only the changes of one kind.
    pub(crate) fn only(
        &mut self,
        root: Node,
        change: (u32, u32),
        budget: &Budget,
    ) -> Result<Node, Exhausted> {
        let mut known = FastMap::default();
        let pick = |kind: (u32, u32), leaf| if kind == change { leaf } else { SAME };
        self.mapped(root, &mut known, budget, &pick, &|_, _| true)
    }

    fn mapped(
        &mut self,
        node: Node,
        known: &mut FastMap<Node, Node>,
        budget: &Budget,
        leaf: &dyn Fn((u32, u32), Node) -> Node,
        keep: &dyn Fn(usize, usize) -> bool,
    ) -> Result<Node, Exhausted> {
        if node == SAME {
            return Ok(SAME);
        }
        if let Some(known) = known.get(&node) {
            return Ok(*known);
        }
        let mapped = match self.kind(node).cloned() {
            None => SAME,
            Some(Kind::Leaf(before, after)) => leaf((before, after), node),
            Some(Kind::Branch(level, children)) => {
                budget.spend(1 + children.len() as u64 / 4)?;
                let mut mapped = Vec::with_capacity(children.len());
                for (atom, child) in children.iter().enumerate() {
                    mapped.push(if keep(level as usize, atom) {
                        self.mapped(*child, known, budget, leaf, keep)?
                    } else {
                        SAME
                    });
                }
                self.branch(level as usize, mapped)
            }
        };
        known.insert(node, mapped);
        Ok(mapped)
    }

    /// The same function with one atom of a level chosen.
    pub(crate) fn chosen(
        &mut self,
        node: Node,
        level: usize,
        atom: usize,
        known: &mut FastMap<(Node, usize, usize), Node>,
        budget: &Budget,
    ) -> Result<Node, Exhausted> {
        let Some(Kind::Branch(at, children)) = self.kind(node) else {
            return Ok(node);
        };
        if *at as usize == level {
            return Ok(children.get(atom).copied().unwrap_or(SAME));
        }
        if *at as usize > level {
            return Ok(node);
        }
        if let Some(known) = known.get(&(node, level, atom)) {
            return Ok(*known);
        }
        budget.spend(1 + children.len() as u64 / 4)?;
        let (at, children) = (*at as usize, children.clone());
        let mut chosen = Vec::with_capacity(children.len());
        for child in &children {
            chosen.push(self.chosen(*child, level, atom, known, budget)?);
        }
        let result = self.branch(at, chosen);
        known.insert((node, level, atom), result);
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
                pending.extend(children);
            }
        }
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// For each level below a node, and each of its atoms, the first atom that leads to the same places everywhere.
    pub(crate) fn alike(&self, root: Node) -> FastMap<usize, Vec<usize>> {
        let mut seen = vec![false; self.nodes.len()];
        let mut alike: FastMap<usize, Vec<usize>> = FastMap::default();
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            match seen.get_mut(node as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let Some(Kind::Branch(level, children)) = self.kind(node) else {
                continue;
            };
            pending.extend(children);
            let known = alike
                .entry(*level as usize)
                .or_insert_with(|| vec![0; children.len()]);
            let mut firsts: FastMap<(usize, Node), usize> = FastMap::default();
            for (atom, (like, child)) in known.iter_mut().zip(children).enumerate() {
                *like = *firsts.entry((*like, *child)).or_insert(atom);
            }
        }
        alike
    }
}
