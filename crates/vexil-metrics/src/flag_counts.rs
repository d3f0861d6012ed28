//! What was counted of any number of flags.

use crate::entry::read_entries;
use crate::varint::{put_number, put_text};
use crate::{Count, Entry, Malformed};

/// What was counted of any number of flags, packed as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlagCounts {
    bytes: Vec<u8>,
    flags: usize,
}

impl FlagCounts {
    /// Nothing yet, with room for so many bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
            flags: 0,
        }
    }

    /// Adds what was counted of one flag. A flag that is added twice counts twice.
    pub fn push<'v>(
        &mut self,
        flag: &str,
        yes: Count,
        no: Count,
        variants: impl ExactSizeIterator<Item = (&'v str, Count)>,
    ) {
        let out = &mut self.bytes;
        put_text(flag, out);
        put_number(yes.get(), out);
        put_number(no.get(), out);
        put_number(u64::try_from(variants.len()).unwrap_or_default(), out);
        for (name, times) in variants {
            put_text(name, out);
            put_number(times.get(), out);
        }
        self.flags += 1;
    }

    /// What was added, in that order.
    ///
    /// # Errors
    ///
    /// Never; the bytes are read again.
    pub fn entries(&self) -> impl Iterator<Item = Result<Entry<'_>, Malformed>> {
        read_entries(&self.bytes)
    }

    /// How many flags were added.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flags
    }

    /// Whether no flag was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flags == 0
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
