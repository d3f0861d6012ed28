//! A cache that holds a bounded number of bytes, whatever it is asked for: for everything that is kept by keys
//! that clients choose.

use std::collections::HashMap;
use std::hash::Hash;

/// Values by key. Where they take more than so many bytes together, those go that were not used for longest.
pub(crate) struct Bounded<K, V> {
    most: usize,
    bytes: usize,
    turn: u64,
    kept: HashMap<K, Kept<V>>,
}

struct Kept<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Eq + Hash, V: Clone> Bounded<K, V> {
    /// Nothing yet, and never much more than `most` bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            bytes: 0,
            turn: 0,
            kept: HashMap::new(),
        }
    }

    /// The value of a key.
    pub(crate) fn get(&mut self, key: &K) -> Option<V> {
        let kept = self.kept.get_mut(key)?;
        self.turn += 1;
        kept.used = self.turn;
        Some(kept.value.clone())
    }

    /// Keeps a value that takes so many bytes with its key, in place of an earlier one.
    pub(crate) fn put(&mut self, key: K, value: V, bytes: usize) {
        self.turn += 1;
        let used = self.turn;
        if let Some(before) = self.kept.insert(key, Kept { value, bytes, used }) {
            self.bytes -= before.bytes;
        }
        self.bytes += bytes;
        self.make_room();
    }

    /// A value takes so many bytes more than it did.
    pub(crate) fn grow(&mut self, key: &K, bytes: usize) {
        let Some(kept) = self.kept.get_mut(key) else {
            return;
        };
        self.turn += 1;
        kept.used = self.turn;
        kept.bytes += bytes;
        self.bytes += bytes;
        self.make_room();
    }

    /// Each value may have become smaller, by as many bytes as `let_go` says of it.
    pub(crate) fn shrink(&mut self, let_go: impl Fn(&V) -> usize) {
        for kept in self.kept.values_mut() {
            let gone = let_go(&kept.value).min(kept.bytes);
            kept.bytes -= gone;
            self.bytes -= gone;
        }
    }

    /// Lets go of what was not used for longest, until a quarter of the room is free: to look for it takes as
    /// long as there is much. What was used last stays, however large.
    fn make_room(&mut self) {
        if self.bytes <= self.most {
            return;
        }
        let mut by_use: Vec<(u64, usize)> = self.kept.values().map(|kept| (kept.used, kept.bytes)).collect();
        by_use.sort_unstable_by_key(|(used, _)| *used);
        let wanted = self.most - self.most / 4;
        let mut left = self.bytes;
        let mut since = 0;
        for (used, bytes) in by_use {
            if left <= wanted || used == self.turn {
                break;
            }
            left -= bytes;
            since = used;
        }
        self.kept.retain(|_, kept| kept.used > since);
        self.bytes = left;
    }

    /// How many bytes are taken.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let mut cache = Bounded::new(100);
        for key in 0..4 {
            cache.put(key, key, 25);
        }
        assert_eq!(cache.get(&0), Some(0));
        cache.put(4, 4, 25);
        assert_eq!(
            (cache.get(&0), cache.get(&1), cache.get(&2)),
            (Some(0), None, None)
        );
        assert_eq!(cache.bytes(), 75);
    }

    #[test]
    fn what_is_larger_than_all_the_room_is_kept_alone() {
        let mut cache = Bounded::new(100);
        cache.put("small", 1, 10);
        cache.put("large", 2, 0);
        cache.grow(&"large", 1000);
        assert_eq!((cache.get(&"small"), cache.get(&"large")), (None, Some(2)));
        cache.put("small", 3, 10);
        assert_eq!((cache.get(&"small"), cache.get(&"large")), (Some(3), None));
        assert_eq!(cache.bytes(), 10);
    }

    proptest! {
        #[test]
        fn whatever_is_asked_for_the_bytes_are_counted_and_bounded(
            steps in proptest::collection::vec((0_u8..4, 0_u8..12, 0_usize..40), 0..200),
        ) {
            let mut cache = Bounded::new(100);
            for (step, key, bytes) in steps {
                match step {
                    0 => drop(cache.get(&key)),
                    1 => cache.put(key, key, bytes),
                    2 => cache.shrink(|value| if *value == key { bytes } else { 0 }),
                    _ => cache.grow(&key, bytes),
                }
                let counted: usize = cache.kept.values().map(|kept| kept.bytes).sum();
                prop_assert_eq!(cache.bytes(), counted);
                prop_assert!(counted <= 100 || cache.kept.len() == 1);
            }
        }
    }
}
