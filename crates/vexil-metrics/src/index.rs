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

/// The low half of the flag's hash, the number of the section, and how many bytes of it are left at the entry.
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
        for (number, section) in (0..).zip(packed.sections()) {
            for located in section?.located() {
                let (left, entry) = located?;
                places.push(Place {
                    hash: low_half(hasher.hash_one(entry.flag)),
                    section: number,
                    left: u32::try_from(left).map_err(|_too_long| Malformed)?,
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

    /// What was counted of a flag, each with the section that it is in.
    ///
    /// # Errors
    ///
    /// Never for counts that were indexed; the bytes are read again.
    pub fn of_flag(&self, flag: &str) -> Result<Vec<(Section<'_>, Entry<'_>)>, Malformed> {
        let hash = low_half(self.hasher.hash_one(flag));
        let first = self.places.partition_point(|place| place.hash < hash);
        let same = self
            .places
            .iter()
            .skip(first)
            .take_while(|place| place.hash == hash);
        let mut found = Vec::new();
        let mut sections = self.packed.sections();
        let mut current: Option<(u32, Section<'_>)> = None;
        let mut next = 0;
        for place in same {
            // places of one hash are in order of sections
            while current.as_ref().is_none_or(|(number, _)| *number < place.section) {
                let section = sections.next().ok_or(Malformed)??;
                current = Some((next, section));
                next += 1;
            }
            let Some((_, section)) = current else {
                return Err(Malformed);
            };
            let left = usize::try_from(place.left).map_err(|_never| Malformed)?;
            let entry = section.entry_at(left)?;
            if entry.flag == flag {
                found.push((section, entry));
            }
        }
        Ok(found)
    }
}

fn low_half(hash: u64) -> u32 {
    let [a, b, c, d, ..] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
