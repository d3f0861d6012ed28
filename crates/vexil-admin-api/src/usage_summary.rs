//! What the usage of a project says of its flags: which are always on, always off, or not asked for.

use serde::Serialize;
use time::OffsetDateTime;
use vexil_metrics::Counts;

use crate::timestamp::Timestamp;

/// `GET /api/admin/projects/{project}/client-metrics/summary`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UsageSummary<'a> {
    version: u32,
    start: Timestamp,
    hours: u32,
    features: Vec<FlagSummary<'a>>,
}

/// A flag.
#[derive(Debug, Serialize)]
pub struct FlagSummary<'a> {
    name: &'a str,
    environments: Vec<EnvironmentSummary<'a>>,
}

/// A flag in one environment.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentSummary<'a> {
    name: &'a str,
    enabled: bool,
    result: Outcome,
    yes: u64,
    no: u64,
    last_seen_at: Option<Timestamp>,
}

/// What evaluations came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Outcome {
    /// True each time.
    AlwaysOn,
    /// False each time.
    AlwaysOff,
    /// Both occurred.
    Mixed,
    /// There were none.
    NotAskedFor,
}

impl<'a> UsageSummary<'a> {
    /// The document of `hours` hours from `start` on.
    #[must_use]
    pub fn new(start: OffsetDateTime, hours: u32, features: Vec<FlagSummary<'a>>) -> Self {
        Self {
            version: 1,
            start: start.into(),
            hours,
            features,
        }
    }
}

impl<'a> FlagSummary<'a> {
    /// A flag, with what is known of it by environment.
    #[must_use]
    pub fn new(name: &'a str, environments: Vec<EnvironmentSummary<'a>>) -> Self {
        Self { name, environments }
    }
}

impl<'a> EnvironmentSummary<'a> {
    /// What was counted of a flag in an environment, where it is on or off, and when it was last reported.
    #[must_use]
    pub fn new(name: &'a str, enabled: bool, counts: &Counts, last_seen: Option<OffsetDateTime>) -> Self {
        let (yes, no) = (counts.yes.get(), counts.no.get());
        let result = match (yes, no) {
            (0, 0) => Outcome::NotAskedFor,
            (_, 0) => Outcome::AlwaysOn,
            (0, _) => Outcome::AlwaysOff,
            _ => Outcome::Mixed,
        };
        Self {
            name,
            enabled,
            result,
            yes,
            no,
            last_seen_at: last_seen.map(Into::into),
        }
    }
}
