//! What is read back: the last hour, hour by hour, and flags that nobody knows.

use std::collections::{BTreeMap, BTreeSet};

use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Counts, EnvironmentMinutes, EnvironmentUsage, HourUsage, MinuteLine, SlotCounts};

use crate::timestamp::Timestamp;

/// `GET /api/admin/client-metrics/features/{name}`: the usage of the last hour.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FeatureUsage<'a> {
    version: u32,
    maturity: &'static str,
    feature_name: &'a str,
    last_hour_usage: Vec<EnvironmentItem<'a>>,
    seen_applications: &'a BTreeSet<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EnvironmentItem<'a> {
    feature_name: &'a str,
    environment: &'a str,
    timestamp: Timestamp,
    yes: u64,
    no: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<Variants<'a>>,
}

impl<'a> FeatureUsage<'a> {
    /// The document.
    #[must_use]
    pub fn new(flag: &'a str, last_hour: &'a [EnvironmentUsage], applications: &'a BTreeSet<String>) -> Self {
        let item = |usage: &'a EnvironmentUsage| EnvironmentItem {
            feature_name: flag,
            environment: usage.environment.as_str(),
            timestamp: usage.start.into(),
            yes: usage.counts.yes.get(),
            no: usage.counts.no.get(),
            variants: Some(Variants(&usage.counts)).filter(|variants| !variants.0.variants.is_empty()),
        };
        Self {
            version: 1,
            maturity: "stable",
            feature_name: flag,
            last_hour_usage: last_hour.iter().map(item).collect(),
            seen_applications: applications,
        }
    }
}

/// `GET /api/admin/client-metrics/features/{name}/raw`: usage hour by hour.
#[derive(Debug, Serialize)]
pub struct RawUsage<'a> {
    version: u32,
    maturity: &'static str,
    data: Hours<'a>,
}

#[derive(Debug)]
struct Hours<'a> {
    flag: &'a str,
    hours: &'a [HourUsage<'a>],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HourItem<'a> {
    feature_name: &'a str,
    app_name: &'a str,
    environment: &'a str,
    timestamp: &'a str,
    yes: u64,
    no: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<SlotVariants<'a>>,
}

impl<'a> RawUsage<'a> {
    /// The document. Hours without a report have zeros and no variants.
    #[must_use]
    pub fn new(flag: &'a str, hours: &'a [HourUsage<'a>]) -> Self {
        Self {
            version: 1,
            maturity: "stable",
            data: Hours { flag, hours },
        }
    }
}

impl Serialize for Hours<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(Some(self.hours.len()))?;
        // an hour's text is written once for all that was used in it
        for hour in self.hours.chunk_by(|one, next| one.start == next.start) {
            let Some(first) = hour.first() else { continue };
            let timestamp = Timestamp(first.start).text().map_err(S::Error::custom)?;
            for usage in hour {
                items.serialize_element(&HourItem {
                    feature_name: self.flag,
                    app_name: usage.application,
                    environment: usage.environment.as_str(),
                    timestamp: &timestamp,
                    yes: usage.counts.as_ref().map_or(0, |counts| counts.yes.get()),
                    no: usage.counts.as_ref().map_or(0, |counts| counts.no.get()),
                    variants: usage.counts.map(SlotVariants),
                })?;
            }
        }
        items.end()
    }
}

/// `GET /api/admin/client-metrics/features/{name}/minutes`: the usage of a flag minute by minute. Where nobody
/// reported stands `null`, which is not zero.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlagMinutes<'a> {
    version: u32,
    feature_name: &'a str,
    start: Timestamp,
    minutes: u32,
    environments: Vec<EnvironmentLines<'a>>,
}

impl<'a> FlagMinutes<'a> {
    /// The document of `minutes` minutes from `start` on.
    #[must_use]
    pub fn new(flag: &'a str, start: OffsetDateTime, minutes: u32, usage: &'a [EnvironmentMinutes]) -> Self {
        Self {
            version: 1,
            feature_name: flag,
            start: start.into(),
            minutes,
            environments: usage.iter().map(EnvironmentLines::with_applications).collect(),
        }
    }
}

/// `POST /api/admin/client-metrics/minutes` and `GET /api/admin/projects/{project}/client-metrics/minutes`: the
/// usage of several flags minute by minute, all applications together.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlagsMinutes<'a> {
    version: u32,
    start: Timestamp,
    minutes: u32,
    features: Vec<FlagLines<'a>>,
}

#[derive(Debug, Serialize)]
struct FlagLines<'a> {
    name: &'a str,
    environments: Vec<EnvironmentLines<'a>>,
}

