//! Many values of each kind, so that some fall into every bucket range.

use vexil_budget::Exhausted;

use super::compared::Compared;
use super::found::Candidates;
use super::networks;

/// So many plain ids are tried. A range of one in a hundred is missed once in 500 million.
const IDS: u32 = 2_000;
/// So many values of each other kind are tried. A range of one in a hundred is missed once in 20.
const EACH: u32 = 300;

pub(super) fn add(field: &str, compared: &Compared<'_>, found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    let stem = match field {
        "userId" => "user",
        "sessionId" => "session",
        other => other,
    };
    for number in 1..=IDS {
        found.add(format!("{stem}-{number}"))?;
    }
    for (start, middle, end) in compared.needles.frames().iter().skip(1) {
        for number in 1..=EACH {
            found.add(format!("{start}{middle}{number}{end}"))?;
        }
    }
    for number in &compared.numbers {
        for step in (1..=EACH).map(f64::from) {
            found.add((number + step).to_string())?;
            found.add((number - step).to_string())?;
        }
    }
    for version in &compared.versions {
        for step in 1..=u64::from(EACH) {
            let [major, minor, patch] = version.core();
            found.add(format!("{major}.{minor}.{}", patch.saturating_add(step)))?;
        }
    }
    for network in &compared.networks {
        for step in 1..=EACH {
            let inside = networks::moved(network.first(), step, true);
            let outside = networks::moved(network.last(), step, true);
            for address in [inside, outside].into_iter().flatten() {
                found.add(address.to_string())?;
            }
        }
    }
    Ok(())
}
