//! A few texts by name: names and values side by side in one text, found by tags of the names.

/// So many names are kept.
const MOST: usize = WORDS * PAIRS;
const WORDS: usize = 4;
/// So many pairs are told apart at once.
const PAIRS: usize = 8;
/// A one in each tag of a word.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Up to 32 texts by name. All that it takes to find one lies close together, besides the text itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Few {
    /// Names and values, one after the other in the order in which they were set first.
    text: String,
    len: usize,
    /// A few bits of each name, eight in a word; unused ones are zero.
    tags: [u64; WORDS],
    pairs: [Pair; MOST],
}

/// Where a name and its value are in the text: where the name begins, how long it is, and how long the value is, in 16 bits
/// each, so that one step reads them all.
#[derive(Debug, Clone, Copy, Default)]
struct Pair(u64);

impl Pair {
    fn new(start: u16, name: u16, value: u16) -> Self {
        Self(u64::from(start) | u64::from(name) << 16 | u64::from(value) << 32)
    }

    #[inline]
    fn start(self) -> usize {
        usize::from(self.0 as u16)
    }

    #[inline]
    fn name(self) -> usize {
        usize::from((self.0 >> 16) as u16)
    }

    #[inline]
    fn value(self) -> usize {
        usize::from((self.0 >> 32) as u16)
    }
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
        let words = self.tags.get(..self.len.div_ceil(PAIRS))?;
        let pairs = self.pairs.get(..self.len)?;
        for (number, word) in words.iter().enumerate() {
            let differences = word ^ wanted;
            // the highest bit of each tag that does not differ, and perhaps of one behind it
            let mut equal = differences.wrapping_sub(ONES) & !differences & (ONES << 7);
            while equal != 0 {
                let place = number * PAIRS + equal.trailing_zeros() as usize / 8;
                if let Some(pair) = pairs.get(place)
                    && pair.name() == name.len()
                    && let value = pair.start() + name.len()
                    && let Some(known) = self.text.as_bytes().get(pair.start()..value)
                    && is_same(known, name.as_bytes())
                {
                    let end = value + pair.value();
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
        let (Ok(at), Ok(name_length), Ok(value_length), Ok(_), Some(word), Some(pair)) = (
            u16::try_from(start),
            u16::try_from(name.len()),
            u16::try_from(value.len()),
            u16::try_from(whole),
            self.tags.get_mut(self.len / PAIRS),
            self.pairs.get_mut(self.len),
        ) else {
            return false;
        };
        if start == 0 {
            self.text.reserve(8 * 24);
        }
        self.text.push_str(name);
        self.text.push_str(value);
        *word |= u64::from(tag(name.as_bytes())) << (self.len % PAIRS * 8);
        *pair = Pair::new(at, name_length, value_length);
        self.len += 1;
        true
    }

    /// Puts another value in the place of one. What lies behind it moves.
    #[cold]
    fn replace(&mut self, found: &Found, value: &str) -> bool {
        let old = found.end - found.value;
        let (Ok(_), Ok(length)) = (
            u16::try_from(self.text.len() - old + value.len()),
            u16::try_from(value.len()),
        ) else {
            return false;
        };
        self.text.replace_range(found.value..found.end, value);
        let pairs = self.pairs.get_mut(found.place..self.len);
        let Some((changed, behind)) = pairs.and_then(|pairs| pairs.split_first_mut()) else {
            return false;
        };
        *changed = Pair::new(changed.start() as u16, changed.name() as u16, length);
        for pair in behind {
            let start = pair.start() - old + value.len();
            *pair = Pair::new(start as u16, pair.name() as u16, pair.value() as u16);
        }
        true
    }

    /// Room for so many more texts of usual length.
    pub(super) fn reserve(&mut self, count: usize) {
        self.text.reserve(count.min(MOST) * 24);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().take(self.len).filter_map(|pair| {
            let value = pair.start() + pair.name();
            let end = value + pair.value();
            Some((self.text.get(pair.start()..value)?, self.text.get(value..end)?))
        })
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// The tag of a name, eight times.
#[inline]
pub(super) fn word_of(name: &str) -> u64 {
    u64::from(tag(name.as_bytes())) * ONES
}

/// A few bits of a name, of both its ends and its length; never zero.
#[inline]
fn tag(name: &[u8]) -> u8 {
    let (first, last) = match (name.first_chunk(), name.last_chunk()) {
        (Some(first), Some(last)) => (u16::from_le_bytes(*first), u16::from_le_bytes(*last)),
        _ => (name.first().map_or(0, |byte| u16::from(*byte)), 0),
    };
    let mixed = (u32::from(first) | u32::from(last) << 16).wrapping_add(name.len() as u32);
    (mixed.wrapping_mul(0x9e37_79b1) >> 24).max(1) as u8
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
