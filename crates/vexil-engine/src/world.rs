//! Everything an engine knows, in a form whose parts the next engine can share.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::values::same::same;

use crate::fields::Fields;
use crate::names::Names;
use crate::piece::{PIECE, Piece, PieceBuilder, Spot};
use crate::program::{Answer, Flag};
use crate::segments::Segments;
use crate::values::hash::hash;

/// The table of flags and all that they refer to.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pieces: Vec<Arc<Piece>>,
    names: Names,
    slots: u32,
    live: usize,
    pub(crate) fields: Arc<Fields>,
    pub(crate) segments: Arc<Segments>,
}

impl World {
    /// A table of pieces, all full but the last, whose flags are entered in `names`.
    pub(crate) fn new(
        pieces: Vec<Piece>,
        names: Names,
        fields: Arc<Fields>,
        segments: Arc<Segments>,
    ) -> Self {
        let flags = || pieces.iter().flat_map(|piece| piece.flags.iter());
        Self {
            names,
            slots: flags().count() as u32,
            live: flags().filter(|flag| flag.answer != Answer::Gone).count(),
            pieces: pieces.into_iter().map(Arc::new).collect(),
            fields,
            segments,
        }
    }

    /// The flag of this number, gone or not.
    #[inline]
    pub(crate) fn spot(&self, number: u32) -> Option<Spot<'_>> {
        let number = number as usize;
        self.pieces
            .get(number / PIECE)
            .and_then(|piece| piece.spot(number % PIECE))
    }

    /// The number of the flag of this name, gone or not.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let called = |number| self.called(number, name).map(|_| number);
        self.names.find(hash(name.as_bytes()), called)
    }

    /// The flag of this name, gone or not.
    #[inline]
    pub(crate) fn find_spot(&self, name: &str) -> Option<Spot<'_>> {
        self.names
            .find(hash(name.as_bytes()), |number| self.called(number, name))
    }

    /// The flag of this number, if it has this name.
    #[inline]
    fn called(&self, number: u32, name: &str) -> Option<Spot<'_>> {
        self.spot(number)
            .filter(|spot| same(spot.flag.name.as_str().as_bytes(), name.as_bytes()))
    }

    /// All flags, gone or not, in the order of their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = Spot<'_>> {
        self.pieces.iter().flat_map(|piece| piece.spots())
    }

    /// How many flags there are.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// How many numbers were given.
    pub(crate) fn slots(&self) -> u32 {
        self.slots
    }

    /// Replaces flags by number; each comes in a piece of its own.
    pub(crate) fn replace(&mut self, changed: &BTreeMap<u32, Piece>) {
        let mut changed = changed.iter().peekable();
        while let Some((first, _)) = changed.peek() {
            let index = **first as usize / PIECE;
            let Some(piece) = self.pieces.get_mut(index) else {
                return;
            };
            let mut next = PieceBuilder::default();
            for (spot, number) in piece.spots().zip((index * PIECE) as u32..) {
                let change = changed.next_if(|(at, _)| **at == number);
                let after = change.and_then(|(_, own)| own.spot(0)).unwrap_or(spot);
                self.live -= usize::from(spot.flag.answer != Answer::Gone);
                self.live += usize::from(after.flag.answer != Answer::Gone);
                next.copy(after);
            }
            *piece = Arc::new(next.finish());
        }
    }

    /// Appends flags that are not there yet, not even by name.
    pub(crate) fn extend(&mut self, flags: Vec<Flag>) {
        if flags.is_empty() {
            return;
        }
        let mut tail = PieceBuilder::default();
        if let Some(last) = self.pieces.pop_if(|last| last.flags.len() < PIECE) {
            last.spots().for_each(|spot| tail.copy(spot));
        }
        for flag in flags {
            self.names.add(hash(flag.name.as_str().as_bytes()), self.slots);
            self.live += usize::from(flag.answer != Answer::Gone);
            self.slots += 1;
            tail.flags.push(flag);
            if tail.is_full() {
                self.pieces.push(Arc::new(std::mem::take(&mut tail).finish()));
            }
        }
        if !tail.flags.is_empty() {
            self.pieces.push(Arc::new(tail.finish()));
        }
    }
}
