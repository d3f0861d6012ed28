//! Sets of texts: one hash and, nearly always, one comparison, however many there are.

use std::ops::Range;
use std::sync::Arc;

use crate::values::same::same;

use crate::values::hash::hash;

/// A set of texts. A copy shares the memory of its origin.
#[derive(Debug, Clone)]
pub(crate) struct TextSet {
    /// All texts, one after the other.
    texts: Arc<str>,
    slots: Arc<[Slot]>,
}

/// A place in the table; free when `length` is zero.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    tag: u32,
    length: u32,
    start: usize,
}

/// A text with its hash.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hashed<'a> {
    pub(crate) text: &'a str,
    pub(crate) tag: u32,
}

impl<'a> Hashed<'a> {
    #[inline]
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            tag: hash(text.as_bytes()) as u32,
        }
    }
}

impl TextSet {
    /// The values, each without the blanks around it, and without empty and repeated ones.
    pub(crate) fn new<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Self {
        let values = values.map(str::trim).filter(|value| !value.is_empty());
        let (count, bytes) = values
            .clone()
            .fold((0, 0), |(count, bytes), value| (count + 1, bytes + value.len()));
        let mut texts = String::with_capacity(bytes);
        let mut slots = vec![Slot::default(); (count * 3 / 2_usize + 1).next_power_of_two()];
        for value in values {
            insert(&mut slots, &mut texts, value);
        }
        Self {
            texts: texts.into(),
            slots: slots.into(),
        }
    }

    /// The value of the set that equals `text`.
    #[inline]
    pub(crate) fn find(&self, text: Hashed<'_>) -> Option<&str> {
        self.slot(text.text, text.tag).map(|slot| slot.text(&self.texts))
    }

    /// Nearly always the first slot with the tag is the right one.
    fn slot(&self, text: &str, tag: u32) -> Option<&Slot> {
        let first = self.places(tag).next()?;
        if self.holds(first, text) {
            return Some(first);
        }
        self.later_slot(text, tag)
    }

    #[cold]
    fn later_slot(&self, text: &str, tag: u32) -> Option<&Slot> {
        self.places(tag).skip(1).find(|slot| self.holds(slot, text))
    }

    #[inline(always)]
    fn holds(&self, slot: &Slot, text: &str) -> bool {
        let value = self.texts.as_bytes().get(slot.range());
        value.is_some_and(|value| same(value, text.as_bytes()))
    }

    #[inline(always)]
    fn places(&self, tag: u32) -> Places<'_> {
        Places {
            slots: &self.slots,
            next: tag as usize,
            tag,
        }
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.slots.iter().filter(|slot| slot.length != 0).count()
    }
}

/// The slots with a tag, by linear probing.
struct Places<'s> {
    slots: &'s [Slot],
    next: usize,
    tag: u32,
}

impl<'s> Iterator for Places<'s> {
    type Item = &'s Slot;

    #[inline(always)]
    fn next(&mut self) -> Option<&'s Slot> {
        loop {
            let place = self.next & (self.slots.len() - 1);
            let slot = self.slots.get(place).filter(|slot| slot.length != 0)?;
            self.next = place + 1;
            if slot.tag == self.tag {
                return Some(slot);
            }
        }
    }
}

impl Slot {
    #[inline]
    fn text(self, texts: &str) -> &str {
        texts.get(self.range()).unwrap_or_default()
    }

    #[inline]
    fn range(self) -> Range<usize> {
        self.start..self.start + self.length as usize
    }
}

/// Puts a value in its slot. A value of 4 GiB or more, which no context holds, is left out.
fn insert(slots: &mut [Slot], texts: &mut String, value: &str) {
    let Ok(length) = u32::try_from(value.len()) else {
        return;
    };
    let tag = Hashed::new(value).tag;
    let mask = slots.len() - 1;
    let mut place = tag as usize & mask;
    while let Some(slot) = slots.get_mut(place) {
        if slot.length == 0 {
            let start = texts.len();
            texts.push_str(value);
            *slot = Slot { tag, length, start };
            return;
        }
        if slot.tag == tag && slot.text(texts) == value {
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
            values in proptest::collection::vec("[ab ]{0,4}", 0..40),
            asked in "[ab ]{0,4}",
        ) {
            let set = TextSet::new(values.iter().map(String::as_str));
            let reference: BTreeSet<&str> =
                values.iter().map(|value| value.trim()).filter(|value| !value.is_empty()).collect();
            prop_assert_eq!(set.len(), reference.len());
            prop_assert_eq!(set.find(Hashed::new(&asked)), reference.get(asked.as_str()).copied());
            for value in reference {
                prop_assert_eq!(set.find(Hashed::new(value)), Some(value));
            }
        }
    }
}
