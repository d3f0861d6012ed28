//! Reading rows back: the sliding hour, and hour by hour.

use std::collections::{BTreeMap, BTreeSet};

use time::{Duration, OffsetDateTime};
use vexil_domain::EnvironmentName;

use crate::{Batch, Counts, Width};

/// What all applications reported of one flag in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentUsage {
    /// The environment.
    pub environment: EnvironmentName,
    /// Where the sliding hour starts.
    pub start: OffsetDateTime,
    /// The sums.
    pub counts: Counts,
}

/// What one application reported of one flag in one environment and hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HourUsage {
    /// The application.
    pub application: String,
    /// The environment.
    pub environment: EnvironmentName,
    /// Where the hour starts, in UTC.
    pub start: OffsetDateTime,
    /// The sums; `None` where nothing was reported.
    pub counts: Option<Counts>,
}

/// Where the sliding hour starts: the whole minute at or before one hour ago, in UTC.
#[must_use]
pub fn last_hour_start(now: OffsetDateTime) -> OffsetDateTime {
    Width::Minute.floor(now.saturating_sub(Duration::HOUR))
}

/// The usage of the last hour: the rows of minutes that start at or after [`last_hour_start`], one
/// item for each environment that has any, by name. `rows` are those of one flag.
#[must_use]
pub fn last_hour(now: OffsetDateTime, rows: &Batch) -> Vec<EnvironmentUsage> {
    let start = last_hour_start(now);
    let mut sums = BTreeMap::<&EnvironmentName, Counts>::new();
    for (key, counts) in rows.iter() {
        if key.width == Width::Minute && key.start >= start {
            sums.entry(&key.environment).or_default().add(counts);
        }
    }
    sums.into_iter()
        .map(|(environment, counts)| EnvironmentUsage {
            environment: environment.clone(),
            start,
            counts,
        })
        .collect()
}

/// Where the first of `hours` hours starts, the current one being the last, in UTC.
#[must_use]
pub fn hourly_start(now: OffsetDateTime, hours: u32) -> OffsetDateTime {
    let back = Duration::hours(i64::from(hours.saturating_sub(1)));
    Width::Hour.floor(now).saturating_sub(back)
}

/// The last `hours` hours, the current one included: for each hour, each environment and each
/// application that any of them was reported in since the first hour, what it reported in that
/// hour. Ordered by hour, then environment, then application. `rows` are those of one flag.
#[must_use]
pub fn hourly(now: OffsetDateTime, hours: u32, rows: &Batch) -> Vec<HourUsage> {
    let first = hourly_start(now, hours);
    let mut environments = BTreeSet::new();
    let mut applications = BTreeSet::new();
    let mut reported = BTreeMap::<(OffsetDateTime, &EnvironmentName, &str), Counts>::new();
    for (key, counts) in rows.iter() {
        if key.width != Width::Hour || key.start < first {
            continue;
        }
        environments.insert(&key.environment);
        applications.insert(key.application.as_str());
        let place = (key.start, &key.environment, key.application.as_str());
        reported.entry(place).or_default().add(counts);
    }
    let mut usage = Vec::new();
    for hour in 0..i64::from(hours) {
        let start = first.saturating_add(Duration::hours(hour));
        for &environment in &environments {
            usage.extend(applications.iter().map(|&application| HourUsage {
                application: application.to_owned(),
                environment: environment.clone(),
                start,
                counts: reported.get(&(start, environment, application)).cloned(),
            }));
        }
    }
    usage
}
