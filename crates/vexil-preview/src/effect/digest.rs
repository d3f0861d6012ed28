//! The digest of an effect: equal effects have equal digests, whatever the edits were.
//!
//! The diagram is read with its dimensions in the order of their names, which no edit changes. What a
//! node asks is written without the cuts that do not matter to it: neighbouring intervals that lead to
//! the same place are one, and a listed text that fares like any other of its kind is left out. What is
//! written determines the effect, so different effects have different digests.

mod told_apart;
mod written;

use std::cell::OnceCell;
use std::rc::Rc;

use sha2::{Digest as _, Sha256};
use vexil_budget::Exhausted;

use super::atoms::Atom;
use super::diagram::cofactors::Cofactors;
use super::diagram::{Alike, Kind, Node, SAME};
use super::fast::FastMap;
use super::rules::{Dimension, Rules, Test};
use super::walk::Walk;
use told_apart::{ToldApart, is_open};
use written::{Listed, Ways, describe, remainders, unlisted};

/// For so many nodes at most there is room at first.
const MOST_ROOM: usize = 256;

/// A SHA-256 digest.
pub(crate) type Digest = [u8; 32];

/// Reads a diagram.
pub(crate) struct Reader<'d, 'w, 'r, const N: usize> {
    pub(crate) walk: &'d mut Walk<'w, 'r, N>,
    known: FastMap<Node, Digest>,
    chosen: FastMap<(Node, usize, usize), Node>,
    /// By node and level.
    cofactors: FastMap<(Node, usize), Cofactors>,
    /// The atoms of each level, put together where they lead to the same places everywhere.
    alike: FastMap<usize, Alike>,
    /// Of each level, what its atoms would be if they were not listed.
    unlisted: FastMap<usize, Rc<Unlisted>>,
    /// Of each level of a field, what tells its texts apart, and what is said of those that are listed.
    told: FastMap<usize, Rc<(ToldApart, Listed)>>,
    /// Of each level and pattern of places that its atoms lead to, the words for them.
    words: FastMap<(usize, Vec<u32>), Words>,
    /// The first atom that leads to each node, of the level that is looked at.
    places: FastMap<Node, u32>,
    /// The levels in the order of the names of their dimensions, and the place of each level in that order.
    ordered: Vec<usize>,
    ranks: Vec<usize>,
    /// The names, as they are written; made when they are needed.
    names: Vec<OnceCell<String>>,
    /// The least rank of the levels that a node depends on; more than all where there is none.
    firsts: FastMap<Node, usize>,
}

/// What atoms would be if they were not listed, each once; and of each atom which.
#[derive(Default)]
struct Unlisted {
    all: Vec<IfUnlisted>,
    of: Vec<usize>,
}

/// The atom that values would be in, and the levels and cells of their hashes.
type IfUnlisted = (Option<usize>, Vec<(usize, usize)>);

/// The first atom of those that lead to the same place, with a digest of the words for them.
type Words = Rc<[(Node, Digest)]>;

impl<'d, 'w, 'r, const N: usize> Reader<'d, 'w, 'r, N> {
    pub(crate) fn new(walk: &'d mut Walk<'w, 'r, N>) -> Self {
        let rules = walk.asked.rules;
        let name = |level: usize| {
            let dimension = walk.order.get(level);
            dimension.and_then(|number| rules.dimensions.get(*number))
        };
        let count = walk.order.len();
        let mut ordered: Vec<usize> = (0..count).collect();
        ordered.sort_by(|one, other| name(*one).cmp(&name(*other)));
        let mut ranks = vec![usize::MAX; count];
        for (rank, level) in ordered.iter().enumerate() {
            if let Some(known) = ranks.get_mut(*level) {
                *known = rank;
            }
        }
        let nodes = walk.diagram.len().min(MOST_ROOM);
        Self {
            names: vec![OnceCell::new(); count],
            ordered,
            ranks,
            firsts: FastMap::with_capacity_and_hasher(nodes, Default::default()),
            walk,
            known: FastMap::with_capacity_and_hasher(nodes, Default::default()),
            chosen: FastMap::default(),
            cofactors: FastMap::default(),
            alike: FastMap::default(),
            unlisted: FastMap::default(),
            told: FastMap::default(),
            words: FastMap::default(),
            places: FastMap::default(),
        }
    }

    /// The digest of the function of a node, all of it.
    pub(crate) fn whole(&mut self, root: Node) -> Result<Digest, Exhausted> {
        self.alike = self.walk.diagram.alike(root);
        self.digest(root)
    }

