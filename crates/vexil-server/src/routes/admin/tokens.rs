//! API tokens.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Path};
use serde_json::json;
use vexil_admin_api::token::{NewToken, TokenDocument, read_expiry};
use vexil_store::ApiToken;

use super::done;
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::tokens;
use crate::permission::RunInstance;
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    const ONE: &str = "/api/admin/api-tokens/{token}";
    vec![
        Route::get("/api/admin/api-tokens", list),
        Route::post("/api/admin/api-tokens", create),
        Route::get(ONE, named),
        Route::put(ONE, expire),
        Route::delete(ONE, remove),
    ]
}

/// All tokens. From the store, which knows when they were last used.
async fn list(_who: Authorized<RunInstance>, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let tokens = app.read(|store| store.tokens()).await?;
    Ok(shown(&tokens))
}

/// The tokens of a name.
async fn named(
    _who: Authorized<RunInstance>,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let mut tokens = app.read(|store| store.tokens()).await?;
    tokens.retain(|token| token.name == name.as_str());
    Ok(shown(&tokens))
}

fn shown(tokens: &[ApiToken]) -> HttpResponse {
    let tokens: Vec<TokenDocument<'_>> = tokens
        .iter()
        .map(|token| tokens::document(token, tokens::HIDDEN))
        .collect();
    HttpResponse::Ok().json(json!({ "tokens": tokens }))
}

/// Creates a token. Its secret is told here, and never again.
async fn create(
    who: Authorized<RunInstance>,
    app: Data<App>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let new = NewToken::read(&body.value).map_err(Error::from)?;
    let prepared = tokens::prepare(&app.serving().snapshot, new)?;
    let secret = prepared.secret.clone();
    let token = app
        .edit(&who.actor, move |tx| tokens::create(tx, &prepared))
        .await?;
    let answer = tokens::document(&token, &secret);
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, "api-tokens"))
        .json(answer))
}

async fn expire(
    who: Authorized<RunInstance>,
    app: Data<App>,
    token: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let expires_at = read_expiry(&body.value).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| tokens::expire(tx, &token, expires_at))
        .await?;
    Ok(done())
}

async fn remove(
    who: Authorized<RunInstance>,
    app: Data<App>,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| tokens::remove(tx, &token)).await?;
    Ok(done())
}
