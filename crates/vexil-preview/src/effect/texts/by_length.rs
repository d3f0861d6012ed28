//! Texts that are found in others by their lengths.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Texts with the lengths that they have.
pub(super) struct ByLength<'t> {
    texts: &'t BTreeSet<String>,
    lengths: BTreeSet<usize>,
}

impl<'t> ByLength<'t> {
    pub(super) fn of(texts: &'t BTreeSet<String>) -> Self {
        Self {
            texts,
            lengths: texts.iter().map(String::len).collect(),
        }
    }

    /// Those that a text has at places that each length may begin at; one may be there more than once. Where there are more
    /// places than texts, each text is looked for by itself.
    pub(super) fn found(&self, text: &str, places: impl Fn(usize) -> RangeInclusive<usize>) -> Vec<&'t str> {
        let lengths = self.lengths.range(..=text.len());
        let parts = lengths.flat_map(|length| places(*length).map(move |place| (place, *length)));
        let part = |(place, length): (usize, usize)| text.get(place..place + length);
        if parts.clone().nth(self.texts.len()).is_none() {
            let known = parts.filter_map(part).filter_map(|part| self.texts.get(part));
            return known.map(String::as_str).collect();
        }
        let is_there = |other: &&String| {
            let length = other.len();
            let mut fitting = (length <= text.len())
                .then(|| places(length))
                .into_iter()
                .flatten();
            fitting.any(|place| part((place, length)) == Some(other.as_str()))
        };
        self.texts.iter().filter(is_there).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn texts_are_found_as_one_by_one(texts in btree_set("[abé]{1,5}", 0..40), text in "[abé]{0,9}") {
            let by_length = ByLength::of(&texts);
            let set = |found: Vec<&str>| found.into_iter().map(str::to_owned).collect::<BTreeSet<String>>();
            let those = |is: &dyn Fn(&str) -> bool| texts.iter().filter(|other| is(other)).cloned().collect::<BTreeSet<String>>();
            let inside = by_length.found(&text, |length| 0..=text.len() - length);
            prop_assert_eq!(set(inside), those(&|other| text.contains(other)));
            let start = by_length.found(&text, |_| 0..=0);
            prop_assert_eq!(set(start), those(&|other| text.starts_with(other)));
            let end = by_length.found(&text, |length| text.len() - length..=text.len() - length);
            prop_assert_eq!(set(end), those(&|other| text.ends_with(other)));
        }
    }
}
