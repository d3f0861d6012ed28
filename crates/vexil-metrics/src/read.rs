//! What rows come to: the sliding hour, hour by hour, and minute by minute.

use std::collections::{BTreeMap, BTreeSet};

use time::{Duration, OffsetDateTime};
use vexil_domain::EnvironmentName;

use crate::{Counts, Rows, Width};

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
pub struct HourUsage<'a> {
    /// The application.
    pub application: &'a str,
    /// The environment.
    pub environment: &'a EnvironmentName,
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

/// So much may the clocks of servers that share a database differ.
const SKEW: Duration = Duration::MINUTE;

/// Whether a stretch of time has begun, by the clock of whoever counted it. What has not was counted while a clock was
/// ahead that was set back since: it is of no hour that is over, and would be part of each last one until it comes.
#[must_use]
pub fn has_begun(now: OffsetDateTime, start: OffsetDateTime) -> bool {
    start <= now.saturating_add(SKEW)
}

/// The usage of the last hour: the minutes that start at or after [`last_hour_start`] and have begun
/// ([`has_begun`]), one item for each environment that has any, by name. `rows` are minutes of one flag.
#[must_use]
pub fn last_hour(now: OffsetDateTime, rows: &Rows) -> Vec<EnvironmentUsage> {
    let start = last_hour_start(now);
    let mut sums = BTreeMap::<&EnvironmentName, Counts>::new();
    for (key, counts) in rows.iter() {
        if key.start >= start && has_begun(now, key.start) {
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
/// hour. Ordered by hour, then environment, then application. `rows` are hours of one flag.
#[must_use]
pub fn hourly(now: OffsetDateTime, hours: u32, rows: &Rows) -> Vec<HourUsage<'_>> {
    let first = hourly_start(now, hours);
    let mut environments = BTreeSet::new();
    let mut applications = BTreeSet::new();
    let mut reported = BTreeMap::<(OffsetDateTime, &EnvironmentName, &str), Counts>::new();
    for (key, counts) in rows.iter() {
        if key.start < first {
            continue;
        }
        environments.insert(&key.environment);
        applications.insert(key.application.as_str());
        let place = (key.start, &key.environment, key.application.as_str());
        reported.entry(place).or_default().add(counts);
    }
    let most = usize::try_from(hours).map_or(0, |hours| {
        hours.saturating_mul(environments.len() * applications.len())
    });
    let mut usage = Vec::with_capacity(most);
    for hour in 0..i64::from(hours) {
        let start = first.saturating_add(Duration::hours(hour));
        for &environment in &environments {
            usage.extend(applications.iter().map(|&application| HourUsage {
                application,
                environment,
                start,
                counts: reported.remove(&(start, environment, application)),
            }));
        }
    }
    usage
}

/// How often something happened in each of some minutes, the latest last; `None` where nobody
/// reported, which is not zero.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MinuteLine {
    /// What was counted in each minute.
    pub minutes: Vec<Option<Counts>>,
}

impl MinuteLine {
    fn new(minutes: usize) -> Self {
        Self {
            minutes: vec![None; minutes],
        }
    }

    fn add(&mut self, minute: usize, counts: &Counts) {
        if let Some(slot) = self.minutes.get_mut(minute) {
            slot.get_or_insert_default().add(counts);
        }
    }

    /// The sum of all minutes.
    #[must_use]
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.minutes.iter().flatten().for_each(|counts| total.add(counts));
        total
    }
}

/// The usage of one flag in one environment, minute by minute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentMinutes {
    /// The environment.
    pub environment: EnvironmentName,
    /// What all applications reported.
    pub all: MinuteLine,
    /// What each application reported, by name.
    pub applications: BTreeMap<String, MinuteLine>,
}

/// Where the first of `minutes` minutes starts, the current one being the last, in UTC.
#[must_use]
pub fn minutes_start(now: OffsetDateTime, minutes: u32) -> OffsetDateTime {
    let back = Duration::minutes(i64::from(minutes.saturating_sub(1)));
    Width::Minute.floor(now).saturating_sub(back)
}

/// The last `minutes` minutes, the current one included, for each environment that was reported
/// since the first of them, by name. `rows` are minutes of one flag.
#[must_use]
pub fn by_minute(now: OffsetDateTime, minutes: u32, rows: &Rows) -> Vec<EnvironmentMinutes> {
    let first = minutes_start(now, minutes);
    let length = usize::try_from(minutes).unwrap_or(usize::MAX);
    let mut environments = BTreeMap::<&EnvironmentName, EnvironmentMinutes>::new();
    for (key, counts) in rows.iter() {
        let Ok(minute) = usize::try_from((key.start - first).whole_minutes()) else {
            continue;
        };
        if key.start < first || minute >= length {
            continue;
        }
        let usage = environments
            .entry(&key.environment)
            .or_insert_with(|| EnvironmentMinutes {
                environment: key.environment.clone(),
                all: MinuteLine::new(length),
                applications: BTreeMap::new(),
            });
        usage.all.add(minute, counts);
        let line = usage.applications.entry(key.application.clone());
        line.or_insert_with(|| MinuteLine::new(length))
            .add(minute, counts);
    }
    environments.into_values().collect()
}
