//! Personal access tokens, of the user who asks and, for admins, of any user.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;
use vexil_admin_api::user::read_personal_token;
use vexil_store::UserId;

use super::done;
use super::users::read_id;
use crate::app::App;
use crate::auth::{Authorized, Principal};
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::users;
use crate::permission::{Read, RunInstance};
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/admin/user/tokens", list),
        Route::post("/api/admin/user/tokens", create),
        Route::delete("/api/admin/user/tokens/{id}", remove),
        Route::post("/api/admin/user-admin/{id}/tokens", create_for),
    ]
}

async fn list(who: Authorized<Read>, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let id = users::own(&who)?;
    let serving = app.serving();
    let tokens = users::find(&serving, id)?.tokens.iter();
    let shown: Vec<_> = tokens
        .map(|token| users::token_document(id, token, None))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "pats": shown })))
}

/// Creates a token. Its secret is told here, and never again.
async fn create(who: Authorized<Read>, app: Data<App>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let wanted = read_personal_token(&body.value).map_err(Error::from)?;
    let id = users::own(&who)?;
    created(&who, &app, id, wanted).await
}

/// Creates a token for another user, who may have no other way to sign in.
async fn create_for(
    who: Authorized<RunInstance>,
    app: Data<App>,
    id: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let wanted = read_personal_token(&body.value).map_err(Error::from)?;
    created(&who, &app, read_id(&id)?, wanted).await
}

async fn created(
    who: &Principal,
    app: &App,
    id: UserId,
    wanted: (String, OffsetDateTime),
) -> Result<HttpResponse, ApiError> {
    let secret = format!("user:{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let told = secret.clone();
    let created = app.edit(&who.actor, move |tx| {
        users::create_token(tx, id, &wanted, &secret)
    });
    let token = created.await?;
    Ok(HttpResponse::Created().json(users::token_document(id, &token, Some(told))))
}

async fn remove(
    who: Authorized<Read>,
    app: Data<App>,
    token: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = users::own(&who)?;
    if let Ok(token) = token.parse() {
        app.edit(&who.actor, move |tx| users::remove_token(tx, id, token))
            .await?;
    }
    Ok(done())
}
