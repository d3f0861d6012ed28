//! Counts packed into bytes: what is appended as one row, and read back as it lies there.
//!
//! A version byte, then one section after another: application, environment, minute, the length of what follows,
//! and for each flag its name, how often it was on and off, and its variants. Numbers and texts are those of the
//! module `varint`.

use time::OffsetDateTime;

use crate::report::minute_of;
use crate::varint::{Reader, put_number, put_signed, put_text};
use crate::{Count, Counts, FlagCounts};

/// The version of the format, the first byte.
const VERSION: u8 = 1;

/// Bytes that are no packed counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("packed usage counts are cut off, or of another form")
    }
}

impl std::error::Error for Malformed {}

/// Counts of any number of applications, environments, minutes and flags, packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed(Vec<u8>);

impl Default for Packed {
    /// Counts of nothing.
    fn default() -> Self {
        Self(vec![VERSION])
    }
}

/// What one application counted in one environment and minute.
#[derive(Debug, Clone, Copy)]
pub struct Section<'a> {
    /// The application.
    pub application: &'a str,
    /// The environment.
    pub environment: &'a str,
    /// The minute, in minutes since 1970.
    pub(crate) minutes: i64,
    entries: Reader<'a>,
}

/// What was counted of one flag.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The flag.
    pub flag: &'a str,
    /// Evaluations to true.
    pub yes: Count,
    /// Evaluations to false.
    pub no: Count,
    /// How many variants follow.
    variants: u64,
    rest: Reader<'a>,
}

