//! Adding up any number of packed counts.

use std::collections::HashMap;

use time::OffsetDateTime;

use crate::minute::minute_of;
use crate::packed::{Section, put_section};
use crate::{Count, Entry, FlagCounts, Indexed, Malformed, Packed};

/// Sums of packed counts, whose names they borrow. The order and the grouping in which counts are added do not
/// matter.
#[derive(Debug, Default)]
pub struct Merge<'a> {
    sections: Vec<Sums<'a>>,
    places: HashMap<Key<'a>, usize>,
    /// The section that was added to last, which is often the next one too.
    latest: usize,
}

/// Application, environment, minute.
type Key<'a> = (&'a str, &'a str, i64);

/// The sums of one section.
#[derive(Debug)]
struct Sums<'a> {
    key: Key<'a>,
    flags: Vec<Sum<'a>>,
    places: HashMap<&'a str, usize>,
    /// Where the next flag is looked for first: an SDK lists its flags in the same order each time.
    next: usize,
}

#[derive(Debug)]
struct Sum<'a> {
    flag: &'a str,
    yes: Count,
    no: Count,
    variants: Vec<(&'a str, Count)>,
}

/// What one application counted of one flag in one environment and minute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedRow<'a> {
    /// The flag.
    pub flag: &'a str,
    /// The environment.
    pub environment: &'a str,
    /// The application.
    pub application: &'a str,
    /// The minute, in UTC.
    pub minute: OffsetDateTime,
    /// Evaluations to true.
    pub yes: Count,
    /// Evaluations to false.
    pub no: Count,
    /// How often each variant was given, in no order, each once.
    pub variants: Vec<(&'a str, Count)>,
}

impl<'a> Merge<'a> {
    /// Adds counts.
    ///
    /// # Errors
    ///
    /// When they cannot be read; some of them may have been added then.
    pub fn add(&mut self, packed: &'a Packed) -> Result<(), Malformed> {
        for section in packed.sections() {
            let section = section?;
            let sums = self.section(&section);
            sums.next = 0;
            for entry in section.entries() {
                sums.add(&entry?)?;
            }
        }
        Ok(())
    }

    /// Adds the counts of one flag.
    ///
    /// # Errors
    ///
    /// Never for counts that were indexed; the bytes are read again.
    pub fn add_flag(&mut self, indexed: &'a Indexed, flag: &str) -> Result<(), Malformed> {
        for found in indexed.of_flag(flag) {
            let (section, entry) = found?;
            self.section(&section).add(&entry)?;
        }
        Ok(())
    }

    fn section(&mut self, section: &Section<'a>) -> &mut Sums<'a> {
        let key = (section.application, section.environment, section.minutes);
        let latest = self.sections.get(self.latest);
        if latest.is_none_or(|latest| latest.key != key) {
            let new = self.sections.len();
            self.latest = *self.places.entry(key).or_insert(new);
            if self.latest == new {
                self.sections.push(Sums {
                    key,
                    flags: Vec::new(),
                    places: HashMap::new(),
                    next: 0,
                });
            }
        }
        #[expect(clippy::indexing_slicing, reason = "it was found, or pushed, just now")]
        &mut self.sections[self.latest]
    }

    /// Whether nothing was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// How many rows there are: different flags, applications, environments and minutes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sections.iter().map(|section| section.flags.len()).sum()
    }

    /// The sums packed again, in pieces of about `size` bytes.
    #[must_use]
    pub fn pack(&self, size: usize) -> Vec<Packed> {
        let mut pieces = Vec::new();
        let mut piece = Packed::default();
        for section in &self.sections {
            let (application, environment, minutes) = section.key;
            let mut counts = FlagCounts::default();
            let put = |counts: &mut FlagCounts, piece: &mut Packed| {
                let full = std::mem::take(counts);
                put_section(application, environment, minutes, full.bytes(), piece.bytes_mut());
            };
            for sum in &section.flags {
                counts.push(sum.flag, sum.yes, sum.no, sum.variants.iter().copied());
                if piece.as_bytes().len() + counts.bytes().len() >= size {
                    put(&mut counts, &mut piece);
                    pieces.push(std::mem::take(&mut piece));
                }
            }
            if !counts.is_empty() {
                put(&mut counts, &mut piece);
            }
        }
        if !piece.is_empty() {
            pieces.push(piece);
        }
        pieces
    }

    /// The rows, by flag, environment, application and minute.
    #[must_use]
    pub fn into_rows(self) -> Vec<MergedRow<'a>> {
        let rows = self.sections.into_iter().flat_map(|section| {
            let (application, environment, minutes) = section.key;
            section.flags.into_iter().map(move |sum| MergedRow {
                flag: sum.flag,
                environment,
                application,
                minute: minute_of(minutes),
                yes: sum.yes,
                no: sum.no,
                variants: sum.variants,
            })
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_unstable_by(|a, b| {
            let key = |row: &MergedRow<'a>| (row.flag, row.environment, row.application, row.minute);
            key(a).cmp(&key(b))
        });
        rows
    }
}

impl<'a> Sums<'a> {
    fn add(&mut self, entry: &Entry<'a>) -> Result<(), Malformed> {
        let place = match self.flags.get(self.next) {
            Some(sum) if sum.flag == entry.flag => self.next,
            _ => self.place(entry.flag),
        };
        self.next = place + 1;
        if let Some(sum) = self.flags.get_mut(place) {
            sum.yes = sum.yes.plus(entry.yes);
            sum.no = sum.no.plus(entry.no);
            for variant in entry.variants() {
                let (name, times) = variant?;
                match sum.variants.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, known)) => *known = known.plus(times),
                    None => sum.variants.push((name, times)),
                }
            }
        }
        Ok(())
    }

    fn place(&mut self, flag: &'a str) -> usize {
        let new = self.flags.len();
        let place = *self.places.entry(flag).or_insert(new);
        if place == new {
            self.flags.push(Sum {
                flag,
                yes: Count::default(),
                no: Count::default(),
                variants: Vec::new(),
            });
        }
        place
    }
}
