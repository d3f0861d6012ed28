//! Counts packed into bytes: what is appended as one row, and read back as it lies there.
//!
//! A version byte, then one section after another: application, environment, minute, the length of what follows,
//! and for each flag its name, how often it was on and off, and its variants. Numbers and texts are those of the
//! module `varint`.

use time::OffsetDateTime;

use crate::entry::{read_entry, until_malformed};
use crate::minute::minute_of;
use crate::varint::{Reader, put_number, put_signed, put_text};
use crate::{Entry, FlagCounts, Malformed};

/// The version of the format, the first byte.
const VERSION: u8 = 1;

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
        until_malformed(self.reader(), read_section)
    }

    /// How many bytes are left before each section, and the sections.
    pub(crate) fn located(&self) -> impl Iterator<Item = Result<(usize, Section<'_>), Malformed>> {
        until_malformed(self.reader(), |reader| Ok((reader.len(), read_section(reader)?)))
    }

    /// The section before which so many bytes are left.
    pub(crate) fn section_at(&self, left: usize) -> Result<Section<'_>, Malformed> {
        read_section(&mut self.reader().with_left(left)?)
    }

    fn reader(&self) -> Reader<'_> {
        Reader::new(self.0.get(1..).unwrap_or_default())
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
        read_entry(&mut self.entries.with_left(left)?)
    }
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
