//! Flags in one environment: shown, turned on and off.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path, Query};
use serde::Deserialize;
use serde_json::json;
use vexil_admin_api::flag::read_flag_names;
use vexil_admin_api::flag_document::FlagInEnvironment;
use vexil_change_request::{Change, UpdateEnabled};
use vexil_domain::{EnvironmentName, FlagName, ProjectId};

use super::done;
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::direct::{EditScope, WriteAccess, check_environment, find_live_flag};
use crate::permission::{Read, UpdateFeatureEnvironment};
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/admin/projects/{project}/features/{feature}/environments/{environment}",
            read,
        ),
        Route::post(
            "/api/admin/projects/{project}/features/{feature}/environments/{environment}/on",
            on,
        ),
        Route::post(
            "/api/admin/projects/{project}/features/{feature}/environments/{environment}/off",
            off,
        ),
        Route::get(
            "/api/admin/projects/{project}/features/{feature}/environments/{environment}/variants",
            variants,
        ),
        Route::post(
            "/api/admin/projects/{project}/bulk_features/environments/{environment}/on",
            all_on,
        ),
        Route::post(
            "/api/admin/projects/{project}/bulk_features/environments/{environment}/off",
            all_off,
        ),
    ]
}

type OnePath = Path<(String, String, String)>;

async fn read(_who: Authorized<Read>, app: Data<App>, path: OnePath) -> Result<HttpResponse, ApiError> {
    let (project, name, environment) = path.into_inner();
    let serving = app.serving();
    let flag = find_live_flag(&serving.snapshot, &project, &name)?;
    let environment = EnvironmentName::from(environment);
    check_environment(&serving.snapshot, &flag.project, &environment, &flag.name)?;
    Ok(HttpResponse::Ok().json(FlagInEnvironment::of(flag, &environment)))
}

/// The flag's own variants in an environment.
async fn variants(_who: Authorized<Read>, app: Data<App>, path: OnePath) -> Result<HttpResponse, ApiError> {
    let (project, name, environment) = path.into_inner();
    let serving = app.serving();
    let flag = find_live_flag(&serving.snapshot, &project, &name)?;
    let environment = EnvironmentName::from(environment);
    check_environment(&serving.snapshot, &flag.project, &environment, &flag.name)?;
    let variants = flag
        .environments
        .get(&environment)
        .map_or(&[] as &[_], |settings| &settings.variants);
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "variants": variants })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OnQuery {
    should_activate_disabled_strategies: Option<String>,
}

impl OnQuery {
    fn update(&self) -> UpdateEnabled {
        let activate_disabled = self.should_activate_disabled_strategies.as_deref() == Some("true");
        UpdateEnabled {
            enabled: true,
            activate_disabled,
        }
    }
}

const OFF: UpdateEnabled = UpdateEnabled {
    enabled: false,
    activate_disabled: false,
};

async fn on(
    who: Authorized<UpdateFeatureEnvironment>,
    app: Data<App>,
    path: OnePath,
    query: Query<OnQuery>,
) -> Result<HttpResponse, ApiError> {
    let (project, name, environment) = path.into_inner();
    switch(
        &who,
        &app,
        (project, environment),
        vec![name.into()],
        query.update(),
    )
    .await
}

async fn off(
    who: Authorized<UpdateFeatureEnvironment>,
    app: Data<App>,
    path: OnePath,
) -> Result<HttpResponse, ApiError> {
    let (project, name, environment) = path.into_inner();
    switch(&who, &app, (project, environment), vec![name.into()], OFF).await
}

async fn all_on(
    who: Authorized<UpdateFeatureEnvironment>,
    app: Data<App>,
    path: Path<(String, String)>,
    query: Query<OnQuery>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let names = read_flag_names(&body.value).map_err(Error::from)?;
    switch(&who, &app, path.into_inner(), names, query.update()).await
}

async fn all_off(
    who: Authorized<UpdateFeatureEnvironment>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let names = read_flag_names(&body.value).map_err(Error::from)?;
    switch(&who, &app, path.into_inner(), names, OFF).await
}

/// Turns flags on or off in an environment of a project: all, or none.
async fn switch<D>(
    who: &Authorized<D>,
    app: &App,
    (project, environment): (String, String),
    names: Vec<FlagName>,
    update: UpdateEnabled,
) -> Result<HttpResponse, ApiError> {
    let (project, environment) = (ProjectId::from(project), EnvironmentName::from(environment));
    let editor = WriteAccess::from(who);
    let edited = app.edit(&who.actor, move |tx| {
        for name in &names {
            find_live_flag(&tx.snapshot, project.as_str(), name.as_str())?;
            check_environment(&tx.snapshot, &project, &environment, name)?;
        }
        let place = EditScope::in_environment(&project, &environment);
        editor.change_flags(
            tx,
            &place,
            names
                .iter()
                .map(|name| (name.clone(), Change::UpdateEnabled(update))),
        )
    });
    edited.await?;
    Ok(done())
}
