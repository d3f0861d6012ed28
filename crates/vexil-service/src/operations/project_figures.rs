//! How a project does, in figures: from its flags, and from what the audit log has of it.

use std::collections::BTreeMap;

use serde_json::Value;
use time::{Duration, OffsetDateTime};
use vexil_admin_api::project_figures::{FlagLeadTime, LeadTime, ProjectStats};
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, Project, ProjectId, Snapshot};
use vexil_store::{EventFilter, NewEvent, StoreError};

use crate::app::{App, Reader};
use crate::operations::Error;

/// How long a window is.
const WINDOW: Duration = Duration::days(30);
/// The type of environments in which flags are there for everybody.
const PRODUCTION: &str = "production";
/// From how many of the newest events it is counted who got something, and when flags were on for the first time.
const NEWEST: u64 = 1_000;

/// What the audit log has of a project.
#[derive(Debug)]
pub struct Told {
    /// When something happened last.
    pub latest: Option<OffsetDateTime>,
    lately: u64,
    before: u64,
    joined: usize,
    /// When flags were switched on in production for the first time.
    first_on: BTreeMap<FlagName, OffsetDateTime>,
    now: OffsetDateTime,
}

/// Asks the audit log about a project, and not about an earlier one of the same id.
pub async fn told(app: &App, snapshot: &Snapshot, project: &Project) -> Result<Told, Error> {
    let (id, made, now) = (project.id.clone(), project.created_at, app.now());
    let production = production_of(snapshot, project);
    app.read(move |store| read(store, &id, made, now, production))
        .await
}

fn production_of(snapshot: &Snapshot, project: &Project) -> Vec<EnvironmentName> {
    let used = project.environments.keys();
    let known = used.filter_map(|name| snapshot.environments.get(name));
    let production = known.filter(|environment| environment.kind == PRODUCTION);
    production.map(|environment| environment.name.clone()).collect()
}

fn read(
    store: Reader<'_>,
    id: &ProjectId,
    made: OffsetDateTime,
    now: OffsetDateTime,
    production: Vec<EnvironmentName>,
) -> Result<Told, StoreError> {
    let all = EventFilter {
        projects: vec![id.clone()],
        from: Some(made),
        limit: Some(1),
        ..EventFilter::default()
    };
    let lately = now.saturating_sub(WINDOW).max(made);
    let since = EventFilter {
        from: Some(lately),
        ..all.clone()
    };
    let access = EventFilter {
        kinds: vec!["project-access-updated".to_owned()],
        limit: Some(NEWEST),
        ..since.clone()
    };
    let before = EventFilter {
        from: Some(lately.saturating_sub(WINDOW).max(made)),
        before: Some(lately),
        ..all.clone()
    };
    let mut told = Told {
        latest: store
            .events(&all)?
            .items
            .first()
            .map(|event| event.event.created_at),
        lately: store.events(&since)?.total,
        before: store.events(&before)?.total,
        joined: store
            .events(&access)?
            .items
            .iter()
            .filter(|event| is_joining(&event.event))
            .count(),
        first_on: BTreeMap::new(),
        now,
    };
    if production.is_empty() {
        return Ok(told);
    }
    let switched_on = EventFilter {
        kinds: vec!["feature-environment-enabled".to_owned()],
        environments: production,
        limit: Some(NEWEST),
        ..all
    };
    for event in store.events(&switched_on)?.items {
        // the newest come first, so that the oldest stays
        if let Some(flag) = event.event.flag {
            told.first_on.insert(flag, event.event.created_at);
        }
    }
    Ok(told)
}

/// Whether somebody got something in a project where they had nothing of the kind.
fn is_joining(event: &NewEvent) -> bool {
    let holds = |document: &Option<String>| {
        let document = document.as_deref().map(serde_json::from_str::<Value>);
        let Some(Ok(document)) = document else {
            return false;
        };
        let listed = ["roles", "permissions"]
            .into_iter()
            .filter_map(|key| document.get(key)?.as_array());
        listed.into_iter().any(|listed| !listed.is_empty())
    };
    holds(&event.data) && !holds(&event.pre_data)
}

impl Told {
    /// How many days a flag took to production; `None` where it was not there yet.
    fn days(&self, flag: &FeatureFlag) -> Option<f64> {
        let on = *self.first_on.get(&flag.name)?;
        // not what an earlier flag of the name did
        let took = (on >= flag.created_at).then(|| on - flag.created_at)?;
        Some(rounded(took.as_seconds_f64() / Duration::DAY.as_seconds_f64()))
    }

    fn is_within(&self, at: OffsetDateTime, windows: std::ops::Range<i32>) -> bool {
        let start = |windows: i32| self.now.saturating_sub(WINDOW * windows);
        start(windows.end) <= at && (windows.start == 0 || at < start(windows.start))
    }
}

/// What happened in the project in the last thirty days, and in the thirty before.
#[must_use]
pub fn stats(snapshot: &Snapshot, project: &ProjectId, told: &Told) -> ProjectStats {
    let own = || snapshot.flags.values().filter(|flag| flag.project == *project);
    let created = |windows: std::ops::Range<i32>| {
        let created = own().filter(|flag| told.is_within(flag.created_at, windows.clone()));
        created.count()
    };
    let archived = |windows: std::ops::Range<i32>| {
        let archived = own().filter_map(|flag| flag.archived_at);
        archived.filter(|at| told.is_within(*at, windows.clone())).count()
    };
    let new = own().filter(|flag| told.is_within(flag.created_at, 0..1));
    ProjectStats {
        avg_time_to_prod_current_window: average(new.filter_map(|flag| told.days(flag))),
        created_current_window: created(0..1),
        created_past_window: created(1..2),
        archived_current_window: archived(0..1),
        archived_past_window: archived(1..2),
        project_activity_current_window: told.lately,
        project_activity_past_window: told.before,
        project_members_added_current_window: told.joined,
    }
}

/// How long the live flags of a project took to production.
#[must_use]
pub fn lead_time(snapshot: &Snapshot, project: &ProjectId, told: &Told) -> LeadTime {
    let own = snapshot.flags.values();
    let live = own.filter(|flag| flag.project == *project && !flag.is_archived());
    let took = live.filter_map(|flag| Some((flag.name.to_string(), told.days(flag)?)));
    let features: Vec<FlagLeadTime> = took
        .map(|(name, time_to_production)| FlagLeadTime {
            name,
            time_to_production,
        })
        .collect();
    LeadTime {
        project_average: average(features.iter().map(|flag| flag.time_to_production)),
        features,
    }
}

/// The average, to a tenth; 0 of nothing.
fn average(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { rounded(sum / count) } else { 0.0 }
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
