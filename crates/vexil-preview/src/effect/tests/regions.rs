//! The regions of one flag, in the form in which many contexts can be looked for.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::atoms::Asked;
use super::super::boxes::{AtomBox, MOST_PATHS, boxes};
use super::super::diagram::{Kind, Node, SAME};
use super::super::fast::FastMap;
use super::super::rules::Dimension;
use super::super::walk::Walk;
use super::contexts::Drawn;

/// A change, by the numbers of outcomes.
pub(super) type Change = (u32, u32);

/// The regions of one flag.
pub(super) struct Regions<'w, 'r> {
    pub(super) walk: Walk<'w, 'r, 64>,
    root: Node,
    pub(super) boxes: Vec<(Change, AtomBox)>,
    /// Whether these are all boxes.
    pub(super) all: bool,
    /// Of each level that some box names: which boxes do, and which admit each of its atoms.
    named: BTreeMap<usize, Named>,
    /// The atoms of texts that were looked for, by level; of no value, by the empty text.
    known: RefCell<FastMap<usize, FastMap<String, Option<usize>>>>,
}

/// Boxes by number, as bits.
type Bits = Vec<u64>;

struct Named {
    by: Bits,
    /// Of each atom, the boxes that admit it; those that do not name the level admit all.
    admits: Vec<Bits>,
}

impl<'w, 'r> Regions<'w, 'r> {
    pub(super) fn new(asked: &'w Asked<'w, 'r>) -> Self {
        let mut walk = Walk::new(asked);
        let root = walk.run().unwrap();
        let (mut list, mut all) = (Vec::new(), true);
        for change in walk.diagram.changes(root) {
            let part = walk.diagram.only(root, change, asked.budget).unwrap();
            let size = |level: usize| {
                let level = walk.levels[level].as_ref();
                level.map_or(usize::MAX, |level| level.atoms.list.len())
            };
            let (places, more) = boxes(&walk.diagram, part, &size, MOST_PATHS, asked.budget).unwrap();
            list.extend(places.into_iter().map(|place| (change, place)));
            all &= !more;
        }
        let named = named(&walk, &list);
        Self {
            walk,
            root,
            boxes: list,
            all,
            named,
            known: RefCell::default(),
        }
    }

    /// What a context undergoes, and the boxes that it is in; the dimension of a value that is in no atom.
    pub(super) fn find(&self, drawn: &Drawn) -> Result<(Option<Change>, Vec<usize>), usize> {
        let mut found: Vec<Option<Option<usize>>> = vec![None; self.walk.levels.len()];
        let mut atom = |level: usize| *found[level].get_or_insert_with(|| self.atom(level, drawn));
        let mut node = self.root;
        let change = loop {
            match self.walk.diagram.kind(node) {
                _ if node == SAME => break None,
                Some(Kind::Branch(level, children)) => {
                    let level = *level as usize;
                    node = children[atom(level).ok_or(self.walk.order[level])?];
                }
                Some(Kind::Leaf(before, after)) => break Some((*before, *after)),
                None => break None,
            }
        };
        let mut inside: Bits = vec![u64::MAX; self.boxes.len().div_ceil(64)];
        // of the fields whose value is a text that is listed, which has one bucket, which its own atom knows
        let mut pinned: Vec<(u32, usize)> = Vec::new();
        for (level, named) in &self.named {
            let found = atom(*level);
            let field = self.walk.hashed(*level);
            let own = pinned.iter().find(|(number, _)| Some(*number) == field);
            let own = own.map(|(_, level)| &self.named[level].by);
            for (place, word) in inside.iter_mut().enumerate() {
                let admits = found.map_or(!named.by[place], |atom| named.admits[atom][place]);
                *word &= admits | own.map_or(0, |own| own[place]);
            }
            let is_pinned = |atom: usize| {
                let made = self.walk.levels[*level].as_ref().unwrap();
                made.atoms.list[atom].pinned.is_some()
            };
            if found.is_some_and(is_pinned) {
                pinned.extend(self.walk.hashes[*level].map(|number| (number, *level)));
            }
        }
        let inside = (0..self.boxes.len()).filter(|number| inside[number / 64] >> (number % 64) & 1 == 1);
        Ok((change, inside.collect()))
    }

    /// The atom of a level that a context is in; looked for once for each value.
    fn atom(&self, level: usize, drawn: &Drawn) -> Option<usize> {
        let made = self.walk.levels[level].as_ref().unwrap();
        let ambient = drawn.ambient();
        let asked = || {
            let found = self
                .walk
                .atom(made.dimension, &made.atoms, &drawn.context, &ambient);
            found.unwrap()
        };
        let field = match &self.walk.asked.rules.dimensions[made.dimension] {
            Dimension::Custom { name, parameters } => {
                let mut says = drawn.says.iter();
                let yes = says.any(|one| one.says && one.name == *name && one.parameters == *parameters);
                return Some(usize::from(yes));
            }
            Dimension::Field(field) | Dimension::Hash { field, .. } => field,
            Dimension::Host | Dimension::Chance { .. } => return asked(),
        };
        let value = drawn.context.get(field);
        if field == "currentTime" && value.is_none() {
            return asked();
        }
        let value = value.unwrap_or_default();
        let mut known = self.known.borrow_mut();
        let known = known.entry(level).or_default();
        if let Some(atom) = known.get(value) {
            return *atom;
        }
        let atom = asked();
        known.insert(value.to_owned(), atom);
        atom
    }
}

fn named(walk: &Walk<'_, '_, 64>, boxes: &[(Change, AtomBox)]) -> BTreeMap<usize, Named> {
    let nothing: Bits = vec![0; boxes.len().div_ceil(64)];
    let set = |bits: &mut Bits, number: usize| bits[number / 64] |= 1 << (number % 64);
    let mut named: BTreeMap<usize, Named> = BTreeMap::new();
    for (number, (_, place)) in boxes.iter().enumerate() {
        for (level, chosen) in place {
            let count = walk.levels[*level]
                .as_ref()
                .map_or(0, |level| level.atoms.list.len());
            let known = named.entry(*level).or_insert_with(|| Named {
                by: nothing.clone(),
                admits: vec![nothing.clone(); count],
            });
            set(&mut known.by, number);
            for atom in &**chosen {
                set(&mut known.admits[*atom as usize], number);
            }
        }
    }
    for known in named.values_mut() {
        for admits in &mut known.admits {
            let words = admits.iter_mut().zip(&known.by);
            words.for_each(|(word, by)| *word |= !by);
        }
    }
    named
}
