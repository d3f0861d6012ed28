//! A few texts by name: names and values side by side in one text, found by tags of the names.

/// So many names are kept.
const MOST: usize = WORDS * PAIRS;
const WORDS: usize = 8;
/// So many pairs are told apart at once.
const PAIRS: usize = 4;
/// A one in each tag of a word.
const ONES: u64 = 0x0001_0001_0001_0001;

/// Up to 32 texts by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Few {
    text: String,
    len: usize,
    words: [Word; WORDS],
}

/// Four pairs, in the order in which they were set first; unused ones are zero. All that it takes to find a pair
/// lies close together.
#[derive(Debug, Clone, Copy, Default)]
struct Word {
    /// A few bits of each name.
    tags: u64,
    /// Where each name begins in the text.
    starts: [u16; PAIRS],
    /// How long each value is.
    values: [u16; PAIRS],
    /// How long each name is.
    names: [u8; PAIRS],
}

/// Where a pair is, where its value begins in the text, and where it ends.
struct Found {
    place: usize,
    value: usize,
    end: usize,
}

impl Few {
    #[inline]
    pub(super) fn get(&self, name: &str, tag: u64) -> Option<&str> {
        let found = self.find(name, tag)?;
        self.text.get(found.value..found.end)
    }

    #[inline]
    fn find(&self, name: &str, wanted: u64) -> Option<Found> {
        let words = self.words.get(..self.len.div_ceil(PAIRS))?;
        for (number, word) in words.iter().enumerate() {
            let differences = word.tags ^ wanted;
            // the highest bit of each tag that does not differ, and perhaps of one behind it
            let mut equal = differences.wrapping_sub(ONES) & !differences & (ONES << 15);
            while equal != 0 {
                let place = equal.trailing_zeros() as usize / 16;
                let (name_at, end) = word.ends(place)?;
                let value = name_at + name.len();
                if word.is_as_long(place, name.len())
                    && let Some(known) = self.text.as_bytes().get(name_at..value)
                    && is_same(known, name.as_bytes())
                {
                    let place = number * PAIRS + place;
                    return Some(Found { place, value, end });
                }
                equal &= equal - 1;
            }
        }
        None
    }

    /// Sets a value; `false` where there is no room for it.
    pub(super) fn insert(&mut self, name: &str, value: &str) -> bool {
        match self.find(name, word_of(name)) {
            Some(found) => self.replace(&found, value),
            None => self.push(name, value),
        }
    }

    fn push(&mut self, name: &str, value: &str) -> bool {
        let start = self.text.len();
        let whole = start + name.len() + value.len();
        let place = self.len % PAIRS;
        let (Ok(start), Ok(_), Ok(name_length), Some(word)) = (
            u16::try_from(start),
            u16::try_from(whole),
            u8::try_from(name.len()),
            self.words.get_mut(self.len / PAIRS),
        ) else {
            return false;
        };
        if start == 0 {
            self.text.reserve(8 * 24);
        }
        self.text.push_str(name);
        self.text.push_str(value);
        self.len += 1;
        word.tags |= u64::from(tag(name.as_bytes())) << (place * 16);
        // not more than the whole, which fits
        set(&mut word.values, place, value.len() as u16);
        set(&mut word.starts, place, start);
        set(&mut word.names, place, name_length);
        true
    }

    /// Puts another value in the place of one. What lies behind it moves.
    #[cold]
    fn replace(&mut self, found: &Found, value: &str) -> bool {
        let old = found.end - found.value;
        if u16::try_from(self.text.len() - old + value.len()).is_err() {
            return false;
        }
        self.text.replace_range(found.value..found.end, value);
        let (at, after) = (found.place, found.place + 1..self.len);
        if let Some(word) = self.words.get_mut(at / PAIRS) {
            set(&mut word.values, at % PAIRS, value.len() as u16);
        }
        for place in after {
            if let Some(word) = self.words.get_mut(place / PAIRS)
                && let Some(start) = word.starts.get_mut(place % PAIRS)
            {
                *start = (usize::from(*start) - old + value.len()) as u16;
            }
        }
        true
    }

    /// Room for so many more texts of usual length.
    pub(super) fn reserve(&mut self, count: usize) {
        self.text.reserve(count.min(MOST) * 24);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.len).filter_map(|place| {
            let word = self.words.get(place / PAIRS)?;
            let (start, end) = word.ends(place % PAIRS)?;
            let value = start + usize::from(*word.names.get(place % PAIRS)?);
            Some((self.text.get(start..value)?, self.text.get(value..end)?))
        })
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

impl Word {
    /// Where a pair begins and ends.
    #[inline]
    fn ends(&self, place: usize) -> Option<(usize, usize)> {
        let start = usize::from(*self.starts.get(place)?);
        let name = usize::from(*self.names.get(place)?);
        Some((start, start + name + usize::from(*self.values.get(place)?)))
    }

    #[inline]
    fn is_as_long(&self, place: usize, name: usize) -> bool {
        self.names
            .get(place)
            .is_some_and(|length| usize::from(*length) == name)
    }
}

fn set<T>(list: &mut [T; PAIRS], place: usize, value: T) {
    if let Some(at) = list.get_mut(place) {
        *at = value;
    }
}

/// The tag of a name, four times.
#[inline]
pub(super) fn word_of(name: &str) -> u64 {
    u64::from(tag(name.as_bytes())) * ONES
}

/// A few bits of a name, of both its ends and its length; never zero.
#[inline]
fn tag(name: &[u8]) -> u16 {
    let (first, last) = match (name.first_chunk(), name.last_chunk()) {
        (Some(first), Some(last)) => (u16::from_le_bytes(*first), u16::from_le_bytes(*last)),
        _ => (name.first().map_or(0, |byte| u16::from(*byte)), 0),
    };
    (u32::from(first) ^ u32::from(last) << 5 ^ (name.len() as u32) << 11) as u16 | 1
}

/// Whether two names of one length are equal. Most are short enough to be compared by their two ends.
#[inline]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    fn ends<const N: usize>(name: &[u8]) -> Option<([u8; N], [u8; N])> {
        Some((*name.first_chunk()?, *name.last_chunk()?))
    }
    match one.len() {
        4..=8 => ends::<4>(one) == ends::<4>(other),
        9..=16 => ends::<8>(one) == ends::<8>(other),
        _ => one == other,
    }
}
