//! Sets of texts: one hash and, nearly always, one comparison, however many there are.

use crate::values::hash::hash;

/// Up to this many values are compared one by one, which is faster than hashing.
const FEW: usize = 4;

/// A set of texts in one piece of memory.
#[derive(Debug)]
pub(crate) enum TextSet {
    Few(Box<[Box<str>]>),
    Many {
        texts: Box<str>,
        slots: Box<[Slot]>,
        len: usize,
    },
}

/// A place in the table; empty when `end` is zero.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slot {
    tag: u32,
    start: u32,
    end: u32,
}

impl TextSet {
    /// The values, each without the blanks around it, and without empty and repeated ones.
    pub(crate) fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut values: Vec<&str> = values
            .into_iter()
            .map(str::trim)
            .filter(|value| !value.is_empty())
            .collect();
        values.sort_unstable();
        values.dedup();
        let bytes: usize = values.iter().map(|value| value.len()).sum();
        if values.len() <= FEW || u32::try_from(bytes).is_err() {
            return Self::Few(values.into_iter().map(Box::from).collect());
        }
        let mut texts = String::with_capacity(bytes);
        let mut slots = vec![Slot::default(); (values.len() * 3 / 2).next_power_of_two()];
        let mask = slots.len() - 1;
        for value in &values {
            let start = texts.len() as u32;
            texts.push_str(value);
            let tag = hash(value.as_bytes()) as u32;
            let mut place = tag as usize & mask;
            while let Some(slot) = slots.get_mut(place) {
                if slot.end == 0 {
                    *slot = Slot {
                        tag,
                        start,
                        end: texts.len() as u32,
                    };
                    break;
                }
                place = (place + 1) & mask;
            }
        }
        Self::Many {
            texts: texts.into_boxed_str(),
            slots: slots.into_boxed_slice(),
            len: values.len(),
        }
    }

    /// The value of the set that equals `text`.
    #[inline]
    pub(crate) fn find(&self, text: &str) -> Option<&str> {
        match self {
            Self::Few(values) => values.iter().map(AsRef::as_ref).find(|value| *value == text),
            Self::Many { texts, slots, .. } => {
                let tag = hash(text.as_bytes()) as u32;
                let mask = slots.len() - 1;
                let mut place = tag as usize & mask;
                loop {
                    let slot = slots.get(place).filter(|slot| slot.end != 0)?;
                    if slot.tag == tag {
                        let value = texts.get(slot.start as usize..slot.end as usize)?;
                        if value == text {
                            return Some(value);
                        }
                    }
                    place = (place + 1) & mask;
                }
            }
        }
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Few(values) => values.len(),
            Self::Many { len, .. } => *len,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::TextSet;

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
            prop_assert_eq!(set.find(&asked), reference.get(asked.as_str()).copied());
            for value in reference {
                prop_assert_eq!(set.find(value), Some(value));
            }
        }
    }
}
