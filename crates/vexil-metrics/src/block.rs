//! A stretch of time with its minutes, hours or days, as one value of bytes: a row for each of them would take
//! many times the room.
//!
//! A version byte, the names of the variants, then for each place that was reported: how many places after the
//! last one it is, how often on and off, and the variants by their place among the names.

use std::collections::BTreeMap;

use crate::varint::{Reader, put_number, put_text};
use crate::{Count, Counts, Malformed};

/// The version of the format, the first byte.
const VERSION: u8 = 1;

/// Counts by their place in a block, see [`crate::Width::block`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    names: Vec<String>,
    slots: BTreeMap<u8, Slot>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Slot {
    yes: Count,
    no: Count,
    /// By the place of the name.
    variants: Vec<(usize, Count)>,
}

impl Block {
    /// The block that was encoded.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        if reader.byte()? != VERSION {
            return Err(Malformed);
        }
        let mut block = Self::default();
        for _ in 0..reader.number()? {
            block.names.push(reader.text()?.to_owned());
        }
        let mut next = 0_u64;
        while !reader.is_empty() {
            let place = next.checked_add(reader.number()?).ok_or(Malformed)?;
            next = place + 1;
            let mut slot = Slot {
                yes: reader.count()?,
                no: reader.count()?,
                variants: Vec::new(),
            };
            for _ in 0..reader.number()? {
                let name = usize::try_from(reader.number()?).map_err(|_too_large| Malformed)?;
                if name >= block.names.len() {
                    return Err(Malformed);
                }
                slot.variants.push((name, reader.count()?));
            }
            let place = u8::try_from(place).map_err(|_too_large| Malformed)?;
            block.slots.insert(place, slot);
        }
        Ok(block)
    }

    /// The block as it is stored.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        let mut out = vec![VERSION];
        put_number(number(self.names.len()), &mut out);
        for name in &self.names {
            put_text(name, &mut out);
        }
        let mut next = 0;
        for (&place, slot) in &self.slots {
            put_number(u64::from(place - next), &mut out);
            next = place.saturating_add(1);
            put_number(slot.yes.get(), &mut out);
            put_number(slot.no.get(), &mut out);
            put_number(number(slot.variants.len()), &mut out);
            for &(name, times) in &slot.variants {
                put_number(number(name), &mut out);
                put_number(times.get(), &mut out);
            }
        }
        out
    }

    /// Adds what was counted at a place.
    pub fn add<'v>(
        &mut self,
        place: u8,
        yes: Count,
        no: Count,
        variants: impl Iterator<Item = (&'v str, Count)>,
    ) {
        let slot = self.slots.entry(place).or_default();
        slot.yes = slot.yes.plus(yes);
        slot.no = slot.no.plus(no);
        for (name, times) in variants {
            let known = self.names.iter().position(|known| known == name);
            let name = known.unwrap_or_else(|| {
                self.names.push(name.to_owned());
                self.names.len() - 1
            });
            match slot.variants.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = known.plus(times),
                None => slot.variants.push((name, times)),
            }
        }
    }

    /// What was counted, by place; places that nobody reported are not there.
    pub fn slots(&self) -> impl DoubleEndedIterator<Item = (u8, Counts)> {
        self.slots.iter().map(|(&place, slot)| {
            let mut counts = Counts {
                yes: slot.yes,
                no: slot.no,
                ..Counts::default()
            };
            for (name, times) in slot.named(&self.names) {
                counts.add_variant(name, times);
            }
            (place, counts)
        })
    }

    /// Adds what another block counts at each place.
    pub fn merge(&mut self, other: &Self) {
        for (&place, slot) in &other.slots {
            self.add(place, slot.yes, slot.no, slot.named(&other.names));
        }
    }

    /// Adds everything that another block counts to one place.
    pub fn add_all(&mut self, place: u8, other: &Self) {
        for slot in other.slots.values() {
            self.add(place, slot.yes, slot.no, slot.named(&other.names));
        }
    }
}

impl Slot {
    fn named<'n>(&self, names: &'n [String]) -> impl Iterator<Item = (&'n str, Count)> {
        let named = |&(name, times): &(usize, Count)| Some((names.get(name)?.as_str(), times));
        self.variants.iter().filter_map(named)
    }
}
