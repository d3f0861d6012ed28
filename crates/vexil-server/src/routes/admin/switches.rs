//! Flags in one environment: shown, turned on and off.

use actix_web::HttpResponse;
use actix_web::web::{Data, Query};
use serde::Deserialize;
use vexil_admin_api::flag_document::FlagInEnvironment;
use vexil_change_request::UpdateEnabled;
use vexil_domain::{EnvironmentName, FlagName, ProjectId};
use vexil_service::App;
use vexil_service::operations::paths::FlagEnvironmentPath;
use vexil_service::operations::{strategies, switches};

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::{Named, ProjectEnvironmentPath};

pub(crate) async fn read(
    app: Data<App>,
    Named(at): Named<FlagEnvironmentPath>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let flag = strategies::find_flag(&serving.snapshot, &at)?;
    Ok(HttpResponse::Ok().json(FlagInEnvironment::of(flag, &at.environment)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OnQuery {
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

pub(crate) async fn on(
    who: Caller,
    app: Data<App>,
    Named(FlagEnvironmentPath {
        project,
        flag,
        environment,
    }): Named<FlagEnvironmentPath>,
    query: Query<OnQuery>,
) -> Result<HttpResponse, ApiError> {
    turn(&who, &app, project, environment, vec![flag], query.update()).await
}

pub(crate) async fn off(
    who: Caller,
    app: Data<App>,
    Named(FlagEnvironmentPath {
        project,
        flag,
        environment,
    }): Named<FlagEnvironmentPath>,
) -> Result<HttpResponse, ApiError> {
    turn(&who, &app, project, environment, vec![flag], OFF).await
}

pub(crate) async fn all_on(
    who: Caller,
    app: Data<App>,
    ProjectEnvironmentPath { project, environment }: ProjectEnvironmentPath,
    query: Query<OnQuery>,
    Body(flags): Body<Vec<FlagName>>,
) -> Result<HttpResponse, ApiError> {
    turn(&who, &app, project, environment, flags, query.update()).await
}

pub(crate) async fn all_off(
    who: Caller,
    app: Data<App>,
    ProjectEnvironmentPath { project, environment }: ProjectEnvironmentPath,
    Body(flags): Body<Vec<FlagName>>,
) -> Result<HttpResponse, ApiError> {
    turn(&who, &app, project, environment, flags, OFF).await
}

async fn turn(
    who: &Caller,
    app: &App,
    project: ProjectId,
    environment: EnvironmentName,
    flags: Vec<FlagName>,
    update: UpdateEnabled,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| {
        switches::turn(tx, &project, &environment, &flags, update)
    });
    edited.await?;
    Ok(done())
}
