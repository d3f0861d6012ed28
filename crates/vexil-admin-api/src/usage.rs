//! What is read back: the last hour, hour by hour, and flags that nobody knows.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Counts, EnvironmentUsage, HourUsage};

use crate::timestamp::Timestamp;

/// `GET /api/admin/client-metrics/features/{name}`: the usage of the last hour.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FeatureUsage<'a> {
    version: u32,
    maturity: &'static str,
    feature_name: &'a str,
    last_hour_usage: Vec<EnvironmentItem<'a>>,
    seen_applications: &'a [String],
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
    /// The document; `applications` in their order.
    #[must_use]
    pub fn new(flag: &'a str, last_hour: &'a [EnvironmentUsage], applications: &'a [String]) -> Self {
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
    data: Vec<HourItem<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HourItem<'a> {
    feature_name: &'a str,
    app_name: &'a str,
    environment: &'a str,
    timestamp: Timestamp,
    yes: u64,
    no: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<Variants<'a>>,
}

impl<'a> RawUsage<'a> {
    /// The document. Hours without a report have zeros and no variants.
    #[must_use]
    pub fn new(flag: &'a str, hours: &'a [HourUsage]) -> Self {
        let item = |hour: &'a HourUsage| HourItem {
            feature_name: flag,
            app_name: &hour.application,
            environment: hour.environment.as_str(),
            timestamp: hour.start.into(),
            yes: hour.counts.as_ref().map_or(0, |counts| counts.yes.get()),
            no: hour.counts.as_ref().map_or(0, |counts| counts.no.get()),
            variants: hour.counts.as_ref().map(Variants),
        };
        Self {
            version: 1,
            maturity: "stable",
            data: hours.iter().map(item).collect(),
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
