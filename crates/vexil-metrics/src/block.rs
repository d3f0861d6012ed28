//! A stretch of time with its minutes, hours or days, as one value of bytes: a row for each of them would take
//! many times the room.
//!
//! A version byte, the names of the variants, then for each place that was reported: how many places after the
//! last one it is, how often on and off, and the variants by their place among the names.

use std::collections::BTreeMap;

use crate::slot::{Listed, Slot, SlotCounts};
use crate::varint::{Reader, put_number, put_text};
use crate::{Count, Malformed};

/// The version of the format, the first byte.
const VERSION: u8 = 1;

/// Counts by their place in a block, see [`crate::Width::block`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    names: Vec<String>,
    slots: BTreeMap<u8, Slot>,
}

impl Block {
    /// The block that was encoded.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut block = Self::default();
        read(bytes, |place, encoded| {
            let slot = block.slots.entry(place).or_default();
            slot.add_listed(&mut block.names, encoded);
        })?;
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
            put_number(number(slot.placed().len()), &mut out);
            for &(name, times) in slot.placed() {
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
        slot.add(&mut self.names, (yes, no), variants);
    }

    /// What was counted, by place; places that nobody reported are not there.
    pub fn slots(&self) -> impl DoubleEndedIterator<Item = (u8, SlotCounts<'_>)> {
        let slots = self.slots.iter();
        slots.map(|(&place, slot)| (place, slot.counts(&self.names)))
    }

    /// Adds what another block counts at each place.
    pub fn merge(&mut self, other: &Self) {
        for (place, counts) in other.slots() {
            let slot = self.slots.entry(place).or_default();
            slot.add_listed(&mut self.names, counts.into());
        }
    }

    /// Adds everything that another block counts to one place.
    pub fn add_all(&mut self, place: u8, other: &Self) {
        for (_, counts) in other.slots() {
            let slot = self.slots.entry(place).or_default();
            slot.add_listed(&mut self.names, counts.into());
        }
    }
}

/// Reads an encoded block place by place, the first one first.
pub(crate) fn read<'b>(
    bytes: &'b [u8],
    mut each: impl FnMut(u8, Listed<'_, &'b str>),
) -> Result<(), Malformed> {
    let mut reader = Reader::new(bytes);
    if reader.byte()? != VERSION {
        return Err(Malformed);
    }
    let mut names = Vec::new();
    for _ in 0..reader.number()? {
        names.push(reader.text()?);
    }
    let mut variants = Vec::new();
    let mut next = 0_u64;
    while !reader.is_empty() {
        let place = next.checked_add(reader.number()?).ok_or(Malformed)?;
        next = place.checked_add(1).ok_or(Malformed)?;
        let yes_and_no = (reader.count()?, reader.count()?);
        variants.clear();
        for _ in 0..reader.number()? {
            let name = usize::try_from(reader.number()?).map_err(|_too_large| Malformed)?;
            if name >= names.len() {
                return Err(Malformed);
            }
            variants.push((name, reader.count()?));
        }
        let place = u8::try_from(place).map_err(|_too_large| Malformed)?;
        let listed = Listed {
            yes_and_no,
            names: &names,
            variants: &variants,
        };
        each(place, listed);
    }
    Ok(())
}