    /// The digest of the function of a node.
    fn digest(&mut self, node: Node) -> Result<Digest, Exhausted> {
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
                let first = self.first(node);
                let Some(level) = self.ordered.get(first).copied() else {
                    return Ok([0; 32]);
                };
                write(&mut hash, self.name(level));
                for (below, _, words) in self.ways(node, level)? {
                    hash.update(below);
                    hash.update(words);
                }
            }
        }
        let digest: Digest = hash.finalize().into();
        self.known.insert(node, digest);
        Ok(digest)
    }

    /// The name of a level, as it is written.
    fn name(&self, level: usize) -> &str {
        let name = || {
            let dimension = self.walk.order.get(level);
            let dimension = dimension.and_then(|number| self.walk.asked.rules.dimensions.get(*number));
            format!("{dimension:?}")
        };
        self.names.get(level).map_or("", |known| known.get_or_init(name))
    }

    /// The least rank of the levels that a node depends on.
    fn first(&mut self, node: Node) -> usize {
        if let Some(known) = self.firsts.get(&node) {
            return *known;
        }
        let Some(Kind::Branch(level, children)) = self.walk.diagram.kind(node) else {
            return usize::MAX;
        };
        let children = Rc::clone(children);
        let mut first = self.ranks.get(*level as usize).copied().unwrap_or(usize::MAX);
        let mut last = SAME;
        for child in &*children {
            // neighbours often lead to the same place
            if *child != std::mem::replace(&mut last, *child) {
                first = first.min(self.first(*child));
            }
        }
        self.firsts.insert(node, first);
        first
    }

    /// Where the values of a level lead, each with its digest before and a digest of the words for them behind; in the
    /// order of the former.
    fn ways(&mut self, node: Node, level: usize) -> Result<Vec<(Digest, Node, Digest)>, Exhausted> {
        let Some(alike) = self.alike.get(&level) else {
            return Ok(Vec::new());
        };
        let (firsts, of) = (Rc::clone(&alike.firsts), Rc::clone(&alike.of));
        let count = of.len();
        let budget = self.walk.asked.budget;
        let diagram = &mut self.walk.diagram;
        let cofactors = diagram.cofactors(node, level, &firsts, &mut self.cofactors, budget)?;
        let nodes: Vec<Node> = of.iter().map(|place| cofactors.at(*place as usize)).collect();
        let plain = self.plain(level, &nodes)?;
        // the words depend on which atoms lead to the same place, and not on where that is
        self.places.clear();
        let mut pattern: Vec<u32> = Vec::with_capacity(2 * count);
        for (atom, node) in (0..).zip(&nodes) {
            pattern.push(*self.places.entry(*node).or_insert(atom));
        }
        let stands_out = nodes.iter().zip(&plain);
        pattern.extend(stands_out.map(|(node, plain)| u32::from(*plain == Some(*node))));
        let key = (level, pattern);
        let words = match self.words.get(&key) {
            Some(known) => Rc::clone(known),
            None => {
                let made: Words = self.described(level, &key.1, count)?.into();
                self.words.insert(key, Rc::clone(&made));
                made
            }
        };
        let mut list = Vec::with_capacity(words.len());
        for (atom, digest) in words.iter() {
            if let Some(child) = nodes.get(*atom as usize) {
                list.push((self.digest(*child)?, *child, *digest));
            }
        }
        list.sort_unstable();
        Ok(list)
    }

    /// The words for atoms that lead to the same place, each by the first of them.
    fn described(
        &mut self,
        level: usize,
        pattern: &[u32],
        count: usize,
    ) -> Result<Vec<(Node, Digest)>, Exhausted> {
        let Some(known) = self.walk.levels.get(level).and_then(Option::as_ref) else {
            return Ok(Vec::new());
        };
        self.walk.asked.budget.spend(count as u64)?;
        let (firsts, stands_out) = pattern.split_at(count.min(pattern.len()));
        let mut ways = Ways::new();
        let mut told = None;
        let mut listed = Vec::new();
        if known.atoms.prober.is_some() {
            let plain: Vec<bool> = stands_out.iter().map(|same| *same == 1).collect();
            let own = Rc::clone(self.told.entry(level).or_insert_with(|| {
                let apart = ToldApart::new(&tests(self.walk.asked.rules, known.dimension), &known.atoms);
                Rc::new((apart, Listed::new(&known.atoms)))
            }));
            describe(&own.0, &known.atoms, firsts, &mut ways);
            listed = own.1.ways(firsts, &plain);
            for (node, _) in &listed {
                ways.entry(*node).or_default();
            }
            told = Some(own);
        } else {
            remainders(&known.atoms, firsts, &mut ways);
        }
        let mut listed = listed.chunk_by(|one, other| one.0 == other.0).peekable();
        let digest = |(first, mut texts): (Node, Vec<String>)| {
            texts.sort_unstable();
            texts.dedup();
            let own = listed.next_if(|own| own.first().is_some_and(|(node, _)| *node == first));
            let own = own.unwrap_or_default();
            let mut hash = Sha256::new();
            hash.update(((own.len() + texts.len()) as u64).to_le_bytes());
            // what is said of listed texts comes before all else in the order of texts
            for (_, number) in own {
                write(&mut hash, told.as_ref().map_or("", |told| told.1.said(*number)));
            }
            texts.iter().for_each(|text| write(&mut hash, text));
            (first, hash.finalize().into())
        };
        Ok(ways.into_iter().map(digest).collect())
    }

    fn choose(&mut self, node: Node, level: usize, atom: usize) -> Result<Node, Exhausted> {
        let budget = self.walk.asked.budget;
        self.walk
            .diagram
            .chosen(node, level, atom, &mut self.chosen, budget)
    }

    /// For each atom, where its values would lead if they were not listed; `None` where that is not known.
    fn plain(&mut self, level: usize, nodes: &[Node]) -> Result<Vec<Option<Node>>, Exhausted> {
        let unlisted = match self.unlisted.get(&level) {
            Some(known) => Rc::clone(known),
            None => {
                let made = Rc::new(self.unlisted(level));
                self.unlisted.insert(level, Rc::clone(&made));
                made
            }
        };
        let mut plain = Vec::with_capacity(unlisted.all.len());
        for (place, cells) in &unlisted.all {
            let mut node = place.and_then(|place| nodes.get(place)).copied();
            for (hash, cell) in cells {
                node = match node {
                    Some(node) => Some(self.choose(node, *hash, *cell)?),
                    None => None,
                };
            }
            plain.push(node);
        }
        let plain = |number: &usize| plain.get(*number).copied().flatten();
        Ok(unlisted.of.iter().map(plain).collect())
    }

    /// For each atom of a field, the one that its values would be in if they were not listed, and the
    /// cells of their hashes.
    fn unlisted(&self, level: usize) -> Unlisted {
        let known = self.walk.levels.get(level).and_then(Option::as_ref);
        let Some(known) = known.filter(|known| known.atoms.prober.is_some()) else {
            return Unlisted::default();
        };
        let lists: Vec<Option<bool>> = tests(self.walk.asked.rules, known.dimension)
            .iter()
            .map(unlisted)
            .collect();
        let places: FastMap<&[bool], usize> = known
            .atoms
            .list
            .iter()
            .enumerate()
            .filter(|(_, atom)| atom.pinned.is_none() && atom.parts.iter().any(|(part, _)| is_open(part)))
            .map(|(place, atom)| (atom.holds.as_slice(), place))
            .collect();
        let hashes = self.pinned_hashes(&known.atoms.list);
        let like = |atom: &Atom| {
            let holds = atom.holds.iter().zip(&lists);
            let holds: Vec<bool> = holds
                .map(|(holds, unlisted)| unlisted.unwrap_or(*holds))
                .collect();
            let cells = self.cells_of(atom.pinned.as_deref().unwrap_or_default(), &hashes);
            (places.get(holds.as_slice()).copied(), cells)
        };
        let mut unlisted = Unlisted::default();
        let mut numbers: FastMap<IfUnlisted, usize> = FastMap::default();
        for atom in &known.atoms.list {
            let number = *numbers.entry(like(atom)).or_insert_with_key(|like| {
                unlisted.all.push(like.clone());
                unlisted.all.len() - 1
            });
            unlisted.of.push(number);
        }
        unlisted
    }

    /// The levels of hashes whose tests pinned texts answer, with the places of these answers.
    fn pinned_hashes(&self, atoms: &[Atom]) -> Vec<(usize, Vec<usize>)> {
        // those of all atoms come in one order
        let first = atoms.iter().find_map(|atom| atom.pinned.as_deref());
        let places: FastMap<usize, usize> = first
            .into_iter()
            .flatten()
            .enumerate()
            .map(|(place, (literal, _))| (*literal, place))
            .collect();
        let rules = self.walk.asked.rules;
        let levels = self.walk.levels.iter().enumerate();
        let filled = levels.filter_map(|(level, known)| Some((level, known.as_ref()?.dimension)));
        let hashes = filled.filter_map(|(level, dimension)| {
            let what = rules.dimensions.get(dimension);
            let literals = rules.by_dimension.get(dimension)?.iter();
            let own = literals.map(|literal| places.get(literal).copied());
            matches!(what, Some(Dimension::Hash { .. })).then_some(())?;
            Some((level, own.collect::<Option<Vec<usize>>>()?))
        });
        hashes.collect()
    }

    /// The cells of a text's hashes, by level.
    fn cells_of(&self, pinned: &[(usize, bool)], hashes: &[(usize, Vec<usize>)]) -> Vec<(usize, usize)> {
        let cell = |(level, places): &(usize, Vec<usize>)| {
            let known = self.walk.levels.get(*level)?.as_ref()?;
            let holds: Option<Vec<bool>> = places
                .iter()
                .map(|place| pinned.get(*place).map(|(_, holds)| *holds))
                .collect();
            let holds = holds?;
            let place = known.atoms.list.iter().position(|cell| cell.holds == holds)?;
            Some((*level, place))
        };
        hashes.iter().filter_map(cell).collect()
    }
}

/// The tests of a dimension.
fn tests<'r>(rules: &Rules<'r>, dimension: usize) -> Vec<Test<'r>> {
    let literals = rules.by_dimension.get(dimension).into_iter().flatten();
    let literals = literals.filter_map(|number| rules.literals.get(*number));
    literals.map(|literal| literal.test).collect()
}

fn write(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
}
