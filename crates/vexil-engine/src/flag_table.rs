//! Everything an engine knows, in a form whose parts the next engine can share.

use std::collections::BTreeMap;
use std::sync::Arc;

use vexil_domain::FlagName;

use crate::chunk::{CHUNK, Chunk, ChunkBuilder, FlagRef, Label};
use crate::fields::Fields;
use crate::lineage::Lineage;
use crate::names::Names;
use crate::program::{Answer, Flag};
use crate::segments::Segments;
use crate::values::hash::hash;
use crate::values::same::same;
use crate::{CustomStrategies, FlagId};

/// Chunks are kept in groups of this many, so that the next engine shares groups, and copies the list of one.
const GROUP: usize = 32;

/// The table of flags and all that they refer to.
#[derive(Debug, Clone)]
pub(crate) struct FlagTable {
    /// All chunks are full but the last one.
    groups: Vec<Arc<[Chunk]>>,
    names: Names,
    lineage: Lineage,
    slots: u32,
    live: usize,
    pub(crate) fields: Arc<Fields>,
    pub(crate) segments: Arc<Segments>,
    pub(crate) custom: CustomStrategies,
}

impl FlagTable {
    /// A table of chunks, all full but the last, whose flags are entered in `names`.
    pub(crate) fn new(
        chunks: &[Chunk],
        names: Names,
        fields: Arc<Fields>,
        segments: Arc<Segments>,
        custom: CustomStrategies,
    ) -> Self {
        let flags = || chunks.iter().flat_map(|chunk| chunk.flags.iter());
        Self {
            names,
            lineage: Lineage::new(),
            slots: flags().count() as u32,
            live: flags().filter(|flag| flag.answer != Answer::Gone).count(),
            groups: chunks.chunks(GROUP).map(Arc::from).collect(),
            fields,
            segments,
            custom,
        }
    }

    /// The handle of the flag of this number.
    pub(crate) fn id(&self, number: u32) -> FlagId {
        FlagId {
            lineage: self.lineage,
            number,
        }
    }

    /// The flag of a handle, gone or not; `None` for the handle of another engine.
    #[inline]
    pub(crate) fn flag_by(&self, flag: FlagId) -> Option<FlagRef<'_>> {
        if flag.lineage != self.lineage {
            return None;
        }
        self.flag_ref(flag.number)
    }

    /// The name of the flag of a handle, also of one that is gone; `None` for the handle of another engine.
    pub(crate) fn name(&self, flag: FlagId) -> Option<&FlagName> {
        Some(&self.flag_by(flag)?.flag.name)
    }

    /// Whether the flag of a handle is not gone.
    pub(crate) fn is_there(&self, flag: FlagId) -> bool {
        let found = self.flag_by(flag);
        found.is_some_and(|found| found.flag.answer != Answer::Gone)
    }

    /// The flag of this number, gone or not.
    #[inline]
    pub(crate) fn flag_ref(&self, number: u32) -> Option<FlagRef<'_>> {
        self.chunk(number)?.flag_ref(number as usize % CHUNK)
    }

    #[inline]
    fn chunk(&self, number: u32) -> Option<&Chunk> {
        let place = number as usize / CHUNK;
        self.groups.get(place / GROUP)?.get(place % GROUP)
    }

    /// What is said of the flag of this number.
    pub(crate) fn label(&self, number: u32) -> Option<&Label> {
        self.chunk(number)?.label(number as usize % CHUNK)
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
        let chunks = self.groups.iter().flat_map(|group| group.iter());
        chunks.flat_map(Chunk::flags)
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
            let Some(group) = self.groups.get_mut(index / GROUP) else {
                return;
            };
            let Some(chunk) = Arc::make_mut(group).get_mut(index % GROUP) else {
                return;
            };
            let mut next = ChunkBuilder::default();
            for (place, before) in chunk.flags.iter().enumerate() {
                let number = (index * CHUNK + place) as u32;
                self.live -= usize::from(before.answer != Answer::Gone);
                match changed.next_if(|(at, _)| **at == number) {
                    Some((_, own)) => next.copy(own, 0),
                    None => next.copy(chunk, place),
                }
                let after = next.flags.last();
                self.live += usize::from(after.is_some_and(|flag| flag.answer != Answer::Gone));
            }
            *chunk = next.finish();
        }
    }

    /// Appends flags that are not there yet, not even by name.
    pub(crate) fn extend(&mut self, flags: Vec<Flag>) {
        if flags.is_empty() {
            return;
        }
        let is_full = |chunk: &Chunk| chunk.flags.len() >= CHUNK;
        let has_room = |group: &[Chunk]| group.len() < GROUP || !group.last().is_some_and(is_full);
        let last = self.groups.pop_if(|group| has_room(group));
        let mut group = last.map(|group| group.to_vec()).unwrap_or_default();
        let mut tail = ChunkBuilder::default();
        if let Some(chunk) = group.pop_if(|chunk| !is_full(chunk)) {
            (0..chunk.flags.len()).for_each(|place| tail.copy(&chunk, place));
        }
        for flag in flags {
            self.names.add(hash(flag.name.as_str().as_bytes()), self.slots);
            self.live += usize::from(flag.answer != Answer::Gone);
            self.slots += 1;
            tail.push(flag, Label::default());
            if tail.is_full() {
                group.push(tail.finish());
            }
            if group.len() == GROUP {
                self.groups.push(std::mem::take(&mut group).into());
            }
        }
        if !tail.flags.is_empty() {
            group.push(tail.finish());
        }
        if !group.is_empty() {
            self.groups.push(group.into());
        }
    }
}
