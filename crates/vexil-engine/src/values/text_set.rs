//! Sets of texts: one hash and, nearly always, one comparison, however many there are.

use std::sync::Arc;

use crate::values::hash::{hash, mix};
use crate::values::same::same;

/// A set of texts. Few of them stand one after the other, and all are looked at; each of many stands in one of the two places
/// that its hash names, and both are looked at (cuckoo hashing: Pagh, Rodler, 2001). So nothing branches on what is found,
/// which cannot be foreseen. A copy shares the memory of its origin.
///
/// A text of up to fifteen bytes lies in its slot, so finding it takes one line of memory.
#[derive(Debug, Clone)]
pub(crate) struct TextSet {
    slots: Arc<[Slot]>,
    /// The longer texts, one after the other.
    long: Arc<str>,
}

/// A short text, padded with zeros, its length in the last byte; or the tag, length and place of a long one,
/// and [`LONG`] in the last byte; free when all is zero. Lower half first.
type Slot = [u64; 2];

const FREE: Slot = [0, 0];
/// The last byte of the slot of a long text.
const LONG: u64 = 0xff << 56;
/// The bits of the upper half of a long text's slot that are its place, counted from one.
const PLACE: u64 = (1 << 56) - 1;
const LONGEST_SHORT: usize = 15;
/// So many texts are few.
const FEW: usize = 4;
/// So many slots are moved at most to make room for one.
const MOVES: usize = 64;

/// A text with what its slot in a set would be, as far as that can be told without the set.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hashed<'a> {
    text: &'a str,
    /// The slot of a short text; a long one's without its place.
    slot: Slot,
}

impl<'a> Hashed<'a> {
    /// The empty text, which is in no set.
    pub(crate) const NOTHING: Self = Self { text: "", slot: FREE };

    #[inline]
    pub(crate) fn text(self) -> &'a str {
        self.text
    }

    #[inline]
    pub(crate) fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let length = bytes.len() as u64;
        let slot = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            (Some(first), Some(last)) if bytes.len() <= LONGEST_SHORT => {
                // of the last eight, those behind the first eight
                let behind = u64::from_le_bytes(*last) >> 8 >> (8 * (15 - length));
                [u64::from_le_bytes(*first), behind | length << 56]
            }
            (Some(_), _) => [half_of_long(bytes), LONG],
            _ => [up_to_seven(bytes), length << 56],
        };
        Self { text, slot }
    }

    /// Of a text whose slot is known.
    #[inline(always)]
    pub(crate) fn again(text: &'a str, slot: [u64; 2]) -> Self {
        Self { text, slot }
    }

    #[inline(always)]
    pub(crate) fn slot(self) -> [u64; 2] {
        self.slot
    }
}

/// The tag and length of a long text.
#[inline(never)]
fn half_of_long(text: &[u8]) -> u64 {
    // a length that takes more than 32 bits is no entry's
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    u64::from(hash(text) as u32) | u64::from(length) << 32
}

#[inline]
fn up_to_seven(text: &[u8]) -> u64 {
    match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let last = u64::from(u32::from_le_bytes(*last)) << (8 * (text.len() - 4));
            u64::from(u32::from_le_bytes(*first)) | last
        }
        _ => text.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)),
    }
}

impl TextSet {
    /// The texts, without empty and repeated ones. One of 4 GiB or more, which no context holds, is left out.
    pub(crate) fn new<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Self {
        let values = values.filter(|value| !value.is_empty() && u32::try_from(value.len()).is_ok());
        let count = values.clone().count();
        let mut long = String::new();
        if count <= FEW {
            return Self {
                slots: few(values, &mut long).into(),
                long: long.into(),
            };
        }
        let size = (count * 2 + 1).next_power_of_two();
        let mut table = Table::of(size);
        for value in values {
            table.enter(Hashed::new(value), &mut long);
        }
        if !table.homeless.is_empty() {
            table = table.in_size(size * 2);
        }
        Self {
            slots: table.slots.into_iter().chain(table.homeless).collect(),
            long: long.into(),
        }
    }

    /// Whether a text is in the set.
    #[inline(always)]
    pub(crate) fn contains(&self, text: Hashed<'_>) -> bool {
        if is_long(text.slot) {
            return self.contains_long(text);
        }
        let is_found = match self.slots.first_chunk::<FEW>() {
            Some(few) if self.slots.len() == FEW => {
                few.iter().fold(false, |is, slot| is | is_equal(*slot, text.slot))
            }
            _ => is_in_table(&self.slots, text.slot, |slot| is_equal(slot, text.slot)),
        };
        is_found & (text.slot[1] != 0)
    }

    #[inline(never)]
    fn contains_long(&self, text: Hashed<'_>) -> bool {
        let is_same = |slot| is_same(slot, text.slot[0], text.text, self.long.as_bytes());
        if self.slots.len() == FEW {
            return self.slots.iter().copied().any(is_same);
        }
        is_in_table(&self.slots, text.slot, is_same)
    }

    /// How many texts there are.
    pub(crate) fn len(&self) -> usize {
        self.slots.iter().filter(|slot| **slot != FREE).count()
    }
}

