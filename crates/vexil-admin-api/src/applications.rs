//! `GET /api/admin/metrics/applications` and `…/{application}`: who uses the flags.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, ProjectId, Snapshot, StrategyParameter};

use crate::application_form::Said;
use crate::timestamp::Timestamp;

/// SDKs in browsers and apps; the others run on servers.
const FRONT_ENDS: [&str; 9] = [
    "unleash-client-js",
    "unleash-js",
    "unleash-client-react",
    "unleash-react",
    "unleash-client-vue",
    "unleash-client-svelte",
    "unleash-client-swift",
    "unleash-client-android",
    "unleash-client-flutter",
];

/// Whether an SDK such as `unleash-js:1.0.0` runs in browsers and apps.
#[must_use]
pub fn is_front_end(sdk: &str) -> bool {
    FRONT_ENDS.contains(&sdk.split_once(':').map_or(sdk, |(name, _)| name))
}

/// What is known of an application.
#[derive(Debug, Clone, Default)]
pub struct Application {
    /// The instances that have registered.
    pub instances: Vec<Instance>,
    /// The environments that usage was reported from, by flag.
    pub reported: BTreeMap<FlagName, BTreeSet<EnvironmentName>>,
    /// The last usage that was reported.
    pub last_report: Option<OffsetDateTime>,
    /// What people have said of it.
    pub said: Option<Said>,
}

/// An instance of an application.
#[derive(Debug, Clone)]
pub struct Instance {
    /// What it calls itself.
    pub id: String,
    /// The environment it runs in.
    pub environment: EnvironmentName,
    /// The SDK and its version.
    pub sdk_version: Option<String>,
    /// The strategy types it can evaluate.
    pub strategies: Vec<String>,
    /// When it was first heard of.
    pub first_seen: OffsetDateTime,
    /// When it was last heard of.
    pub last_seen: OffsetDateTime,
}

impl Application {
    fn created_at(&self) -> Option<Timestamp> {
        self.instances
            .iter()
            .map(|instance| instance.first_seen)
            .chain(self.said.iter().map(|said| said.created_at))
            .min()
            .map(Timestamp)
    }

    fn updated_at(&self) -> Option<Timestamp> {
        self.instances
            .iter()
            .map(|instance| instance.last_seen)
            .chain(self.last_report)
            .chain(self.said.iter().map(|said| said.updated_at))
            .max()
            .map(Timestamp)
    }

    fn strategies(&self) -> BTreeSet<&str> {
        self.instances
            .iter()
            .flat_map(|instance| &instance.strategies)
            .chain(self.said.iter().flat_map(|said| &said.strategies))
            .map(String::as_str)
            .collect()
    }

    fn said(&self, text: impl Fn(&Said) -> &Option<String>) -> Option<&str> {
        text(self.said.as_ref()?).as_deref()
    }

    fn environment(&self) -> Option<&EnvironmentName> {
        let registered = self.instances.iter().map(|instance| &instance.environment);
        registered.chain(self.reported.values().flatten()).min()
    }

    fn usage<'a>(&'a self, snapshot: &'a Snapshot) -> Vec<ProjectUsage<'a>> {
        let mut projects = BTreeMap::<&ProjectId, BTreeSet<&EnvironmentName>>::new();
        for (flag, environments) in &self.reported {
            if let Some(flag) = snapshot.flags.get(flag) {
                projects.entry(&flag.project).or_default().extend(environments);
            }
        }
        projects
            .into_iter()
            .map(|(project, environments)| ProjectUsage {
                project,
                environments: environments.into_iter().collect(),
            })
            .collect()
    }
}

#[derive(Debug, Serialize)]
struct ProjectUsage<'a> {
    project: &'a ProjectId,
    environments: Vec<&'a EnvironmentName>,
}

/// A page of a list of applications.
#[derive(Debug, Serialize)]
pub struct ApplicationList<'a> {
    applications: Vec<ListItem<'a>>,
    total: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListItem<'a> {
    app_name: &'a str,
    created_at: Option<Timestamp>,
    updated_at: Option<Timestamp>,
    description: Option<&'a str>,
    strategies: BTreeSet<&'a str>,
    url: Option<&'a str>,
    color: Option<&'a str>,
    icon: Option<&'a str>,
    /// Always `None`: nobody has made it.
    created_by: Option<&'a str>,
    /// The first project of its usage; `*` where there is none.
    project: &'a str,
    /// The first environment that it registered or reported from.
    environment: Option<&'a EnvironmentName>,
    usage: Vec<ProjectUsage<'a>>,
}

