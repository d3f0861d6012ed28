//! Context properties: a small map that is built for each request and read often.

mod few;

use std::collections::BTreeMap;
use std::fmt;

use few::{Few, word_of};

/// Context properties by name.
///
/// The first 32 of usual size share one text, whose index lies in the value itself, so that building a context
/// takes one allocation, and finding one of the first eight a line of the index and one of the text. Those that do not fit are
/// kept in a tree.
#[derive(Clone, Default)]
pub struct Properties {
    few: Few,
    #[expect(
        clippy::box_collection,
        reason = "few contexts have any, and a pointer is a third as large as a map"
    )]
    more: Option<Box<BTreeMap<Box<str>, Box<str>>>>,
}

impl Properties {
    /// The value of a property.
    #[inline]
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.get_by(name, Self::tag(name))
    }

    /// What [`Properties::get_by`] finds a name by.
    #[must_use]
    pub fn tag(name: &str) -> u64 {
        word_of(name)
    }

    /// The value of a property whose tag is known.
    #[inline]
    #[must_use]
    pub fn get_by(&self, name: &str, tag: u64) -> Option<&str> {
        let value = self.few.get(name, tag);
        if value.is_some() || self.more.is_none() {
            return value;
        }
        self.get_of_more(name)
    }

    #[cold]
    fn get_of_more(&self, name: &str) -> Option<&str> {
        self.more.as_deref()?.get(name).map(|value| &**value)
    }

    /// Sets a property, replacing an earlier value.
    pub fn insert(&mut self, name: &str, value: impl AsRef<str>) {
        let value = value.as_ref();
        let is_of_more = self.more.as_ref().is_some_and(|more| more.contains_key(name));
        if !is_of_more && self.few.insert(name, value) {
            return;
        }
        if self.few.get(name, word_of(name)).is_some() {
            // its new value does not fit where the old one is
            let few = std::mem::take(&mut self.few);
            let few = few.iter().map(|(name, value)| (name.into(), value.into()));
            self.more.get_or_insert_default().extend(few);
        }
        let more = self.more.get_or_insert_default();
        more.insert(name.into(), value.into());
    }

    /// All properties, in the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let more = self.more.iter().flat_map(|more| more.iter());
        let more = more.map(|(name, value)| (&**name, &**value));
        let mut pairs: Vec<(&str, &str)> = self.few.iter().chain(more).collect();
        pairs.sort_unstable();
        pairs.into_iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.few.len() + self.more.as_ref().map_or(0, |more| more.len())
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.few.len() == 0 && self.more.is_none()
    }
}

impl PartialEq for Properties {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Properties {}

impl fmt::Debug for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for Properties {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(items: I) -> Self {
        let mut all = Self::default();
        all.extend(items);
        all
    }
}

impl<N: AsRef<str>, V: AsRef<str>> Extend<(N, V)> for Properties {
    fn extend<I: IntoIterator<Item = (N, V)>>(&mut self, items: I) {
        let items = items.into_iter();
        self.few.reserve(items.size_hint().0);
        for (name, value) in items {
            self.insert(name.as_ref(), value);
        }
    }
}

#[cfg(test)]
mod tests;
