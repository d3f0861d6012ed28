//! Sets of texts: one hash and, nearly always, one comparison, however many there are.

use std::sync::Arc;

use crate::values::hash::{hash, mix};
use crate::values::same::same;

/// A set of texts. Few of them stand one after the other, and all are looked at, since which of them is found cannot be
/// foreseen; many stand where their hashes say: open addressing with linear probing. A copy shares the memory of its origin.
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

    #[inline(always)]
    fn hash(self) -> usize {
        if is_long(self.slot) {
            return self.slot[0] as u32 as usize;
        }
        mix(self.slot) as u32 as usize
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
        let mut slots = vec![FREE; (count * 2 + 1).next_power_of_two()];
        for value in values {
            insert(&mut slots, &mut long, Hashed::new(value));
        }
        Self {
            slots: slots.into(),
            long: long.into(),
        }
    }

    /// Whether a text is in the set.
    #[inline(always)]
    pub(crate) fn contains(&self, text: Hashed<'_>) -> bool {
        if self.slots.len() > FEW {
            return self.is_of_many(&self.slots, text);
        }
        if is_long(text.slot) {
            return self.is_long_of_few(text.slot[0], text.text);
        }
        let mut is_found = false;
        for slot in self.slots.first_chunk::<FEW>().into_iter().flatten() {
            is_found |= (slot[0] ^ text.slot[0]) | (slot[1] ^ text.slot[1]) == 0;
        }
        is_found & (text.slot[1] != 0)
    }

    #[inline(never)]
    fn is_long_of_few(&self, half: u64, text: &str) -> bool {
        (0..self.slots.len()).any(|place| self.is_same(place, half, text))
    }

    #[inline(always)]
    fn is_of_many(&self, slots: &[Slot], text: Hashed<'_>) -> bool {
        let mask = slots.len() - 1;
        let mut place = text.hash() & mask;
        while let Some(slot) = slots.get(place) {
            let difference = (slot[0] ^ text.slot[0]) | (slot[1] ^ text.slot[1]);
            // zero where it was found and where the slot is free: which of the two cannot be foreseen, so there is
            // one branch for both
            if difference.min(slot[1]) == 0 {
                return (difference == 0) & (text.slot[1] != 0);
            }
            if is_long(*slot) && self.is_same(place, text.slot[0], text.text) {
                return true;
            }
            place = (place + 1) & mask;
        }
        false
    }

    /// Whether the slot at a place is that of a text with this half.
    #[inline(never)]
    fn is_same(&self, place: usize, half: u64, text: &str) -> bool {
        let slot = self.slots.get(place).copied().unwrap_or(FREE);
        is_same(slot, half, text, self.long.as_bytes())
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

/// Puts a text in its slot, unless it is there already.
fn insert(slots: &mut [Slot], long: &mut String, text: Hashed<'_>) {
    let mask = slots.len() - 1;
    let mut place = text.hash() & mask;
    while let Some(slot) = slots.get_mut(place) {
        if *slot == FREE {
            *slot = entered(&text, long);
            return;
        }
        if is_of(*slot, &text, long) {
            return;
        }
        place = (place + 1) & mask;
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
