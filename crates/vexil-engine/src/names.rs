//! The index from flag names to flags.

use std::sync::Arc;

/// Names added since the last rebuild are kept apart up to this many, so that adding one is cheap.
const APART: usize = 1024;

/// An index by hash. The caller compares the names; here are only hashes and numbers.
///
/// Entries are never removed. A copy shares the large table with its origin.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    base: Arc<Table>,
    added: Arc<Table>,
}

/// A table with linear probing. An entry is the hash's lower half and a number plus one; zero is free.
#[derive(Debug, Clone)]
struct Table {
    slots: Box<[u64]>,
    len: usize,
}

impl Names {
    /// An index of nothing, with room for `len` names.
    pub(crate) fn with_room(len: usize) -> Self {
        Self {
            base: Arc::new(Table::with_room(len)),
            added: Arc::new(Table::with_room(0)),
        }
    }

    /// The number under this hash for which `is_it` says yes.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        self.base.find(hash, &mut is_it).or_else(|| {
            if self.added.len == 0 {
                None
            } else {
                self.added.find(hash, &mut is_it)
            }
        })
    }

    /// Enters numbers that are not there yet: while an index is built.
    pub(crate) fn fill(&mut self, entries: impl IntoIterator<Item = (u64, u32)>) {
        let base = Arc::make_mut(&mut self.base);
        for (hash, number) in entries {
            base.insert(entry(hash, number));
        }
    }

    /// Enters one more number, sharing what can be shared.
    pub(crate) fn add(&mut self, hash: u64, number: u32) {
        let added = Arc::make_mut(&mut self.added);
        added.insert(entry(hash, number));
        if added.len > APART {
            let mut base = Table::with_room(self.base.len + added.len);
            for table in [&*self.base, &*added] {
                table
                    .slots
                    .iter()
                    .filter(|slot| **slot != 0)
                    .for_each(|slot| base.insert(*slot));
            }
            self.base = Arc::new(base);
            self.added = Arc::new(Table::with_room(0));
        }
    }
}

fn entry(hash: u64, number: u32) -> u64 {
    hash << 32 | u64::from(number + 1)
}

impl Table {
    fn with_room(len: usize) -> Self {
        Self {
            slots: vec![0; (len * 3 / 2 + 1).next_power_of_two()].into_boxed_slice(),
            len: 0,
        }
    }

    #[inline]
    fn find(&self, hash: u64, is_it: &mut impl FnMut(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut place = hash as u32 as usize & mask;
        loop {
            let slot = *self.slots.get(place).filter(|slot| **slot != 0)?;
            let number = slot as u32 - 1;
            if slot >> 32 == u64::from(hash as u32) && is_it(number) {
                return Some(number);
            }
            place = (place + 1) & mask;
        }
    }

    fn insert(&mut self, entry: u64) {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            let mut larger = Self::with_room(self.slots.len());
            self.slots
                .iter()
                .filter(|slot| **slot != 0)
                .for_each(|slot| larger.place(*slot));
            *self = larger;
        }
        self.place(entry);
    }

    fn place(&mut self, entry: u64) {
        let mask = self.slots.len() - 1;
        let mut place = (entry >> 32) as usize & mask;
        while let Some(slot) = self.slots.get_mut(place) {
            if *slot == 0 {
                *slot = entry;
                self.len += 1;
                return;
            }
            place = (place + 1) & mask;
        }
    }
}
