//! The index from flag names to flags.

use std::sync::Arc;

/// A shard has at most this many slots, so that adding a name copies no more.
const LARGEST: usize = 1024;

/// An index by hash. The caller compares the names; here are only hashes and numbers.
///
/// Entries are never removed. They are spread over shards by the highest bits of their hashes; a shard that is full
/// is split in two (extendible hashing: Fagin, Nievergelt, Pippenger, Strong, 1979). A copy shares all shards with
/// its origin, and adding to it copies one.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    /// By the highest `bits` bits of a hash. A shard that needs fewer bits stands in several places.
    shards: Arc<[Shard]>,
    bits: u32,
    len: usize,
}

/// A table with linear probing. An entry is the hash's lower half and a number plus one; zero is free.
#[derive(Debug, Clone, Default)]
struct Shard {
    slots: Arc<[u64]>,
    len: usize,
    /// So many highest bits are the same in all its hashes.
    bits: u32,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            shards: [Shard::of(std::iter::empty(), 10, 0)].into(),
            bits: 0,
            len: 0,
        }
    }
}

impl Names {
    /// What `check` finds for the first number under this hash for which it finds something.
    #[inline(always)]
    pub(crate) fn find<T>(&self, hash: u64, mut check: impl FnMut(u32) -> Option<T>) -> Option<T> {
        let shard = self.shards.get(place(hash as u32, self.bits))?;
        shard.find(hash as u32, &mut check)
    }

    /// Enters one more number, sharing what can be shared.
    pub(crate) fn add(&mut self, hash: u64, number: u32) {
        let hash = hash as u32;
        self.len += 1;
        let at = place(hash, self.bits);
        let Some(full) = self.shards.get(at).filter(|shard| shard.is_full()) else {
            self.enter(hash, number);
            return;
        };
        let slots = full.slots.len();
        // where hashes are not spread, a split does not help, and the shard grows
        if slots < LARGEST || self.shards.len() > self.len / 64 {
            let larger = Shard::of(full.entries(), slots, full.bits);
            self.put(at, larger);
        } else {
            self.split(at);
        }
        self.enter(hash, number);
    }

    /// Puts an entry in its shard, which has room.
    fn enter(&mut self, hash: u32, number: u32) {
        let at = place(hash, self.bits);
        let shards = Arc::make_mut(&mut self.shards);
        let Some(mut shard) = shards.get_mut(at).map(std::mem::take) else {
            return;
        };
        let places = places(at, self.bits - shard.bits);
        // not shared with itself, so that it is copied only where another index has it
        for other in shards.get_mut(places.clone()).into_iter().flatten() {
            *other = Shard::default();
        }
        insert(Arc::make_mut(&mut shard.slots), entry(hash, number));
        shard.len += 1;
        for other in shards.get_mut(places).into_iter().flatten() {
            *other = shard.clone();
        }
    }

    /// Puts a shard in the places of another.
    fn put(&mut self, at: usize, shard: Shard) {
        let places = places(at, self.bits - shard.bits);
        for other in Arc::make_mut(&mut self.shards)
            .get_mut(places)
            .into_iter()
            .flatten()
        {
            *other = shard.clone();
        }
    }

    /// Makes two shards of one.
    fn split(&mut self, mut at: usize) {
        let Some(shard) = self.shards.get(at).cloned() else {
            return;
        };
        if shard.bits == self.bits {
            let twice = self
                .shards
                .iter()
                .flat_map(|shard| [shard.clone(), shard.clone()]);
            self.shards = twice.collect();
            self.bits += 1;
            at *= 2;
        }
        let bits = shard.bits + 1;
        let is_upper = |entry: &u64| ((entry >> 32) as u32) >> (32 - bits) & 1 == 1;
        let half = |upper: bool| {
            let entries = shard.entries().filter(move |entry| is_upper(entry) == upper);
            Shard::of(entries, shard.len / 2, bits)
        };
        let first = places(at, self.bits - shard.bits).start;
        self.put(first, half(false));
        self.put(first + (1 << (self.bits - bits)), half(true));
    }
}

/// The place of the shard of a hash.
#[inline(always)]
fn place(hash: u32, bits: u32) -> usize {
    (u64::from(hash) << bits >> 32) as usize
}

/// All places of the shard that stands at one of them.
fn places(at: usize, bits: u32) -> std::ops::Range<usize> {
    let first = at >> bits << bits;
    first..first + (1 << bits)
}

fn entry(hash: u32, number: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(number + 1)
}

impl Shard {
    /// A shard of these entries, with room for `len` of them.
    fn of(entries: impl Iterator<Item = u64>, len: usize, bits: u32) -> Self {
        let mut slots = vec![0; (len * 3 / 2 + 1).next_power_of_two()];
        let mut shard = Self {
            bits,
            ..Self::default()
        };
        for entry in entries {
            insert(&mut slots, entry);
            shard.len += 1;
        }
        shard.slots = slots.into();
        if shard.is_full() && shard.slots.len() < LARGEST {
            return Self::of(shard.entries(), shard.slots.len(), bits);
        }
        shard
    }

    fn is_full(&self) -> bool {
        (self.len + 1) * 4 > self.slots.len() * 3
    }

    fn entries(&self) -> impl Iterator<Item = u64> {
        self.slots.iter().copied().filter(|slot| *slot != 0)
    }

    #[inline(always)]
    fn find<T>(&self, hash: u32, check: &mut impl FnMut(u32) -> Option<T>) -> Option<T> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut place = hash as usize & mask;
        loop {
            let slot = *self.slots.get(place).filter(|slot| **slot != 0)?;
            if (slot >> 32) as u32 == hash
                && let Some(found) = check(slot as u32 - 1)
            {
                return Some(found);
            }
            place = (place + 1) & mask;
        }
    }
}

/// Puts an entry in its place: from its hash on, each slot is left to whoever is farther from home, so
/// that nobody is looked for long.
fn insert(slots: &mut [u64], mut entry: u64) {
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

#[cfg(test)]
mod tests;
