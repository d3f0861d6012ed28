//! Everything an engine knows, in a form whose parts the next engine can share.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::values::same::same;

use crate::chunk::{CHUNK, Chunk, ChunkBuilder, FlagRef};
use crate::fields::Fields;
use crate::names::Names;
use crate::program::{Answer, Flag};
use crate::segments::Segments;
use crate::values::hash::hash;

/// The table of flags and all that they refer to.
#[derive(Debug, Clone)]
pub(crate) struct FlagTable {
    chunks: Vec<Arc<Chunk>>,
    names: Names,
    slots: u32,
    live: usize,
    pub(crate) fields: Arc<Fields>,
    pub(crate) segments: Arc<Segments>,
}

impl FlagTable {
    /// A table of chunks, all full but the last, whose flags are entered in `names`.
    pub(crate) fn new(
        chunks: Vec<Chunk>,
        names: Names,
        fields: Arc<Fields>,
        segments: Arc<Segments>,
    ) -> Self {
        let flags = || chunks.iter().flat_map(|chunk| chunk.flags.iter());
        Self {
            names,
            slots: flags().count() as u32,
            live: flags().filter(|flag| flag.answer != Answer::Gone).count(),
            chunks: chunks.into_iter().map(Arc::new).collect(),
            fields,
            segments,
        }
    }

    /// The flag of this number, gone or not.
    #[inline]
    pub(crate) fn flag_ref(&self, number: u32) -> Option<FlagRef<'_>> {
        let number = number as usize;
        self.chunks
            .get(number / CHUNK)
            .and_then(|chunk| chunk.flag_ref(number % CHUNK))
    }

    /// The number of the flag of this name, gone or not.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let called = |number| self.called(number, name).map(|_| number);
        self.names.find(hash(name.as_bytes()), called)
    }

    /// The flag of this name, gone or not.
    #[inline]
    pub(crate) fn find_ref(&self, name: &str) -> Option<FlagRef<'_>> {
        self.names
            .find(hash(name.as_bytes()), |number| self.called(number, name))
    }

    /// The flag of this number, if it has this name.
    #[inline]
    fn called(&self, number: u32, name: &str) -> Option<FlagRef<'_>> {
        self.flag_ref(number)
            .filter(|flag_ref| same(flag_ref.flag.name.as_str().as_bytes(), name.as_bytes()))
    }

    /// All flags, gone or not, in the order of their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = FlagRef<'_>> {
        self.chunks.iter().flat_map(|chunk| chunk.flags())
    }

    /// How many flags there are.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// How many numbers were given.
    pub(crate) fn slots(&self) -> u32 {
        self.slots
    }

    /// Replaces flags by number; each comes in a chunk of its own.
    pub(crate) fn replace(&mut self, changed: &BTreeMap<u32, Chunk>) {
        let mut changed = changed.iter().peekable();
        while let Some((first, _)) = changed.peek() {
            let index = **first as usize / CHUNK;
            let Some(chunk) = self.chunks.get_mut(index) else {
                return;
            };
            let mut next = ChunkBuilder::default();
            for (flag_ref, number) in chunk.flags().zip((index * CHUNK) as u32..) {
                let change = changed.next_if(|(at, _)| **at == number);
                let after = change.and_then(|(_, own)| own.flag_ref(0)).unwrap_or(flag_ref);
                self.live -= usize::from(flag_ref.flag.answer != Answer::Gone);
                self.live += usize::from(after.flag.answer != Answer::Gone);
                next.copy(after);
            }
            *chunk = Arc::new(next.finish());
        }
    }

    /// Appends flags that are not there yet, not even by name.
    pub(crate) fn extend(&mut self, flags: Vec<Flag>) {
        if flags.is_empty() {
            return;
        }
        let mut tail = ChunkBuilder::default();
        if let Some(last) = self.chunks.pop_if(|last| last.flags.len() < CHUNK) {
            last.flags().for_each(|flag_ref| tail.copy(flag_ref));
        }
        for flag in flags {
            self.names.add(hash(flag.name.as_str().as_bytes()), self.slots);
            self.live += usize::from(flag.answer != Answer::Gone);
            self.slots += 1;
            tail.flags.push(flag);
            if tail.is_full() {
                self.chunks.push(Arc::new(std::mem::take(&mut tail).finish()));
            }
        }
        if !tail.flags.is_empty() {
            self.chunks.push(Arc::new(tail.finish()));
        }
    }
}
