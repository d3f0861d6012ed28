//! What was counted of one flag, read as it lies there.

use crate::varint::Reader;
use crate::{Count, Malformed};

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

/// The entries that bytes hold.
pub(crate) fn read_entries(bytes: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, Malformed>> {
    until_malformed(Reader::new(bytes), read_entry)
}

pub(crate) fn read_entry<'a>(reader: &mut Reader<'a>) -> Result<Entry<'a>, Malformed> {
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
}

/// Reads one after another, up to what cannot be read.
pub(crate) fn until_malformed<'a, T>(
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
