//! Lists of texts that are looked for in texts: a few one by one, and many by their lengths.

use std::sync::Arc;

use vexil_values::TextPlace;

use super::ignoring_case::{find_ignoring_case, with_folded};
use super::needle::has_needle;

/// So many texts are looked for one by one.
const FEW: usize = 32;
/// Looking for one text by itself costs so much, in comparisons of texts of one length.
const ONE_BY_ITSELF: usize = 2;
/// A comparison more for so many bytes that it is looked for in.
const BYTES: usize = 64;

/// Texts that are looked for, in the order of a list.
#[derive(Debug, Clone)]
pub(crate) struct Needles {
    list: Arc<[Box<str>]>,
    /// Where there are many.
    by_length: Option<Arc<ByLength>>,
}

/// The numbers of texts by length, those of each length by text and number.
#[derive(Debug)]
struct ByLength {
    numbers: Vec<u32>,
    /// Each length, with where its numbers end.
    lengths: Vec<(usize, usize)>,
}

impl Needles {
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The first that a text has in this place. Where case is ignored, all are folded already.
    #[inline]
    pub(crate) fn find(&self, place: TextPlace, ignore_case: bool, text: &str) -> Option<&str> {
        match &self.by_length {
            None => find_one_by_one(place, ignore_case, &self.list, text),
            Some(by_length) => self.find_among_many(by_length, place, ignore_case, text),
        }
    }

    #[inline(never)]
    fn find_among_many(
        &self,
        by_length: &ByLength,
        place: TextPlace,
        ignore_case: bool,
        text: &str,
    ) -> Option<&str> {
        if ignore_case {
            return with_folded(text, |folded| self.find_folded(by_length, place, folded));
        }
        self.find_folded(by_length, place, text)
    }

    fn find_folded(&self, by_length: &ByLength, place: TextPlace, text: &str) -> Option<&str> {
        if by_length.is_dear(place, text.len()) {
            return find_one_by_one(place, false, &self.list, text);
        }
        let number = by_length.first(place, text.as_bytes(), |number| {
            self.list.get(number as usize).map_or(&[], |text| text.as_bytes())
        })?;
        self.list.get(number as usize).map(AsRef::as_ref)
    }
}

#[inline(never)]
fn find_one_by_one<'n>(
    place: TextPlace,
    ignore_case: bool,
    needles: &'n [Box<str>],
    text: &str,
) -> Option<&'n str> {
    if ignore_case {
        return find_ignoring_case(place, needles, text);
    }
    needles
        .iter()
        .map(AsRef::as_ref)
        .find(|needle| has_needle(place, text, needle))
}

impl FromIterator<Box<str>> for Needles {
    fn from_iter<I: IntoIterator<Item = Box<str>>>(needles: I) -> Self {
        let list: Arc<[Box<str>]> = needles.into_iter().collect();
        let is_many = list.len() > FEW && u32::try_from(list.len()).is_ok();
        Self {
            by_length: is_many.then(|| Arc::new(ByLength::of(&list))),
            list,
        }
    }
}

impl ByLength {
    fn of(list: &[Box<str>]) -> Self {
        let mut all: Vec<(usize, &str, u32)> = (0..)
            .zip(list)
            .map(|(number, text)| (text.len(), &**text, number))
            .collect();
        all.sort_unstable();
        let mut lengths: Vec<(usize, usize)> = Vec::new();
        for (place, (length, ..)) in all.iter().enumerate() {
            match lengths.last_mut() {
                Some((known, end)) if known == length => *end = place + 1,
                _ => lengths.push((*length, place + 1)),
            }
        }
        Self {
            numbers: all.into_iter().map(|(_, _, number)| number).collect(),
            lengths,
        }
    }

    /// The lengths that a text of so many bytes has room for, each with its numbers.
    fn fitting(&self, length: usize) -> impl Iterator<Item = (usize, &[u32])> {
        let starts = std::iter::once(0).chain(self.lengths.iter().map(|(_, end)| *end));
        let all = starts.zip(&self.lengths);
        let all =
            all.map(|(start, (length, end))| (*length, self.numbers.get(start..*end).unwrap_or_default()));
        all.take_while(move |(own, _)| *own <= length)
    }

    /// Whether a look at each text is cheaper: there are many lengths, and they are looked for at many places.
    fn is_dear(&self, place: TextPlace, length: usize) -> bool {
        let places = |own: usize| match place {
            TextPlace::Anywhere => length - own + 1,
            TextPlace::Start | TextPlace::End => 1,
        };
        let compared = self.fitting(length).map(|(own, numbers)| {
            let steps = numbers.len().checked_ilog2().unwrap_or_default() as usize + 1;
            steps * places(own)
        });
        let by_length: usize = compared.sum();
        let one_by_one = self.numbers.len() * (ONE_BY_ITSELF + length / BYTES);
        by_length > one_by_one
    }

    /// The lowest number of a text that another has in this place.
    fn first<'n>(&self, place: TextPlace, text: &[u8], of: impl Fn(u32) -> &'n [u8]) -> Option<u32> {
        let mut first = None;
        for (length, numbers) in self.fitting(text.len()) {
            let mut look = |part: &[u8]| {
                let number = numbers.get(numbers.partition_point(|number| of(*number) < part));
                let found = number.copied().filter(|number| of(*number) == part);
                first = [first, found].into_iter().flatten().min();
            };
            match place {
                TextPlace::Start => look(text.get(..length).unwrap_or_default()),
                TextPlace::End => look(text.get(text.len() - length..).unwrap_or_default()),
                TextPlace::Anywhere if length == 0 => look(&[]),
                TextPlace::Anywhere => text.windows(length).for_each(&mut look),
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use vexil_values::fold;

    use super::*;

    const PLACES: [TextPlace; 3] = [TextPlace::Start, TextPlace::Anywhere, TextPlace::End];

    proptest! {
        #[test]
        fn many_are_found_as_one_by_one(
            list in vec("[abAB]{1,6}|[é-íİſK]{1,3}", 0..90),
            text in "[abAB]{0,12}|[a-bé-íİſK]{0,8}|[ab]{200,400}",
        ) {
            for (place, ignore_case) in PLACES.into_iter().flat_map(|place| [(place, false), (place, true)]) {
                let folded = |needle: &String| if ignore_case { fold(needle) } else { needle.clone() };
                let folded: Vec<Box<str>> = list.iter().map(|needle| folded(needle).into()).collect();
                let needles: Needles = folded.iter().cloned().collect();
                prop_assert_eq!(needles.by_length.is_some(), list.len() > FEW);
                let one_by_one = find_one_by_one(place, ignore_case, &folded, &text);
                prop_assert_eq!(needles.find(place, ignore_case, &text), one_by_one, "{:?}", place);
            }
        }
    }

    #[test]
    fn many_lengths_in_a_long_text_are_looked_for_one_by_one() {
        let alike: Needles = (0..1_000).map(|number| format!("{number:08}").into()).collect();
        let lengths: Needles = (1..1_000).map(|length| "x".repeat(length).into()).collect();
        let is_dear =
            |needles: &Needles, place, length| needles.by_length.as_ref().unwrap().is_dear(place, length);
        assert!(!is_dear(&alike, TextPlace::Anywhere, 20) && !is_dear(&alike, TextPlace::Anywhere, 10_000));
        assert!(
            is_dear(&lengths, TextPlace::Anywhere, 10_000) && !is_dear(&lengths, TextPlace::Anywhere, 20)
        );
    }
}
