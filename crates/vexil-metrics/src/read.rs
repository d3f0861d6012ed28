//! What rows come to: the sliding hour, hour by hour, and minute by minute.

use std::collections::{BTreeMap, BTreeSet};

use time::{Duration, OffsetDateTime};
use vexil_domain::EnvironmentName;

use crate::{Counts, Line, Rows, SlotCounts, Width};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HourUsage<'a> {
    /// The application.
    pub application: &'a str,
    /// The environment.
    pub environment: &'a EnvironmentName,
    /// Where the hour starts, in UTC.
    pub start: OffsetDateTime,
    /// The sums; `None` where nothing was reported.
    pub counts: Option<SlotCounts<'a>>,
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
    for (series, line) in rows.series() {
        let mut wanted = line
            .iter()
            .filter(|(of, _)| *of >= start && has_begun(now, *of))
            .peekable();
        if wanted.peek().is_some() {
            let sum = sums.entry(&series.environment).or_default();
            wanted.for_each(|(_, counts)| sum.add_slot(counts));
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
    let mut lines = BTreeMap::<(&EnvironmentName, &str), &Line>::new();
    for (series, line) in rows.series() {
        if line.iter().any(|(start, _)| start >= first) {
            environments.insert(&series.environment);
            applications.insert(series.application.as_str());
            lines.insert((&series.environment, &series.application), line);
        }
    }
    let mut wanted: Vec<_> = environments
        .into_iter()
        .flat_map(|environment| {
            applications
                .iter()
                .map(move |&application| (environment, application))
        })
        .map(|(environment, application)| {
            let reported = lines.get(&(environment, application));
            let reported =
                reported.map(|line| line.iter().skip_while(|(start, _)| *start < first).peekable());
            (environment, application, reported)
        })
        .collect();
    let hours = i64::from(hours);
    let mut usage = Vec::with_capacity(usize::try_from(hours).map_or(0, |hours| hours * wanted.len()));
    for hour in 0..hours {
        let start = first.saturating_add(Duration::hours(hour));
        for (environment, application, reported) in &mut wanted {
            let next = reported.as_mut();
            let next = next.and_then(|reported| reported.next_if(|(of, _)| *of == start));
            usage.push(HourUsage {
                application,
                environment,
                start,
                counts: next.map(|(_, counts)| counts),
            });
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

    fn add(&mut self, minute: usize, counts: SlotCounts<'_>) {
        if let Some(slot) = self.minutes.get_mut(minute) {
            slot.get_or_insert_default().add_slot(counts);
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
    for (series, line) in rows.series() {
        let minute = |start: OffsetDateTime| {
            let minute = usize::try_from((start - first).whole_minutes()).ok();
            minute.filter(|minute| start >= first && *minute < length)
        };
        let wanted = line.iter();
        let mut wanted = wanted
            .filter_map(|(start, counts)| Some((minute(start)?, counts)))
            .peekable();
        if wanted.peek().is_none() {
            continue;
        }
        let usage = environments
            .entry(&series.environment)
            .or_insert_with(|| EnvironmentMinutes {
                environment: series.environment.clone(),
                all: MinuteLine::new(length),
                applications: BTreeMap::new(),
            });
        let own = usage.applications.entry(series.application.clone());
        let own = own.or_insert_with(|| MinuteLine::new(length));
        for (minute, counts) in wanted {
            usage.all.add(minute, counts);
            own.add(minute, counts);
        }
    }
    environments.into_values().collect()
}
