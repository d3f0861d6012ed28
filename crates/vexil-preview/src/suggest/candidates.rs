//! Candidates: everything that may be worth trying for one field, the plainest first.

use vexil_budget::Exhausted;
use vexil_domain::Operator;
use vexil_values::Instant;

use super::compared::Compared;
use super::found::Candidates;
use super::{hashed, moments, networks, numbers, patterns, texts, versions};
use crate::probe::FieldProbes;

/// Values that most constraints have nothing to do with.
const NEUTRAL: [&str; 4] = ["other", "Another one", "~", "zzz-none-of-these"];

/// Everything that may be worth trying for a field. A `currentTime` that is only compared as an
/// instant is no other text.
pub(super) fn of(field: &str, probes: &FieldProbes, found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    let compared = Compared::new(&probes.constraints);
    let instants_only = field == "currentTime"
        && probes
            .constraints
            .iter()
            .all(|constraint| matches!(constraint.operator, Operator::DateAfter | Operator::DateBefore));
    for member in &compared.members {
        found.add(*member)?;
    }
    numbers::add(&compared.numbers, found)?;
    versions::add(&compared.versions, found)?;
    moments::add(&compared.moments, found)?;
    networks::add(&compared.networks, found)?;
    texts::add(&compared.needles, found)?;
    for neutral in NEUTRAL {
        found.add(neutral)?;
    }
    found.add("")?;
    patterns::add(&compared.patterns, found)?;
    if probes.is_hashed {
        hashed::add(field, &compared, found)?;
    }
    if instants_only {
        found
            .list
            .retain(|value| value.is_empty() || Instant::parse(value).is_some());
    }
    Ok(())
}
