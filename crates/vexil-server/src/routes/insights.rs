//! `GET /api/admin/projects/{project}/insights`: what never changes anything.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Value, json};
use time::Duration;
use vexil_domain::ProjectId;
use vexil_metrics::Width;
use vexil_service::operations::project_figures::{self, Told};
use vexil_service::operations::{insights, project_settings, projects};
use vexil_service::{App, ServingState};
use vexil_store::{Applications, UsageQuery};

use crate::routes::ApiError;
use crate::routes::paths::ProjectPath;

/// Usage of so long is told.
const TOLD: Duration = Duration::days(7);

pub(crate) async fn get(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let (serving, now) = (app.serving(), app.now());
    let found = projects::find(&serving.snapshot, project.as_str())?;
    let told = project_figures::told(&app, &serving.snapshot, found).await?;
    let figures = figures(&serving, &project, &told);
    let own = serving.snapshot.flags.values();
    let live = own.filter(|flag| flag.project == project && !flag.is_archived());
    let wanted = UsageQuery {
        flags: live.map(|flag| flag.name.clone()).collect(),
        width: Width::Hour,
        since: now - TOLD,
        applications: Applications::Together,
    };
    let usage = app.read(move |store| store.usage(&wanted)).await?;
    let mut document = app
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
    if let (Some(document), Value::Object(figures)) = (document.as_object_mut(), figures) {
        document.extend(figures);
    }
    Ok(HttpResponse::Ok().json(document))
}

/// How the project does, in figures, as Unleash tells it.
fn figures(serving: &ServingState, project: &ProjectId, told: &Told) -> Value {
    let flags = projects::count_flags(&serving.snapshot, project);
    let debt = flags.technical_debt().min(100);
    let stats = project_figures::stats(&serving.snapshot, project, told);
    json!({
        "stats": stats,
        "featureTypeCounts": flags.type_counts(),
        "technicalDebt": flags.rated(debt),
        "health": flags.rated(100 - debt),
        "leadTime": project_figures::lead_time(&serving.snapshot, project, told),
        "members": {
            "currentMembers": project_settings::count_members(serving, project),
            "change": stats.project_members_added_current_window,
        },
    })
}