impl Packed {
    /// Counts that were packed before.
    ///
    /// # Errors
    ///
    /// When any of it cannot be read.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        let packed = Self(bytes);
        if packed.0.first() != Some(&VERSION) {
            return Err(Malformed);
        }
        for section in packed.sections() {
            for entry in section?.entries() {
                for variant in entry?.variants() {
                    variant?;
                }
            }
        }
        Ok(packed)
    }

    /// The bytes to be stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether nothing is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.len() <= 1
    }

    /// Adds what `other` counts, as it lies there.
    pub fn append(&mut self, other: &Self) {
        self.0.extend_from_slice(other.0.get(1..).unwrap_or_default());
    }

    /// What it consists of.
    pub fn sections(&self) -> impl Iterator<Item = Result<Section<'_>, Malformed>> {
        sections(self.0.get(1..).unwrap_or_default())
    }

    /// The counts of those flags and environments for which `keep` is true; `None` where that is all.
    ///
    /// # Errors
    ///
    /// When any of it cannot be read.
    pub fn retain(&self, keep: impl Fn(&str, &str) -> bool) -> Result<Option<Self>, Malformed> {
        let mut kept = Self::default();
        let mut all = true;
        for section in self.sections() {
            let section = section?;
            let mut counts = FlagCounts::default();
            for entry in section.entries() {
                let entry = entry?;
                if keep(entry.flag, section.environment) {
                    let variants: Vec<_> = entry.variants().collect::<Result<_, _>>()?;
                    counts.push(entry.flag, entry.yes, entry.no, variants.into_iter());
                } else {
                    all = false;
                }
            }
            if !counts.is_empty() {
                let (application, environment) = (section.application, section.environment);
                put_section(
                    application,
                    environment,
                    section.minutes,
                    counts.bytes(),
                    &mut kept.0,
                );
            }
        }
        Ok((!all).then_some(kept))
    }

    /// The names of all applications, environments, flags and variants, as often as they occur.
    ///
    /// # Errors
    ///
    /// When any of it cannot be read.
    pub fn try_for_each_name<E: From<Malformed>>(
        &self,
        mut each: impl FnMut(Name<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for section in self.sections() {
            let section = section?;
            each(Name::Application(section.application))?;
            each(Name::Environment(section.environment))?;
            for entry in section.entries() {
                let entry = entry?;
                each(Name::Flag(entry.flag))?;
                for variant in entry.variants() {
                    each(Name::Variant(variant?.0))?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

/// A name in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name<'a> {
    /// Of an application.
    Application(&'a str),
    /// Of an environment.
    Environment(&'a str),
    /// Of a flag.
    Flag(&'a str),
    /// Of a variant.
    Variant(&'a str),
}

pub(crate) fn sections(bytes: &[u8]) -> impl Iterator<Item = Result<Section<'_>, Malformed>> {
    until_malformed(Reader::new(bytes), read_section)
}

fn read_section<'a>(reader: &mut Reader<'a>) -> Result<Section<'a>, Malformed> {
    let application = reader.text()?;
    let environment = reader.text()?;
    let minutes = reader.signed()?;
    let length = reader.number()?;
    Ok(Section {
        application,
        environment,
        minutes,
        entries: Reader::new(reader.bytes(length)?),
    })
}

impl<'a> Section<'a> {
    /// The minute, in UTC.
    #[must_use]
    pub fn minute(&self) -> OffsetDateTime {
        minute_of(self.minutes)
    }

    /// What was counted, by flag; a flag may occur several times.
    pub fn entries(&self) -> impl Iterator<Item = Result<Entry<'a>, Malformed>> + use<'a> {
        until_malformed(self.entries, read_entry)
    }

    /// How many bytes of entries are left before each of them, and the entries.
    pub(crate) fn located(&self) -> impl Iterator<Item = Result<(usize, Entry<'a>), Malformed>> + use<'a> {
        until_malformed(self.entries, |reader| Ok((reader.len(), read_entry(reader)?)))
    }

    /// The entry before which so many bytes are left.
    pub(crate) fn entry_at(&self, left: usize) -> Result<Entry<'a>, Malformed> {
        let mut reader = self.entries;
        let passed = reader.len().checked_sub(left).ok_or(Malformed)?;
        reader.bytes(u64::try_from(passed).map_err(|_never| Malformed)?)?;
        read_entry(&mut reader)
    }
}

/// The entries that bytes hold.
pub(crate) fn read_entries(bytes: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, Malformed>> {
    until_malformed(Reader::new(bytes), read_entry)
}

fn read_entry<'a>(reader: &mut Reader<'a>) -> Result<Entry<'a>, Malformed> {
    let flag = reader.text()?;
    let yes = reader.count()?;
    let no = reader.count()?;
    let variants = reader.number()?;
    let entry = Entry {
        flag,
        yes,
        no,
        variants,
        rest: *reader,
    };
    for _ in 0..variants {
        reader.text()?;
        reader.count()?;
    }
    Ok(entry)
}

impl<'a> Entry<'a> {
    /// How many variants are listed.
    #[must_use]
    pub fn variant_count(&self) -> usize {
        usize::try_from(self.variants).unwrap_or(usize::MAX)
    }

    /// How often each variant was given; a variant may occur several times.
    pub fn variants(&self) -> impl Iterator<Item = Result<(&'a str, Count), Malformed>> + use<'a> {
        let mut rest = self.rest;
        (0..self.variants).map(move |_| Ok((rest.text()?, rest.count()?)))
    }

    /// What was counted.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn counts(&self) -> Result<Counts, Malformed> {
        let mut counts = Counts {
            yes: self.yes,
            no: self.no,
            ..Counts::default()
        };
        for variant in self.variants() {
            let (name, times) = variant?;
            counts.add_variant(name, times);
        }
        Ok(counts)
    }
}

fn until_malformed<'a, T>(
    mut reader: Reader<'a>,
    read: impl Fn(&mut Reader<'a>) -> Result<T, Malformed>,
) -> impl Iterator<Item = Result<T, Malformed>> {
    std::iter::from_fn(move || {
        if reader.is_empty() {
            return None;
        }
        let item = read(&mut reader);
        if item.is_err() {
            reader = Reader::new(&[]);
        }
        Some(item)
    })
}

/// Appends a section.
pub(crate) fn put_section(
    application: &str,
    environment: &str,
    minutes: i64,
    entries: &[u8],
    out: &mut Vec<u8>,
) {
    put_text(application, out);
    put_text(environment, out);
    put_signed(minutes, out);
    put_number(u64::try_from(entries.len()).unwrap_or(u64::MAX), out);
    out.extend_from_slice(entries);
}
