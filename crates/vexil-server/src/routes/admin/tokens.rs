//! API tokens: of the whole instance, and of single projects.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use serde_json::{Value, json};
use vexil_admin_api::token::{NewToken, Purpose};
use vexil_service::operations::tokens::{self, Action, Prepared};
use vexil_service::operations::{Error, projects, token_document};
use vexil_service::{App, Principal};
use vexil_store::ApiToken;

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, Expiry};
use crate::routes::paths::{ProjectPath, ProjectTokenPath, TokenPath};

/// All tokens that the caller may see.
pub(crate) async fn list(who: Caller, app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(shown(&app, &seen_by(&who, &app).await?))
}

/// The tokens of a name.
pub(crate) async fn named(
    who: Caller,
    app: Data<App>,
    TokenPath { token: name }: TokenPath,
) -> Result<HttpResponse, ApiError> {
    let mut tokens = seen_by(&who, &app).await?;
    tokens.retain(|token| token.name == name);
    Ok(shown(&app, &tokens))
}

async fn seen_by(who: &Principal, app: &App) -> Result<Vec<ApiToken>, Error> {
    let mut tokens = tokens::with_last_use(app).await?;
    tokens.retain(|token| tokens::demand(who, Action::Read, token.kind).is_ok());
    Ok(tokens)
}

/// With their secrets, where the server keeps them to show them again.
fn shown(app: &App, tokens: &[ApiToken]) -> HttpResponse {
    let shown: Vec<Value> = tokens
        .iter()
        .map(|token| {
            let sealed = app
                .sealer()
                .filter(|_| app.lists_secrets())
                .zip(token.sealed_secret.as_ref());
            let secret = sealed.and_then(|(sealer, sealed)| sealer.open(&tokens::purpose(token.id), sealed));
            json!(token_document::document(
                token,
                secret.as_deref().unwrap_or(token_document::HIDDEN)
            ))
        })
        .collect();
    HttpResponse::Ok().json(json!({ "tokens": shown }))
}

/// Creates a token.
pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(new): Body<NewToken>,
) -> Result<HttpResponse, ApiError> {
    let prepared = tokens::prepare(&app.serving().snapshot, new)?;
    tokens::demand(&who, Action::Create, prepared.kind())?;
    made(&who, &app, prepared).await
}

async fn made(who: &Principal, app: &App, prepared: Prepared) -> Result<HttpResponse, ApiError> {
    let secret = prepared.secret.clone();
    let sealer = app.sealer().filter(|_| app.lists_secrets()).cloned();
    let token = app
        .edit(&who.actor, move |tx| {
            tokens::create(tx, &prepared, sealer.as_ref())
        })
        .await?;
    let answer = token_document::document(&token, &secret);
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, "api-tokens"))
        .json(answer))
}

pub(crate) async fn expire(
    who: Caller,
    app: Data<App>,
    TokenPath { token }: TokenPath,
    Body(Expiry(expires_at)): Body<Expiry>,
) -> Result<HttpResponse, ApiError> {
    let by = Principal::clone(&who);
    app.edit(&who.actor, move |tx| tokens::expire(tx, &by, &token, expires_at))
        .await?;
    Ok(done())
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    TokenPath { token }: TokenPath,
) -> Result<HttpResponse, ApiError> {
    let by = Principal::clone(&who);
    app.edit(&who.actor, move |tx| tokens::remove(tx, &by, &token))
        .await?;
    Ok(done())
}

/// The tokens that are for a project, alone or among others. Those for all projects are not among them.
pub(crate) async fn of_project(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    projects::find(&app.serving().snapshot, project.as_str())?;
    let mut all = tokens::with_last_use(&app).await?;
    all.retain(|token| token.projects.contains(&project));
    for token in &mut all {
        if !tokens::is_of_project(token, &project) {
            // it opens other projects as well
            token.sealed_secret = None;
        }
    }
    Ok(shown(&app, &all))
}

/// Creates a token for a project alone; others are not asked for.
pub(crate) async fn create_of_project(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(mut new): Body<NewToken>,
) -> Result<HttpResponse, ApiError> {
    if new.purpose == Purpose::Admin {
        return Err(
            Error::invalid("An admin token is for all projects; it cannot be one of a project.").into(),
        );
    }
    projects::find(&app.serving().snapshot, project.as_str())?;
    if let Some(other) = new.projects.iter().find(|other| **other != project) {
        let message = format!(
            "A token of the project \"{project}\" is for it alone, not for \"{other}\": use POST /api/admin/api-tokens."
        );
        return Err(Error::invalid(message).into());
    }
    new.projects = vec![project];
    let prepared = tokens::prepare(&app.serving().snapshot, new)?;
    made(&who, &app, prepared).await
}

pub(crate) async fn remove_of_project(
    who: Caller,
    app: Data<App>,
    ProjectTokenPath { project, token }: ProjectTokenPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        tokens::remove_of_project(tx, &project, &token)
    })
    .await?;
    Ok(done())
}
