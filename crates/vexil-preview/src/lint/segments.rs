//! Segments that let nobody or everybody in.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_budget::Budget;
use vexil_domain::{ActivationStrategy, EnvironmentFlag, EnvironmentSnapshot, Segment};

use super::bench::{Bench, Open};
use super::finding::{Finding, FindingKind, Lint, Subject};
use crate::quoting::quoted;

/// Adds what is found of a segment.
pub(super) fn look_at(
    snapshot: &EnvironmentSnapshot,
    segment: &Segment,
    now: OffsetDateTime,
    budget: &Budget,
    lint: &mut Lint,
) {
    let mut strategy = ActivationStrategy::new("s", "default");
    strategy.segments = vec![segment.id];
    let flag = Arc::new(EnvironmentFlag::new("of a segment", "").with_strategy(strategy));
    let bench = Bench::new(snapshot, &flag, now, budget);
    match found(&bench) {
        Ok(Some((kind, reason))) => lint.findings.push(Finding {
            subject: Subject::Segment(segment.id, segment.name.clone()),
            kind,
            reason: reason.to_owned(),
        }),
        Ok(None) => {}
        Err(Open) => lint.undecided.push(format!("segment {}", quoted(&segment.name))),
    }
}

fn found(bench: &Bench<'_>) -> Result<Option<(FindingKind, &'static str)>, Open> {
    let settings = |flag: &mut EnvironmentFlag, enabled: bool| {
        let settings = Arc::make_mut(&mut flag.settings);
        settings.enabled = enabled;
        settings.strategies.clear();
    };
    if bench.is_without_effect(|flag| settings(flag, false))? {
        let reason = "no context meets all of its constraints";
        return Ok(Some((FindingKind::SegmentAdmitsNobody, reason)));
    }
    if bench.is_without_effect(|flag| settings(flag, true))? {
        let reason = "every context meets all of its constraints";
        return Ok(Some((FindingKind::SegmentAdmitsEverybody, reason)));
    }
    Ok(None)
}
