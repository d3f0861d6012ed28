//! Versions equal to, just below and just above what constraints compare with.

use vexil_budget::Exhausted;
use vexil_values::Version;

use super::found::Candidates;

pub(super) fn add(sorted: &[Version<'_>], found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    for version in sorted {
        found.add(version.to_string())?;
    }
    if let Some(first) = sorted.first() {
        for version in below(first) {
            found.add(version)?;
        }
    }
    if let Some(last) = sorted.last() {
        found.add(above(last))?;
    }
    for (low, high) in sorted.iter().zip(sorted.iter().skip(1)) {
        let nested = (!low.pre().is_empty()).then(|| format!("{low}.0"));
        let early = format!("{}-0", above(low));
        let candidates = [Some(above(low)), nested, Some(early)]
            .into_iter()
            .flatten()
            .chain(below(high));
        let between =
            |text: &String| Version::parse(text).is_some_and(|version| *low < version && version < *high);
        for version in candidates.filter(between) {
            found.add(version)?;
        }
    }
    Ok(())
}

/// The next patch without a pre-release; of a pre-release, its release.
fn above(version: &Version<'_>) -> String {
    let [major, minor, patch] = version.core();
    let step = u64::from(version.pre().is_empty());
    format!("{major}.{minor}.{}", patch.saturating_add(step))
}

/// Versions below: the plain one before, and the earliest pre-release.
fn below(version: &Version<'_>) -> Vec<String> {
    let [major, minor, patch] = version.core();
    let plain = match (major, minor, patch) {
        (_, _, 1..) => Some([major, minor, patch - 1]),
        (_, 1.., 0) => Some([major, minor - 1, 9]),
        (1.., 0, 0) => Some([major - 1, 9, 9]),
        (0, 0, 0) => None,
    };
    let earliest = format!("{major}.{minor}.{patch}-0");
    let plain = plain.map(|[major, minor, patch]| format!("{major}.{minor}.{patch}"));
    plain.into_iter().chain([earliest]).collect()
}
