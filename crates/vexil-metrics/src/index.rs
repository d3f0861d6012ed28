//! Packed counts with an index by flag, so that what lies unfolded can be asked about one flag without unpacking
//! the rest.

use std::hash::{BuildHasher, RandomState};

use crate::{Entry, Malformed, Packed, Section};

/// Packed counts that can be asked by flag.
#[derive(Debug, Clone)]
pub struct Indexed {
    packed: Packed,
    hasher: RandomState,
    /// Where each entry lies, in order of the hash of its flag.
    places: Box<[Place]>,
}

/// The low half of the flag's hash, how many bytes are left at the section, and how many bytes of it are left at the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    hash: u32,
    section: u32,
    left: u32,
}

impl Indexed {
    /// Indexes packed counts.
    ///
    /// # Errors
    ///
    /// When they cannot be read, or have more than 2³² bytes.
    pub fn new(packed: Packed) -> Result<Self, Malformed> {
        let hasher = RandomState::new();
        let mut places = Vec::new();
        let place = |left: usize| u32::try_from(left).map_err(|_too_long| Malformed);
        for located in packed.located() {
            let (at, section) = located?;
            for located in section.located() {
                let (left, entry) = located?;
                places.push(Place {
                    hash: low_half(hasher.hash_one(entry.flag)),
                    section: place(at)?,
                    left: place(left)?,
                });
            }
        }
        places.sort_unstable();
        Ok(Self {
            packed,
            hasher,
            places: places.into(),
        })
    }

    /// The counts.
    #[must_use]
    pub fn packed(&self) -> &Packed {
        &self.packed
    }

    /// How many bytes it takes, about.
    #[must_use]
    pub fn size(&self) -> usize {
        self.packed.as_bytes().len() + self.places.len() * size_of::<Place>()
    }

    /// What was counted of a flag, each with the section that it is in; the bytes are read again.
    pub(crate) fn of_flag<'a>(
        &'a self,
        flag: &str,
    ) -> impl Iterator<Item = Result<(Section<'a>, Entry<'a>), Malformed>> {
        let hash = low_half(self.hasher.hash_one(flag));
        let first = self.places.partition_point(|place| place.hash < hash);
        let same = self.places.iter().skip(first);
        same.take_while(move |place| place.hash == hash)
            .map(|place| self.at(*place))
            .filter(move |found| found.as_ref().map_or(true, |(_, entry)| entry.flag == flag))
    }

    fn at(&self, place: Place) -> Result<(Section<'_>, Entry<'_>), Malformed> {
        let left = |left: u32| usize::try_from(left).map_err(|_never| Malformed);
        let section = self.packed.section_at(left(place.section)?)?;
        Ok((section, section.entry_at(left(place.left)?)?))
    }
}

fn low_half(hash: u64) -> u32 {
    let [a, b, c, d, ..] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
