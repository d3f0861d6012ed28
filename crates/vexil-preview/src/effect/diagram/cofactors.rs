//! Cofactors: what is left of a function once an atom of a level is chosen.

use std::rc::Rc;

use vexil_budget::{Budget, Exhausted};

use super::{Diagram, Kind, Node, SAME};
use crate::effect::fast::FastMap;

/// The cofactors of a node by some atoms of a level.
#[derive(Clone)]
pub(crate) enum Cofactors {
    /// It does not depend on the level.
    All(Node),
    /// One for each of the atoms.
    Each(Rc<[Node]>),
}

impl Cofactors {
    /// The one by an atom, by its place among those that were asked for.
    pub(crate) fn at(&self, place: usize) -> Node {
        match self {
            Self::All(node) => *node,
            Self::Each(nodes) => nodes.get(place).copied().unwrap_or(SAME),
        }
    }
}

impl Diagram {
    /// The same function with each of some atoms of a level chosen in its turn.
    pub(crate) fn cofactors(
        &mut self,
        node: Node,
        level: usize,
        atoms: &[usize],
        known: &mut FastMap<(Node, usize), Cofactors>,
        budget: &Budget,
    ) -> Result<Cofactors, Exhausted> {
        let Some(Kind::Branch(at, children)) = self.kind(node) else {
            return Ok(Cofactors::All(node));
        };
        let at = *at as usize;
        if at > level {
            return Ok(Cofactors::All(node));
        }
        if at == level {
            let of = |atom: &usize| children.get(*atom).copied().unwrap_or(SAME);
            return Ok(Cofactors::Each(atoms.iter().map(of).collect()));
        }
        if let Some(known) = known.get(&(node, level)) {
            return Ok(known.clone());
        }
        budget.spend(atoms.len() as u64 * (1 + children.len() as u64 / 4))?;
        let children = Rc::clone(children);
        let mut below: Vec<Cofactors> = Vec::with_capacity(children.len());
        let mut last = SAME;
        for child in &*children {
            // neighbours often lead to the same place
            let same = below.last().filter(|_| last == *child).cloned();
            last = *child;
            below.push(match same {
                Some(same) => same,
                None => self.cofactors(*child, level, atoms, known, budget)?,
            });
        }
        let made = if below.iter().all(|child| matches!(child, Cofactors::All(_))) {
            Cofactors::All(node)
        } else {
            let mut made = Vec::with_capacity(atoms.len());
            let mut chosen = Vec::with_capacity(children.len());
            for place in 0..atoms.len() {
                chosen.clear();
                chosen.extend(below.iter().map(|child| child.at(place)));
                made.push(self.branch(at, &chosen));
            }
            Cofactors::Each(made.into())
        };
        known.insert((node, level), made.clone());
        Ok(made)
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
        let (at, children) = (*at as usize, Rc::clone(children));
        let mut chosen = Vec::with_capacity(children.len());
        let mut last = (SAME, SAME);
        for child in &*children {
            if last.0 != *child {
                last = (*child, self.chosen(*child, level, atom, known, budget)?);
            }
            chosen.push(last.1);
        }
        let result = self.branch(at, &chosen);
        known.insert((node, level, atom), result);
        Ok(result)
    }
}
