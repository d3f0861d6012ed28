//! Everything an engine knows, in a form whose parts the next engine can share.

use std::sync::Arc;

use crate::fields::Fields;
use crate::names::Names;
use crate::program::{Answer, Flag};
use crate::segments::Segments;
use crate::values::hash::hash;

/// Flags are kept in pieces of this many, so that changing one copies one piece.
pub(crate) const PIECE: usize = 128;

/// The table of flags and all that they refer to.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pieces: Vec<Arc<[Flag]>>,
    names: Names,
    slots: u32,
    live: usize,
    pub(crate) fields: Arc<Fields>,
    pub(crate) segments: Arc<Segments>,
}

impl World {
    /// A table of flags with distinct names.
    pub(crate) fn new(flags: Vec<Flag>, fields: Arc<Fields>, segments: Arc<Segments>) -> Self {
        let mut names = Names::with_room(flags.len());
        names.fill(
            flags
                .iter()
                .enumerate()
                .map(|(number, flag)| (hash(flag.name.as_str().as_bytes()), number as u32)),
        );
        Self {
            names,
            slots: flags.len() as u32,
            live: flags.iter().filter(|flag| flag.answer != Answer::Gone).count(),
            pieces: into_pieces(flags),
            fields,
            segments,
        }
    }

    /// The flag of this number, gone or not.
    #[inline]
    pub(crate) fn slot(&self, number: u32) -> Option<&Flag> {
        let number = number as usize;
        self.pieces
            .get(number / PIECE)
            .and_then(|piece| piece.get(number % PIECE))
    }

    /// The number of the flag of this name, gone or not.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.names.find(hash(name.as_bytes()), |number| {
            self.slot(number).is_some_and(|flag| flag.name.as_str() == name)
        })
    }

    /// The flag of this name, gone or not.
    #[inline]
    pub(crate) fn find_flag(&self, name: &str) -> Option<&Flag> {
        let mut found = None;
        self.names.find(hash(name.as_bytes()), |number| {
            found = self.slot(number).filter(|flag| flag.name.as_str() == name);
            found.is_some()
        });
        found
    }

    /// All flags, gone or not, in the order of their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Flag> {
        self.pieces.iter().flat_map(|piece| piece.iter())
    }

    /// How many flags there are.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// How many numbers were given.
    pub(crate) fn slots(&self) -> u32 {
        self.slots
    }

    /// Replaces the flag of this number.
    pub(crate) fn put(&mut self, number: u32, flag: Flag) {
        let number = number as usize;
        let piece = self.pieces.get_mut(number / PIECE).map(Arc::make_mut);
        if let Some(slot) = piece.and_then(|piece| piece.get_mut(number % PIECE)) {
            self.live -= usize::from(slot.answer != Answer::Gone);
            self.live += usize::from(flag.answer != Answer::Gone);
            *slot = flag;
        }
    }

    /// Appends flags with names that are not there yet.
    pub(crate) fn extend(&mut self, flags: Vec<Flag>) {
        if flags.is_empty() {
            return;
        }
        for (flag, number) in flags.iter().zip(self.slots..) {
            self.names.add(hash(flag.name.as_str().as_bytes()), number);
            self.live += usize::from(flag.answer != Answer::Gone);
        }
        self.slots += flags.len() as u32;
        let mut tail = match self.pieces.pop() {
            Some(last) if last.len() < PIECE => last.to_vec(),
            Some(full) => {
                self.pieces.push(full);
                Vec::new()
            }
            None => Vec::new(),
        };
        tail.extend(flags);
        self.pieces.extend(into_pieces(tail));
    }
}

fn into_pieces(flags: Vec<Flag>) -> Vec<Arc<[Flag]>> {
    let mut pieces = Vec::with_capacity(flags.len().div_ceil(PIECE));
    let mut flags = flags.into_iter();
    loop {
        let piece: Arc<[Flag]> = flags.by_ref().take(PIECE).collect();
        if piece.is_empty() {
            return pieces;
        }
        pieces.push(piece);
    }
}
