//! Instants at, just before and just after what constraints compare with.

use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};
use vexil_budget::Exhausted;

use super::found::Candidates;

pub(super) fn add(sorted: &[OffsetDateTime], found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    let mut put = |moment: Option<OffsetDateTime>| match moment.and_then(|it| it.format(&Rfc3339).ok()) {
        Some(text) => found.add(text),
        None => Ok(()),
    };
    let second = Duration::SECOND;
    for moment in sorted {
        put(Some(*moment))?;
    }
    put(sorted.first().and_then(|first| first.checked_sub(second)))?;
    put(sorted.last().and_then(|last| last.checked_add(second)))?;
    for (early, late) in sorted.iter().zip(sorted.iter().skip(1)) {
        let gap = *late - *early;
        for step in [second, gap - second, gap / 2, Duration::NANOSECOND] {
            if step > Duration::ZERO && step < gap {
                put(early.checked_add(step))?;
            }
        }
    }
    Ok(())
}
