//! What was counted in one stretch of time, with the names of variants kept once for many of them.

use crate::{Count, Counts};

/// Counts whose variants are known by the place of their name in a list, in the order of the names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Slot {
    pub(crate) yes: Count,
    pub(crate) no: Count,
    variants: Vec<(usize, Count)>,
}

impl Slot {
    /// Adds counts; names that are new go to the end of the list.
    pub(crate) fn add<'v>(
        &mut self,
        names: &mut Vec<String>,
        (yes, no): (Count, Count),
        variants: impl Iterator<Item = (&'v str, Count)>,
    ) {
        self.yes = self.yes.plus(yes);
        self.no = self.no.plus(no);
        for (nth, (name, times)) in variants.enumerate() {
            let known = names.iter().position(|known| known == name);
            self.add_named(names, known, name, (nth, times));
        }
    }

    /// Adds what another list of names counts. Lists of one series know the same names at the same places, most of
    /// the time.
    pub(crate) fn add_listed<S: AsRef<str>>(&mut self, names: &mut Vec<String>, other: Listed<'_, S>) {
        let (yes, no) = other.yes_and_no;
        self.yes = self.yes.plus(yes);
        self.no = self.no.plus(no);
        for (nth, &(place, times)) in other.variants.iter().enumerate() {
            let Some(name) = other.names.get(place).map(AsRef::as_ref) else {
                continue;
            };
            let same = names.get(place).is_some_and(|own| own == name).then_some(place);
            let known = same.or_else(|| names.iter().position(|known| known == name));
            self.add_named(names, known, name, (nth, times));
        }
    }

    /// Adds the nth count of others, of the variant with a name.
    fn add_named(
        &mut self,
        names: &mut Vec<String>,
        known: Option<usize>,
        name: &str,
        (nth, times): (usize, Count),
    ) {
        let place = known.unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        let found = match self.variants.get(nth) {
            // what is added up counts the same variants, most of the time
            Some((known, _)) if *known == place => Ok(nth),
            _ => self.find(names, place),
        };
        let found = found.unwrap_or_else(|new| {
            self.variants.insert(new, (place, Count::default()));
            new
        });
        if let Some((_, sum)) = self.variants.get_mut(found) {
            *sum = sum.plus(times);
        }
    }

    /// Where the variant is whose name is at a place of the list, or where it belongs.
    fn find(&self, names: &[String], place: usize) -> Result<usize, usize> {
        let name = names.get(place);
        match self.variants.last() {
            Some((last, _)) if names.get(*last) >= name => self
                .variants
                .binary_search_by_key(&name, |(known, _)| names.get(*known)),
            _ => Err(self.variants.len()),
        }
    }

    /// The variants as they are stored: by the place of their name.
    pub(crate) fn placed(&self) -> &[(usize, Count)] {
        &self.variants
    }

    /// What is counted here.
    pub(crate) fn counts<'a>(&'a self, names: &'a [String]) -> SlotCounts<'a> {
        SlotCounts {
            yes: self.yes,
            no: self.no,
            names,
            variants: &self.variants,
        }
    }
}

/// Counts whose variants are known by the place of their name in a list, in any order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed<'a, S> {
    pub(crate) yes_and_no: (Count, Count),
    pub(crate) names: &'a [S],
    pub(crate) variants: &'a [(usize, Count)],
}

/// What was counted in one minute, hour or day, read where it is kept.
#[derive(Debug, Clone, Copy)]
pub struct SlotCounts<'a> {
    /// Evaluations to true.
    pub yes: Count,
    /// Evaluations to false.
    pub no: Count,
    names: &'a [String],
    variants: &'a [(usize, Count)],
}

impl<'a> SlotCounts<'a> {
    /// How often each variant was given, by name.
    #[must_use]
    pub fn variants(self) -> impl ExactSizeIterator<Item = (&'a str, Count)> {
        let named = move |&(place, times): &(usize, Count)| {
            let name = self.names.get(place).map_or("", String::as_str);
            (name, times)
        };
        self.variants.iter().map(named)
    }
}

impl<'a> From<SlotCounts<'a>> for Listed<'a, String> {
    fn from(slot: SlotCounts<'a>) -> Self {
        Self {
            yes_and_no: (slot.yes, slot.no),
            names: slot.names,
            variants: slot.variants,
        }
    }
}

impl PartialEq for SlotCounts<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.yes, self.no) == (other.yes, other.no) && self.variants().eq(other.variants())
    }
}

impl Eq for SlotCounts<'_> {}

impl Counts {
    /// Adds what was counted in a stretch of time.
    pub fn add_slot(&mut self, slot: SlotCounts<'_>) {
        self.yes = self.yes.plus(slot.yes);
        self.no = self.no.plus(slot.no);
        slot.variants()
            .for_each(|(name, times)| self.add_variant(name, times));
    }
}

impl From<SlotCounts<'_>> for Counts {
    fn from(slot: SlotCounts<'_>) -> Self {
        let mut counts = Self::default();
        counts.add_slot(slot);
        counts
    }
}
