//! What one application counted of one flag in one environment, stretch after stretch.

use time::{OffsetDateTime, UtcDateTime};

use crate::block;
use crate::slot::{Listed, Slot, SlotCounts};
use crate::{Count, Malformed};

/// Counts by where their minute, hour or day starts, the earliest first.
#[derive(Debug, Clone, Default)]
pub struct Line {
    names: Vec<String>,
    slots: Vec<(UtcDateTime, Slot)>,
}

impl Line {
    /// Adds what was counted in a stretch that starts at `start`.
    pub fn add(&mut self, start: OffsetDateTime, counts: SlotCounts<'_>) {
        self.add_listed(start, counts.into());
    }

    /// Adds what an encoded [`crate::Block`] counts: each place of it to the stretch that `start` says, if it says one.
    ///
    /// # Errors
    ///
    /// When it cannot be read; some of it may have been added then.
    pub fn add_block(
        &mut self,
        bytes: &[u8],
        start: impl Fn(u8) -> Option<OffsetDateTime>,
    ) -> Result<(), Malformed> {
        block::read(bytes, |place, counts| {
            if let Some(start) = start(place) {
                self.add_listed(start, counts);
            }
        })
    }

    fn add_listed<S: AsRef<str>>(&mut self, start: OffsetDateTime, counts: Listed<'_, S>) {
        let place = self.place(start);
        if let Some((_, slot)) = self.slots.get_mut(place) {
            slot.add_listed(&mut self.names, counts);
        }
    }

    pub(crate) fn add_counted<'v>(
        &mut self,
        start: OffsetDateTime,
        yes_and_no: (Count, Count),
        variants: impl Iterator<Item = (&'v str, Count)>,
    ) {
        let place = self.place(start);
        if let Some((_, slot)) = self.slots.get_mut(place) {
            slot.add(&mut self.names, yes_and_no, variants);
        }
    }

    /// Where the stretch is that starts at `start`, made where there was none.
    fn place(&mut self, start: OffsetDateTime) -> usize {
        let start = start.to_utc();
        // what is read comes in order, most of it
        let found = match self.slots.last() {
            Some((last, _)) if *last >= start => self.slots.binary_search_by_key(&start, |(start, _)| *start),
            _ => Err(self.slots.len()),
        };
        found.unwrap_or_else(|new| {
            self.slots.insert(new, (start, Slot::default()));
            new
        })
    }

    /// What was counted in the stretch that starts at `start`.
    #[must_use]
    pub fn get(&self, start: OffsetDateTime) -> Option<SlotCounts<'_>> {
        let start = start.to_utc();
        let place = self.slots.binary_search_by_key(&start, |(start, _)| *start);
        let (_, slot) = self.slots.get(place.ok()?)?;
        Some(slot.counts(&self.names))
    }

    /// All that was counted, by start, in UTC.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (OffsetDateTime, SlotCounts<'_>)> {
        let slots = self.slots.iter();
        slots.map(|(start, slot)| (OffsetDateTime::from(*start), slot.counts(&self.names)))
    }

    /// How many stretches something was counted in.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Keeps the stretches for which `keep` is true.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(OffsetDateTime, SlotCounts<'_>) -> bool) {
        let names = &self.names;
        self.slots
            .retain(|(start, slot)| keep((*start).into(), slot.counts(names)));
    }
}
