//! `GET /api/admin/projects/{project}/insights`: what never changes anything.

use actix_web::HttpResponse;
use actix_web::web::Data;
use time::Duration;
use vexil_metrics::Width;
use vexil_store::UsageQuery;

use crate::app::App;
use crate::operations::{insights, projects};
use crate::routes::ApiError;
use crate::routes::paths::ProjectPath;

/// Usage of so long is told.
const TOLD: Duration = Duration::days(7);

pub(crate) async fn get(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let (serving, now) = (app.serving(), app.now());
    projects::find(&serving.snapshot, project.as_str())?;
    let own = serving.snapshot.flags.values();
    let live = own.filter(|flag| flag.project == project && !flag.is_archived());
    let wanted = UsageQuery {
        flags: live.map(|flag| flag.name.clone()).collect(),
        width: Width::Hour,
        since: now - TOLD,
    };
    let usage = app.read(move |store| store.usage(&wanted)).await?;
    let document = app
        .question(move |budget| {
            Ok(insights::of_project(
                &serving.snapshot,
                &project,
                &usage,
                now,
                budget,
            ))
        })
        .await?;
    Ok(HttpResponse::Ok().json(document))
}