impl<'a> FlagsMinutes<'a> {
    /// The document of `minutes` minutes from `start` on; flags in their order.
    #[must_use]
    pub fn new(
        start: OffsetDateTime,
        minutes: u32,
        usage: impl Iterator<Item = (&'a FlagName, &'a [EnvironmentMinutes])>,
    ) -> Self {
        let lines = |(name, usage): (&'a FlagName, &'a [EnvironmentMinutes])| FlagLines {
            name: name.as_str(),
            environments: usage.iter().map(EnvironmentLines::of).collect(),
        };
        Self {
            version: 1,
            start: start.into(),
            minutes,
            features: usage.map(lines).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct EnvironmentLines<'a> {
    environment: &'a str,
    #[serde(flatten)]
    lines: Lines<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    applications: Option<BTreeMap<&'a str, ApplicationLines<'a>>>,
}

impl<'a> EnvironmentLines<'a> {
    fn of(usage: &'a EnvironmentMinutes) -> Self {
        Self {
            environment: usage.environment.as_str(),
            lines: Lines::of(&usage.all),
            applications: None,
        }
    }

    fn with_applications(usage: &'a EnvironmentMinutes) -> Self {
        let lines = |(name, line): (&'a String, &'a MinuteLine)| {
            let total = line.total();
            let lines = ApplicationLines {
                yes: total.yes.get(),
                no: total.no.get(),
                minutes: Lines::of(line),
            };
            (name.as_str(), lines)
        };
        Self {
            applications: Some(usage.applications.iter().map(lines).collect()),
            ..Self::of(usage)
        }
    }
}

/// The sums of an application, and its minutes.
#[derive(Debug, Serialize)]
struct ApplicationLines<'a> {
    yes: u64,
    no: u64,
    minutes: Lines<'a>,
}

/// One number or `null` for each minute.
#[derive(Debug, Serialize)]
struct Lines<'a> {
    yes: Vec<Option<u64>>,
    no: Vec<Option<u64>>,
    variants: BTreeMap<&'a str, Vec<Option<u64>>>,
}

impl<'a> Lines<'a> {
    fn of(line: &'a MinuteLine) -> Self {
        let each = |of: &dyn Fn(&Counts) -> u64| -> Vec<Option<u64>> {
            line.minutes
                .iter()
                .map(|counts| counts.as_ref().map(of))
                .collect()
        };
        let reported = line.minutes.iter().flatten();
        let names: BTreeSet<&str> = reported
            .flat_map(|counts| counts.variants.keys().map(String::as_str))
            .collect();
        let variant = |name: &'a str| {
            let times = each(&|counts| counts.variants.get(name).map_or(0, |times| times.get()));
            (name, times)
        };
        Self {
            yes: each(&|counts| counts.yes.get()),
            no: each(&|counts| counts.no.get()),
            variants: names.into_iter().map(variant).collect(),
        }
    }
}

#[derive(Debug)]
struct Variants<'a>(&'a Counts);

impl Serialize for Variants<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let variants = &self.0.variants;
        let mut map = serializer.serialize_map(Some(variants.len()))?;
        for (name, times) in variants {
            map.serialize_entry(name, &times.get())?;
        }
        map.end()
    }
}

#[derive(Debug)]
struct SlotVariants<'a>(SlotCounts<'a>);

impl Serialize for SlotVariants<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let variants = self.0.variants();
        let mut map = serializer.serialize_map(Some(variants.len()))?;
        for (name, times) in variants {
            map.serialize_entry(name, &times.get())?;
        }
        map.end()
    }
}

/// `GET /api/admin/metrics/unknown-flags`: names that were reported and that no flag has.
#[derive(Debug, Default)]
pub struct UnknownFlags<'a>(BTreeMap<&'a str, BTreeMap<&'a str, BTreeMap<&'a str, OffsetDateTime>>>);

impl<'a> UnknownFlags<'a> {
    /// Adds that `application` last reported `flag` in `environment` at `seen`.
    pub fn add(
        &mut self,
        flag: &'a FlagName,
        application: &'a str,
        environment: &'a EnvironmentName,
        seen: OffsetDateTime,
    ) {
        let applications = self.0.entry(flag.as_str()).or_default();
        let latest = applications
            .entry(application)
            .or_default()
            .entry(environment.as_str())
            .or_insert(seen);
        *latest = seen.max(*latest);
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UnknownFlag<'a> {
    name: &'a str,
    last_seen_at: Option<Timestamp>,
    last_event_at: Option<Timestamp>,
    reports: Vec<UnknownFlagReport<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UnknownFlagReport<'a> {
    app_name: &'a str,
    environments: Vec<SeenEnvironment<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SeenEnvironment<'a> {
    environment: &'a str,
    seen_at: Timestamp,
}

impl Serialize for UnknownFlags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let flags = self.0.iter().map(|(name, applications)| UnknownFlag {
            name,
            last_seen_at: applications
                .values()
                .flat_map(BTreeMap::values)
                .max()
                .map(|&seen| seen.into()),
            last_event_at: None,
            reports: applications
                .iter()
                .map(|(name, environments)| report(name, environments))
                .collect(),
        });
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("unknownFlags", &flags.collect::<Vec<_>>())?;
        map.end()
    }
}

fn report<'a>(app_name: &'a str, environments: &BTreeMap<&'a str, OffsetDateTime>) -> UnknownFlagReport<'a> {
    let environments = environments
        .iter()
        .map(|(environment, &seen)| SeenEnvironment {
            environment,
            seen_at: seen.into(),
        })
        .collect();
    UnknownFlagReport {
        app_name,
        environments,
    }
}
