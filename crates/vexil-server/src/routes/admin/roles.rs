//! Roles, and the permissions that they are made of.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::{Value, json};
use vexil_access::{Permission, Scope};
use vexil_admin_api::role::RoleForm;
use vexil_service::App;
use vexil_service::operations::{environments, roles};

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, FreeRoleName};
use crate::routes::paths::RolePath;

/// All roles, in short.
pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let all = serving.access.directory.roles();
    let shown: Vec<Value> = all.map(|role| roles::short_document(role)).collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "roles": shown })))
}

pub(crate) async fn read(app: Data<App>, RolePath { id }: RolePath) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let role = roles::find(&serving.access.directory, id)?;
    Ok(HttpResponse::Ok().json(roles::document(role)))
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(form): Body<RoleForm>,
) -> Result<HttpResponse, ApiError> {
    let made = app.edit(&who.actor, move |tx| roles::create(tx, &form)).await?;
    Ok(HttpResponse::Created().json(roles::document(&made)))
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    RolePath { id }: RolePath,
    Body(form): Body<RoleForm>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| roles::edit(tx, id, &form)).await?;
    Ok(HttpResponse::Ok().json(roles::document(&edited)))
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    RolePath { id }: RolePath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| roles::remove(tx, id)).await?;
    Ok(done())
}

/// Whether a role could be made under a name.
pub(crate) async fn validate(
    app: Data<App>,
    Body(FreeRoleName(name)): Body<FreeRoleName>,
) -> Result<HttpResponse, ApiError> {
    roles::check_free(&app.serving().access.directory, name.trim(), None)?;
    Ok(done())
}

/// What roles can be made of.
pub(crate) async fn permissions(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let of_scope = |scope: Scope| -> Vec<Value> {
        let all = Permission::ALL.iter().copied();
        let here = all.filter(|it| it.scope() == scope && *it != Permission::Admin);
        here.map(roles::described).collect()
    };
    let serving = app.serving();
    let in_order = environments::in_order(&serving.snapshot);
    let by_environment = of_scope(Scope::Environment);
    let by_environment: Vec<Value> = in_order
        .into_iter()
        .map(|environment| json!({ "name": environment.name.as_str(), "permissions": by_environment }))
        .collect();
    Ok(HttpResponse::Ok().json(json!({
        "version": 1,
        "permissions": {
            "root": of_scope(Scope::Instance),
            "project": of_scope(Scope::Project),
            "environments": by_environment,
        },
    })))
}
