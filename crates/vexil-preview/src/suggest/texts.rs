//! Texts that start, end with or contain what constraints look for, and such as just fail to.

use vexil_budget::Exhausted;

use super::found::Candidates;

/// So many needles of each kind are combined with those of the others.
const COMBINED: usize = 6;

/// What constraints look for in text.
#[derive(Default)]
pub(super) struct Needles<'a> {
    pub(super) starts: Vec<&'a str>,
    pub(super) contains: Vec<&'a str>,
    pub(super) ends: Vec<&'a str>,
}

impl<'a> Needles<'a> {
    /// Start, middle and end of texts that fit some needles of each kind, or none of a kind.
    pub(super) fn frames(&self) -> Vec<(&'a str, &'a str, &'a str)> {
        let some = |needles: &[&'a str]| -> Vec<&'a str> {
            std::iter::once("")
                .chain(needles.iter().copied().take(COMBINED))
                .collect()
        };
        let (starts, contains, ends) = (some(&self.starts), some(&self.contains), some(&self.ends));
        let mut frames = Vec::new();
        for start in &starts {
            for middle in &contains {
                frames.extend(ends.iter().map(|end| (*start, *middle, *end)));
            }
        }
        frames
    }
}

pub(super) fn add(needles: &Needles<'_>, found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    let all = || {
        needles
            .starts
            .iter()
            .chain(&needles.contains)
            .chain(&needles.ends)
    };
    for needle in all() {
        found.add(*needle)?;
    }
    for needle in all() {
        for text in [format!("{needle}x"), format!("x{needle}"), format!("x{needle}x")] {
            found.add(text)?;
        }
        let mut shorter = needle.chars();
        shorter.next_back();
        found.add(shorter.as_str())?;
        found.add(needle.to_uppercase())?;
        found.add(needle.to_lowercase())?;
    }
    for (start, middle, end) in needles.frames().iter().skip(1) {
        found.add(format!("{start}{middle}{end}"))?;
        found.add(format!("{start}x{middle}x{end}"))?;
    }
    for one in needles.contains.iter().take(COMBINED) {
        for other in needles.contains.iter().take(COMBINED) {
            found.add(format!("{one}{other}"))?;
        }
    }
    Ok(())
}
