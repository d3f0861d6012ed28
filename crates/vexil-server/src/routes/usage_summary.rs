//! Which flags of a project are always on, always off, or not asked for, by what was reported.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::usage_summary::{EnvironmentSummary, FlagSummary, UsageSummary};
use vexil_domain::{EnvironmentName, FlagName};
use vexil_metrics::{Counts, Width, has_begun, hourly_start};
use vexil_service::App;
use vexil_service::operations::projects;
use vexil_store::{Applications, UsageQuery};

use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::entity_tag;
use crate::routes::paths::ProjectPath;
use crate::routes::usage::number_in;

/// What was reported of the live flags of a project in the last hours, by environment.
pub(crate) async fn project_summary(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    asked: Asked,
) -> Result<HttpResponse, ApiError> {
    let hours = number_in(&asked.query, "hours", "hours", 24, 48)?;
    let serving = app.serving();
    let project = projects::find(&serving.snapshot, project.as_str())?;
    let own = serving.snapshot.flags.values();
    let live: Vec<_> = own
        .filter(|flag| flag.project == project.id && !flag.is_archived())
        .collect();
    let now = app.now();
    let start = hourly_start(now, hours);
    let wanted = UsageQuery {
        flags: live.iter().map(|flag| flag.name.clone()).collect(),
        width: Width::Hour,
        since: start,
        applications: Applications::Together,
    };
    let (rows, seen) = app
        .read(move |store| Ok((store.usage(&wanted)?, store.last_seen(Some(&wanted.flags))?)))
        .await?;
    let mut sums = BTreeMap::<(&FlagName, &EnvironmentName), Counts>::new();
    for row in rows.iter().filter(|row| has_begun(now, row.start)) {
        let sum = sums.entry((&row.series.flag, &row.series.environment));
        sum.or_default().add_slot(row.counts);
    }
    let none = Counts::default();
    let features = live.iter().map(|flag| {
        let environments = project.environments.keys().map(|environment| {
            let enabled = flag.environments.get(environment).is_some_and(|it| it.enabled);
            let counts = sums.get(&(&flag.name, environment)).unwrap_or(&none);
            let seen = seen.get(&(flag.name.clone(), environment.clone())).copied();
            EnvironmentSummary::new(environment.as_str(), enabled, counts, seen)
        });
        FlagSummary::new(flag.name.as_str(), environments.collect())
    });
    entity_tag::document(
        &asked.headers,
        &UsageSummary::new(start, hours, features.collect()),
    )
}
