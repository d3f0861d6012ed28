//! Which state of what SDKs are told in an environment something belongs to.

use std::fmt;

/// Which state of what SDKs are told in an environment something belongs to. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct EnvironmentRevision {
    /// The number of the edit that last changed it.
    pub number: u64,
    /// Tells that edit from others that had the same number, as there are where a database was put back to an
    /// earlier state and went on from there. Drawn by chance; 0 where there was none yet.
    pub mark: u32,
}

impl From<u64> for EnvironmentRevision {
    /// The revision of this number without a mark.
    fn from(number: u64) -> Self {
        Self { number, mark: 0 }
    }
}

/// As `12`, or with its mark as `12.00c0ffee`.
impl fmt::Display for EnvironmentRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, mark } = self;
        match mark {
            0 => write!(f, "{number}"),
            mark => write!(f, "{number}.{mark:08x}"),
        }
    }
}

impl EnvironmentRevision {
    /// The revision that a text names, in the spelling of its display and no other; `None` where it names none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (number, mark) = match text.split_once('.') {
            Some((number, mark)) => (number, u32::from_str_radix(mark, 16).ok()?),
            None => (text, 0),
        };
        let number = number.parse::<u64>().ok()?;
        let revision = Self { number, mark };
        (revision.to_string() == text).then_some(revision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_read_as_it_is_written_and_in_no_other_spelling() {
        for (number, mark) in [(0, 0), (12, 0), (12, 1), (u64::MAX, u32::MAX)] {
            let revision = EnvironmentRevision { number, mark };
            assert_eq!(EnvironmentRevision::parse(&revision.to_string()), Some(revision));
        }
        for text in [
            "",
            ".",
            "1.",
            ".1",
            "+1",
            "01",
            "1.0",
            "1.00000000",
            "1.1",
            "1.0000000A",
            "1.+0000001",
            "-1",
            "1 ",
            "18446744073709551616",
        ] {
            assert_eq!(EnvironmentRevision::parse(text), None, "{text}");
        }
    }
}
