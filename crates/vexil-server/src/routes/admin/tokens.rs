//! API tokens.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::token::{NewToken, TokenDocument};
use vexil_store::ApiToken;

use super::done;
use crate::app::App;
use crate::operations::token_document::{HIDDEN, document};
use crate::operations::tokens;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, Expiry};
use crate::routes::paths::TokenPath;

/// All tokens.
pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(shown(&tokens::with_last_use(&app).await?))
}

/// The tokens of a name.
pub(crate) async fn named(
    app: Data<App>,
    TokenPath { token: name }: TokenPath,
) -> Result<HttpResponse, ApiError> {
    let mut tokens = tokens::with_last_use(&app).await?;
    tokens.retain(|token| token.name == name);
    Ok(shown(&tokens))
}

fn shown(tokens: &[ApiToken]) -> HttpResponse {
    let tokens: Vec<TokenDocument<'_>> = tokens.iter().map(|token| document(token, HIDDEN)).collect();
    HttpResponse::Ok().json(json!({ "tokens": tokens }))
}

/// Creates a token. Its secret is told here, and never again.
pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(new): Body<NewToken>,
) -> Result<HttpResponse, ApiError> {
    let prepared = tokens::prepare(&app.serving().snapshot, new)?;
    let secret = prepared.secret.clone();
    let token = app
        .edit(&who.actor, move |tx| tokens::create(tx, &prepared))
        .await?;
    let answer = document(&token, &secret);
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
    app.edit(&who.actor, move |tx| tokens::expire(tx, &token, expires_at))
        .await?;
    Ok(done())
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    TokenPath { token }: TokenPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| tokens::remove(tx, &token)).await?;
    Ok(done())
}
