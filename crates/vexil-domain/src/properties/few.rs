//! A few texts by name: names and values side by side in one text, found by tags of the names.

/// So many names are kept.
const MOST: usize = GROUPS * PAIRS;
const GROUPS: usize = 4;
/// So many pairs are told apart at once.
const PAIRS: usize = 8;
/// A one in each tag of a group.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The longest name that is kept: its length is a character of one byte.
const LONGEST_NAME: usize = 127;

/// Up to 32 texts by name. What finds one of the first eight is one line of memory, and the text itself is another.
#[derive(Debug, Clone, Default)]
#[repr(align(64))]
pub(super) struct Few {
    /// For each pair, in the order in which they were set first, the length of the name, as a character, the name and the
    /// value.
    text: String,
    len: usize,
    groups: [Group; GROUPS],
}

/// What finds eight pairs.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Group {
    /// A few bits of each name; unused ones are zero.
    tags: u64,
    /// Where each pair begins in the text, which is where the one before ends; then where the last one ends.
    bounds: [u16; PAIRS + 1],
}

impl Group {
    /// Where a pair begins and ends. An unused one is empty.
    #[inline]
    fn pair(&self, place: usize) -> Option<(usize, usize)> {
        let [start, end] = *self.bounds.get(place..)?.first_chunk()?;
        Some((usize::from(start), usize::from(end)))
    }
}

/// Which pair it is, where its value begins in the text, and where it ends.
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
        let text = self.text.as_bytes();
        for (number, group) in self.groups.iter().enumerate() {
            let differences = group.tags ^ wanted;
            // the highest bit of each tag that does not differ, and perhaps of one behind it
            let mut equal = differences.wrapping_sub(ONES) & !differences & (ONES << 7);
            while equal != 0 {
                let place = equal.trailing_zeros() as usize / 8;
                if let Some((start, end)) = group.pair(place)
                    && let Some((length, rest)) = text.get(start..end).and_then(<[u8]>::split_first)
                    && usize::from(*length) == name.len()
                    && let Some(known) = rest.get(..name.len())
                    && is_same(known, name.as_bytes())
                {
                    return Some(Found {
                        place: number * PAIRS + place,
                        value: start + 1 + name.len(),
                        end,
                    });
                }
                equal &= equal - 1;
            }
        }
        None
    }

    /// Sets a value; `false` where there is no room for it.
    pub(super) fn insert(&mut self, name: &str, value: &str) -> bool {
        let tag = word_of(name);
        match self.find(name, tag) {
            Some(found) => self.replace(&found, value),
            None => self.push(name, tag, value),
        }
    }

    fn push(&mut self, name: &str, tag: u64, value: &str) -> bool {
        let place = self.len % PAIRS;
        let start = self.text.len();
        let whole = start + 1 + name.len() + value.len();
        let (Ok(begin), Ok(end), Ok(length), Some(group)) = (
            u16::try_from(start),
            u16::try_from(whole),
            u8::try_from(name.len()),
            self.groups.get_mut(self.len / PAIRS),
        ) else {
            return false;
        };
        let bounds = group.bounds.get_mut(place..);
        let Some(bounds) = bounds.and_then(<[u16]>::first_chunk_mut) else {
            return false;
        };
        if name.len() > LONGEST_NAME {
            return false;
        }
        *bounds = [begin, end];
        group.tags |= (tag & 0xff) << (place * 8);
        if start == 0 {
            self.text.reserve(8 * 24);
        }
        self.text.push(char::from(length));
        self.text.push_str(name);
        self.text.push_str(value);
        self.len += 1;
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
        let used = self.groups.iter_mut().take(self.len.div_ceil(PAIRS));
        for (number, group) in used.enumerate() {
            for (bound, place) in group.bounds.iter_mut().zip(number * PAIRS..=self.len) {
                if place > found.place {
                    *bound = (usize::from(*bound) - old + value.len()) as u16;
                }
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
            let (start, end) = self.groups.get(place / PAIRS)?.pair(place % PAIRS)?;
            let length = usize::from(*self.text.as_bytes().get(start)?);
            self.text.get(start + 1..end)?.split_at_checked(length)
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
        // the first, the middle and the last letter
        0..=3 => {
            let ends = |name: &[u8]| (name.first().copied(), name.get(1).copied(), name.last().copied());
            ends(one) == ends(other)
        }
        4..=8 => ends::<4>(one) == ends::<4>(other),
        9..=16 => ends::<8>(one) == ends::<8>(other),
        _ => one == other,
    }
}
