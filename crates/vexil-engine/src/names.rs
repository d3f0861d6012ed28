//! The index from flag names to flags.

use std::sync::Arc;

/// Names added since the last rebuild are kept apart up to this many, so that adding one is cheap.
const APART: usize = 1024;

/// An index by hash. The caller compares the names; here are only hashes and numbers.
///
/// Entries are never removed. A copy shares the large table with its origin.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    base: Table,
    added: Table,
}

/// A table with linear probing. An entry is the hash's lower half and a number plus one; zero is free.
#[derive(Debug, Clone)]
struct Table {
    slots: Arc<[u64]>,
    len: usize,
}

impl Names {
    /// An index of nothing, with room for `len` names.
    pub(crate) fn with_room(len: usize) -> Self {
        Self {
            base: Table::with_room(len),
            added: Table::with_room(0),
        }
    }

    /// What `check` finds for the first number under this hash for which it finds something.
    #[inline(always)]
    pub(crate) fn find<T>(&self, hash: u64, mut check: impl FnMut(u32) -> Option<T>) -> Option<T> {
        let found = self.base.find(hash, &mut check);
        if found.is_none() && self.added.len != 0 {
            return self.added.find(hash, &mut check);
        }
        found
    }

    /// Enters numbers that are not there yet: while an index is built.
    pub(crate) fn fill(&mut self, entries: impl IntoIterator<Item = (u64, u32)>) {
        for (hash, number) in entries {
            self.base.insert(entry(hash, number));
        }
    }

    /// Enters one more number, sharing what can be shared.
    pub(crate) fn add(&mut self, hash: u64, number: u32) {
        self.added.insert(entry(hash, number));
        if self.added.len > APART {
            let both = self.base.entries().chain(self.added.entries());
            let base = Table::of(both, self.base.len + self.added.len);
            *self = Self {
                base,
                added: Table::with_room(0),
            };
        }
    }
}

fn entry(hash: u64, number: u32) -> u64 {
    hash << 32 | u64::from(number + 1)
}

impl Table {
    fn with_room(len: usize) -> Self {
        Self::of(std::iter::empty(), len)
    }

    /// A table of these entries, with room for `len` of them.
    fn of(entries: impl Iterator<Item = u64>, len: usize) -> Self {
        let mut slots = vec![0; (len * 3 / 2 + 1).next_power_of_two()];
        let mut entered = 0;
        for entry in entries {
            place(&mut slots, entry);
            entered += 1;
        }
        Self {
            slots: slots.into(),
            len: entered,
        }
    }

    fn entries(&self) -> impl Iterator<Item = u64> {
        self.slots.iter().copied().filter(|slot| *slot != 0)
    }

    #[inline(always)]
    fn find<T>(&self, hash: u64, check: &mut impl FnMut(u32) -> Option<T>) -> Option<T> {
        let mask = self.slots.len() - 1;
        let mut place = hash as u32 as usize & mask;
        loop {
            let slot = *self.slots.get(place).filter(|slot| **slot != 0)?;
            if slot >> 32 == u64::from(hash as u32)
                && let Some(found) = check(slot as u32 - 1)
            {
                return Some(found);
            }
            place = (place + 1) & mask;
        }
    }

    fn insert(&mut self, entry: u64) {
        if (self.len + 1) * 4 > self.slots.len() * 3 {
            *self = Self::of(self.entries(), self.slots.len());
        }
        place(Arc::make_mut(&mut self.slots), entry);
        self.len += 1;
    }
}

/// Puts an entry in its place: from its hash on, each slot is left to whoever is farther from home, so
/// that nobody is looked for long.
fn place(slots: &mut [u64], mut entry: u64) {
    let mask = slots.len() - 1;
    let home = |entry: u64| (entry >> 32) as usize & mask;
    let mut place = home(entry);
    while let Some(slot) = slots.get_mut(place) {
        if *slot == 0 {
            *slot = entry;
            return;
        }
        let distance = |entry: u64| place.wrapping_sub(home(entry)) & mask;
        if distance(*slot) < distance(entry) {
            std::mem::swap(slot, &mut entry);
        }
        place = (place + 1) & mask;
    }
}
