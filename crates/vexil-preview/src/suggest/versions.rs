//! Versions equal to, just below and just above what constraints compare with.

use std::cmp::Ordering;

use semver::{BuildMetadata, Prerelease, Version};
use vexil_budget::Exhausted;

use super::candidates::Candidates;

pub(super) fn add(sorted: &[Version], found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    for version in sorted {
        found.add(version.to_string())?;
    }
    if let Some(first) = sorted.first() {
        for version in below(first) {
            found.add(version.to_string())?;
        }
    }
    if let Some(last) = sorted.last() {
        found.add(above(last).to_string())?;
    }
    for (low, high) in sorted.iter().zip(sorted.iter().skip(1)) {
        let nested = with_pre(low, &format!("{}.0", low.pre)).filter(|_| !low.pre.is_empty());
        let early = with_pre(&above(low), "0");
        let candidates = [Some(above(low)), nested, early]
            .into_iter()
            .flatten()
            .chain(below(high));
        let between = |version: &Version| {
            low.cmp_precedence(version) == Ordering::Less && version.cmp_precedence(high) == Ordering::Less
        };
        for version in candidates.filter(between) {
            found.add(version.to_string())?;
        }
    }
    Ok(())
}

/// The next patch without a pre-release; of a pre-release, its release.
fn above(version: &Version) -> Version {
    let patch = if version.pre.is_empty() {
        version.patch.saturating_add(1)
    } else {
        version.patch
    };
    Version::new(version.major, version.minor, patch)
}

/// Versions below: the plain one before, and the earliest pre-release.
fn below(version: &Version) -> Vec<Version> {
    let Version {
        major, minor, patch, ..
    } = *version;
    let plain = match (major, minor, patch) {
        (_, _, 1..) => Some(Version::new(major, minor, patch - 1)),
        (_, 1.., 0) => Some(Version::new(major, minor - 1, 9)),
        (1.., 0, 0) => Some(Version::new(major - 1, 9, 9)),
        (0, 0, 0) => None,
    };
    plain.into_iter().chain(with_pre(version, "0")).collect()
}

fn with_pre(version: &Version, pre: &str) -> Option<Version> {
    let pre = Prerelease::new(pre).ok()?;
    Some(Version {
        pre,
        build: BuildMetadata::EMPTY,
        ..version.clone()
    })
}
