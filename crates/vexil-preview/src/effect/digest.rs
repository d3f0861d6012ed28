//! The digest of an effect: equal effects have equal digests, whatever the edits were.
//!
//! The diagram is read with its dimensions in the order of their names, which no edit changes. What a
//! node asks is written without the cuts that do not matter to it: neighbouring intervals that lead to
//! the same place are one, and a listed text that fares like any other of its kind is left out. What is
//! written determines the effect, so different effects have different digests.

mod written;

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use vexil_budget::Exhausted;

use super::atoms::Atom;
use super::diagram::{Kind, Node, SAME};
use super::rules::{Dimension, Test};
use super::walk::Walk;
use written::{Ways, describe, is_open, remainders, unlisted};

/// A SHA-256 digest.
pub(crate) type Digest = [u8; 32];

/// Reads a diagram.
pub(crate) struct Reader<'d, 'w, 'r, const N: usize> {
    pub(crate) walk: &'d mut Walk<'w, 'r, N>,
    known: HashMap<Node, Digest>,
    chosen: HashMap<(Node, usize, usize), Node>,
}

impl<'d, 'w, 'r, const N: usize> Reader<'d, 'w, 'r, N> {
    pub(crate) fn new(walk: &'d mut Walk<'w, 'r, N>) -> Self {
        Self {
            walk,
            known: HashMap::new(),
            chosen: HashMap::new(),
        }
    }

    /// The digest of the function of a node.
    pub(crate) fn digest(&mut self, node: Node) -> Result<Digest, Exhausted> {
        if let Some(known) = self.known.get(&node) {
            return Ok(*known);
        }
        self.walk.asked.budget.spend(8)?;
        let mut hash = Sha256::new();
        match self.walk.diagram.kind(node) {
            _ if node == SAME => hash.update(b"same"),
            None => hash.update(b"same"),
            Some(Kind::Leaf(before, after)) => {
                for number in [before, after] {
                    let outcome = self.walk.asked.rules.outcomes.get(*number as usize);
                    write(&mut hash, &format!("{outcome:?}"));
                }
            }
            Some(Kind::Branch(..)) => {
                let rules = self.walk.asked.rules;
                let name = |level: &usize| {
                    let dimension = self.walk.order.get(*level);
                    dimension.and_then(|number| rules.dimensions.get(*number))
                };
                let levels = self.walk.diagram.levels(node);
                let Some(level) = levels
                    .into_iter()
                    .min_by(|one, other| name(one).cmp(&name(other)))
                else {
                    return Ok([0; 32]);
                };
                write(&mut hash, &format!("{:?}", name(&level)));
                for (child, texts) in self.ways(node, level)? {
                    let below = self.digest(child)?;
                    hash.update(below);
                    hash.update((texts.len() as u64).to_le_bytes());
                    texts.iter().for_each(|text| write(&mut hash, text));
                }
            }
        }
        let digest: Digest = hash.finalize().into();
        self.known.insert(node, digest);
        Ok(digest)
    }

    /// Where the values of a level lead, in words that do not depend on cuts that do not matter. Ways
    /// come in the order of the digests they lead to.
    fn ways(&mut self, node: Node, level: usize) -> Result<Vec<(Node, Vec<String>)>, Exhausted> {
        let count = self.walk.levels.get(level).and_then(Option::as_ref);
        let count = count.map_or(0, |known| known.atoms.list.len());
        let mut nodes = Vec::with_capacity(count);
        for atom in 0..count {
            nodes.push(self.choose(node, level, atom)?);
        }
        let Some(known) = self.walk.levels.get(level).and_then(Option::as_ref) else {
            return Ok(Vec::new());
        };
        let (dimension, is_field) = (known.dimension, known.atoms.prober.is_some());
        let mut ways = Ways::new();
        if is_field {
            let plain = self.plain(level, &nodes)?;
            let Some(known) = self.walk.levels.get(level).and_then(Option::as_ref) else {
                return Ok(Vec::new());
            };
            describe(&self.tests(dimension), &known.atoms, &nodes, &plain, &mut ways);
        } else {
            remainders(&known.atoms, &nodes, &mut ways);
        }
        let mut list = Vec::new();
        for (child, mut texts) in ways {
            texts.sort_unstable();
            texts.dedup();
            list.push((self.digest(child)?, child, texts));
        }
        list.sort();
        Ok(list.into_iter().map(|(_, child, texts)| (child, texts)).collect())
    }

    fn choose(&mut self, node: Node, level: usize, atom: usize) -> Result<Node, Exhausted> {
        let budget = self.walk.asked.budget;
        self.walk
            .diagram
            .chosen(node, level, atom, &mut self.chosen, budget)
    }

    /// The tests of a dimension.
    fn tests(&self, dimension: usize) -> Vec<Test<'r>> {
        let rules = self.walk.asked.rules;
        let literals = rules.by_dimension.get(dimension).into_iter().flatten();
        let literals = literals.filter_map(|number| rules.literals.get(*number));
        literals.map(|literal| literal.test).collect()
    }

    /// For each atom, where its values would lead if they were not listed; `None` where that is not known.
    fn plain(&mut self, level: usize, nodes: &[Node]) -> Result<Vec<Option<Node>>, Exhausted> {
        let Some(known) = self.walk.levels.get(level).and_then(Option::as_ref) else {
            return Ok(Vec::new());
        };
        let lists: Vec<Option<bool>> = self.tests(known.dimension).iter().map(unlisted).collect();
        let places: HashMap<&[bool], usize> = known
            .atoms
            .list
            .iter()
            .enumerate()
            .filter(|(_, atom)| atom.pinned.is_none() && atom.parts.iter().any(|(part, _)| is_open(part)))
            .map(|(place, atom)| (atom.holds.as_slice(), place))
            .collect();
        let like = |atom: &Atom| {
            let holds = atom.holds.iter().zip(&lists);
            let holds: Vec<bool> = holds
                .map(|(holds, unlisted)| unlisted.unwrap_or(*holds))
                .collect();
            places.get(holds.as_slice()).copied()
        };
        let found: Vec<_> = known
            .atoms
            .list
            .iter()
            .map(|atom| (like(atom), atom.pinned.clone()))
            .collect();
        let mut plain = Vec::with_capacity(found.len());
        for (place, pinned) in found {
            let mut node = place.and_then(|place| nodes.get(place)).copied();
            for (hash, cell) in self.cells_of(pinned.as_deref().unwrap_or_default()) {
                node = match node {
                    Some(node) => Some(self.choose(node, hash, cell)?),
                    None => None,
                };
            }
            plain.push(node);
        }
        Ok(plain)
    }

    /// The cells of a text's hashes, by level.
    fn cells_of(&self, pinned: &[(usize, bool)]) -> Vec<(usize, usize)> {
        let rules = self.walk.asked.rules;
        let levels = self.walk.levels.iter().enumerate();
        let filled = levels.filter_map(|(level, known)| Some((level, known.as_ref()?)));
        let cell = |(level, known): (usize, &super::walk::Level<'_, N>)| {
            let Some(Dimension::Hash { .. }) = rules.dimensions.get(known.dimension) else {
                return None;
            };
            let literals = rules.by_dimension.get(known.dimension)?;
            let answer = |literal: &usize| {
                pinned
                    .iter()
                    .find(|(number, _)| number == literal)
                    .map(|one| one.1)
            };
            let holds: Option<Vec<bool>> = literals.iter().map(answer).collect();
            let holds = holds?;
            let place = known.atoms.list.iter().position(|cell| cell.holds == holds)?;
            Some((level, place))
        };
        filled.filter_map(cell).collect()
    }
}

fn write(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}