/// The slots of the texts, one after the other, and free ones up to [`FEW`].
fn few<'a>(values: impl Iterator<Item = &'a str>, long: &mut String) -> Vec<Slot> {
    let mut slots = Vec::new();
    for text in values.map(Hashed::new) {
        if !slots.iter().any(|slot| is_of(*slot, &text, long)) {
            slots.push(entered(&text, long));
        }
    }
    slots.resize(FEW, FREE);
    slots
}

/// The slot of a text that is new to a set.
fn entered(text: &Hashed<'_>, long: &mut String) -> Slot {
    let mut slot = text.slot;
    if is_long(slot) {
        slot[1] |= long.len() as u64 + 1;
        long.push_str(text.text);
    }
    slot
}

/// Whether a slot is a text's.
fn is_of(slot: Slot, text: &Hashed<'_>, long: &str) -> bool {
    if is_long(text.slot) {
        is_same(slot, text.slot[0], text.text, long.as_bytes())
    } else {
        slot == text.slot
    }
}

#[inline]
fn is_long(slot: Slot) -> bool {
    slot[1] >= LONG
}

/// Whether a long slot is that of a text with this half. Nearly always its tag and length say no.
#[inline]
fn is_same(slot: Slot, half: u64, text: &str, long: &[u8]) -> bool {
    slot[0] == half && is_long(slot) && is_same_text(slot, text, long)
}

#[inline(never)]
fn is_same_text(slot: Slot, text: &str, long: &[u8]) -> bool {
    let start = (slot[1] & PLACE) as usize - 1;
    let entry = start.checked_add(text.len()).and_then(|end| long.get(start..end));
    entry.is_some_and(|entry| same(entry, text.as_bytes()))
}

#[inline(always)]
fn is_equal(one: Slot, other: Slot) -> bool {
    (one[0] ^ other[0]) | (one[1] ^ other[1]) == 0
}

/// The two places of a slot in a table whose size is the largest power of two up to `len`, which is not zero.
#[inline(always)]
fn places(slot: Slot, len: usize) -> [usize; 2] {
    let mask = usize::MAX >> 1 >> len.leading_zeros();
    // a long text's place is none of its hash
    let hash = mix([slot[0], if is_long(slot) { LONG } else { slot[1] }]);
    [hash as usize & mask, (hash >> 32) as usize & mask]
}

/// Whether a slot is in a table: in one of its two places, or among those behind, which have none.
#[inline(always)]
fn is_in_table(slots: &[Slot], slot: Slot, is_it: impl Fn(Slot) -> bool) -> bool {
    let is_at = |place: usize| slots.get(place).is_some_and(|slot| is_it(*slot));
    let [first, second] = places(slot, slots.len());
    let is_found = is_at(first) | is_at(second);
    if slots.len().is_power_of_two() {
        return is_found;
    }
    is_found || slots.iter().copied().any(is_it)
}

/// A table that is being filled.
struct Table {
    slots: Vec<Slot>,
    /// Those that found both their places taken, and nobody who could move on.
    homeless: Vec<Slot>,
}

impl Table {
    /// An empty one. Its size is a power of two.
    fn of(size: usize) -> Self {
        Self {
            slots: vec![FREE; size],
            homeless: Vec::new(),
        }
    }

    /// Enters a text, unless it is there already.
    fn enter(&mut self, text: Hashed<'_>, long: &mut String) {
        let is_it = |slot: Slot| is_of(slot, &text, long);
        if !is_in_table(&self.slots, text.slot, is_it) && !self.homeless.iter().copied().any(is_it) {
            let slot = entered(&text, long);
            self.place(slot);
        }
    }

    /// Puts a slot in one of its places. Whoever is there goes to the other one of its own, and so on.
    fn place(&mut self, mut slot: Slot) {
        let [mut at, _] = places(slot, self.slots.len());
        for _ in 0..MOVES {
            if let Some(there) = self.slots.get_mut(at) {
                std::mem::swap(there, &mut slot);
            }
            if slot == FREE {
                return;
            }
            let [first, second] = places(slot, self.slots.len());
            at = if at == first { second } else { first };
        }
        self.homeless.push(slot);
    }

    /// The same in another size.
    fn in_size(self, size: usize) -> Self {
        let mut other = Self::of(size);
        let all = self.slots.into_iter().chain(self.homeless);
        all.filter(|slot| *slot != FREE)
            .for_each(|slot| other.place(slot));
        other
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::{Hashed, TextSet};

    proptest! {
        #[test]
        fn holds_what_was_put_in_and_nothing_else(
            values in proptest::collection::vec("[ab]{0,4}|[ab]{14,17}|[é]{6,9}|\\PC{0,20}", 0..40),
            asked in "[ab]{0,4}|[ab]{14,17}",
        ) {
            let set = TextSet::new(values.iter().map(String::as_str));
            let reference: BTreeSet<&str> =
                values.iter().map(String::as_str).filter(|value| !value.is_empty()).collect();
            prop_assert_eq!(set.len(), reference.len());
            prop_assert_eq!(set.contains(Hashed::new(&asked)), reference.contains(asked.as_str()));
            for value in reference {
                prop_assert!(set.contains(Hashed::new(value)));
                let longer = format!("{value}\0");
                prop_assert_eq!(set.contains(Hashed::new(&longer)), values.contains(&longer));
            }
        }
    }
}