impl<'a> ApplicationList<'a> {
    /// The document; `total` counts the applications of all pages.
    #[must_use]
    pub fn new(
        page: impl Iterator<Item = (&'a str, &'a Application)>,
        total: usize,
        snapshot: &'a Snapshot,
    ) -> Self {
        let item = |(app_name, application): (&'a str, &'a Application)| {
            let usage = application.usage(snapshot);
            ListItem {
                app_name,
                created_at: application.created_at(),
                updated_at: application.updated_at(),
                description: application.said(|said| &said.description),
                strategies: application.strategies(),
                url: application.said(|said| &said.url),
                color: application.said(|said| &said.color),
                icon: application.said(|said| &said.icon),
                created_by: None,
                project: usage.first().map_or("*", |usage| usage.project.as_str()),
                environment: application.environment(),
                usage,
            }
        };
        Self {
            applications: page.map(item).collect(),
            total,
        }
    }
}

/// One application.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationDocument<'a> {
    app_name: &'a str,
    created_at: Option<Timestamp>,
    description: Option<&'a str>,
    url: Option<&'a str>,
    color: Option<&'a str>,
    icon: Option<&'a str>,
    strategies: Vec<Found<'a, StrategyItem<'a>>>,
    instances: Vec<InstanceItem<'a>>,
    seen_toggles: Vec<Found<'a, FlagItem<'a>>>,
    links: Links,
}

/// Something that is looked up by name.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Found<'a, T> {
    Here(T),
    #[serde(rename_all = "camelCase")]
    NotHere {
        name: &'a str,
        not_found: bool,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct StrategyItem<'a> {
    name: &'a str,
    display_name: Option<&'a str>,
    description: &'a str,
    editable: bool,
    deprecated: bool,
    parameters: &'a [StrategyParameter],
    title: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct InstanceItem<'a> {
    app_name: &'a str,
    instance_id: &'a str,
    sdk_version: Option<&'a str>,
    sdk_type: Option<&'static str>,
    client_ip: Option<&'a str>,
    last_seen: Timestamp,
    created_at: Timestamp,
    environment: &'a EnvironmentName,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FlagItem<'a> {
    name: &'a str,
    description: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'a str,
    project: &'a ProjectId,
    stale: bool,
    created_at: Timestamp,
    impression_data: bool,
    archived: bool,
}

#[derive(Debug, Serialize)]
struct Links {
    #[serde(rename = "self")]
    this: String,
}

impl<'a> ApplicationDocument<'a> {
    /// The document.
    #[must_use]
    pub fn new(name: &'a str, application: &'a Application, snapshot: &'a Snapshot) -> Self {
        Self {
            app_name: name,
            created_at: application.created_at(),
            description: application.said(|said| &said.description),
            url: application.said(|said| &said.url),
            color: application.said(|said| &said.color),
            icon: application.said(|said| &said.icon),
            strategies: application
                .strategies()
                .into_iter()
                .map(|name| strategy(name, snapshot))
                .collect(),
            instances: application
                .instances
                .iter()
                .map(|instance| instance_item(name, instance))
                .collect(),
            seen_toggles: application
                .reported
                .keys()
                .map(|flag| seen_flag(flag, snapshot))
                .collect(),
            links: Links {
                this: format!("/api/applications/{name}"),
            },
        }
    }
}

fn strategy<'a>(name: &'a str, snapshot: &'a Snapshot) -> Found<'a, StrategyItem<'a>> {
    let Some(known) = snapshot.strategy_types.get(name) else {
        return Found::NotHere {
            name,
            not_found: true,
        };
    };
    Found::Here(StrategyItem {
        name,
        display_name: known.display_name.as_deref(),
        description: &known.description,
        editable: !known.built_in,
        deprecated: known.deprecated,
        parameters: &known.parameters,
        title: known.title.as_deref(),
    })
}

fn sdk_type(sdk: &str) -> &'static str {
    if is_front_end(sdk) { "frontend" } else { "backend" }
}

fn instance_item<'a>(app_name: &'a str, instance: &'a Instance) -> InstanceItem<'a> {
    InstanceItem {
        app_name,
        instance_id: &instance.id,
        sdk_version: instance.sdk_version.as_deref(),
        sdk_type: instance.sdk_version.as_deref().map(sdk_type),
        client_ip: None,
        last_seen: instance.last_seen.into(),
        created_at: instance.first_seen.into(),
        environment: &instance.environment,
    }
}

fn seen_flag<'a>(name: &'a FlagName, snapshot: &'a Snapshot) -> Found<'a, FlagItem<'a>> {
    match snapshot.flags.get(name).map(AsRef::as_ref) {
        None => Found::NotHere {
            name: name.as_str(),
            not_found: true,
        },
        Some(FeatureFlag {
            name,
            description,
            kind,
            project,
            stale,
            created_at,
            impression_data,
            archived_at,
            ..
        }) => Found::Here(FlagItem {
            name: name.as_str(),
            description: description.as_deref(),
            kind,
            project,
            stale: *stale,
            created_at: (*created_at).into(),
            impression_data: *impression_data,
            archived: archived_at.is_some(),
        }),
    }
}
