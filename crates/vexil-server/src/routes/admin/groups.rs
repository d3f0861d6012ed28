//! Groups of people.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Value, json};
use vexil_access::Group;
use vexil_admin_api::group::GroupForm;
use vexil_service::operations::{groups, project_access};
use vexil_service::{App, ServingState};

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::GroupPath;

pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let all = serving.access.directory.groups();
    let shown: Vec<Value> = all.map(|group| document(&serving, group)).collect();
    Ok(HttpResponse::Ok().json(json!({ "groups": shown })))
}

pub(crate) async fn read(app: Data<App>, GroupPath { id }: GroupPath) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let group = groups::find(&serving.access.directory, id)?;
    Ok(HttpResponse::Ok().json(document(&serving, group)))
}

fn document(serving: &ServingState, group: &Group) -> Value {
    let projects: std::collections::BTreeSet<&str> = group
        .project_roles
        .iter()
        .map(|(project, _)| project.as_str())
        .collect();
    json!({
        "id": group.id.0,
        "name": group.name,
        "description": group.description,
        "rootRole": group.root_role.map(|role| role.0),
        "mappingsSSO": group.external_names,
        "projects": projects,
        "users": project_access::members(serving, group),
        "userCount": group.members.len(),
    })
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(form): Body<GroupForm>,
) -> Result<HttpResponse, ApiError> {
    let made = app.edit(&who.actor, move |tx| groups::create(tx, &form)).await?;
    Ok(HttpResponse::Created().json(document(&app.serving(), &made)))
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    GroupPath { id }: GroupPath,
    Body(form): Body<GroupForm>,
) -> Result<HttpResponse, ApiError> {
    let edited = app
        .edit(&who.actor, move |tx| groups::edit(tx, id, &form))
        .await?;
    Ok(HttpResponse::Ok().json(document(&app.serving(), &edited)))
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    GroupPath { id }: GroupPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| groups::remove(tx, id)).await?;
    Ok(done())
}
