//! Personal access tokens, of the user who asks and, for admins, of any user.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use uuid::Uuid;
use vexil_service::operations::users;
use vexil_service::{App, Principal};

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, NewPersonalToken};
use crate::routes::paths::{PersonalTokenPath, UserPath};
use vexil_access::UserId;

pub(crate) async fn list(who: Caller, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let id = users::own(&who)?;
    let all = users::with_last_seen(&app).await?;
    let own = all.iter().filter(|user| user.id == id);
    let tokens = own.flat_map(|user| &user.tokens);
    let shown: Vec<_> = tokens
        .map(|token| users::token_document(id, token, None))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "pats": shown })))
}

/// Creates a token. Its secret is told here, and never again.
pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(wanted): Body<NewPersonalToken>,
) -> Result<HttpResponse, ApiError> {
    let id = users::own(&who)?;
    created(&who, &app, id, wanted).await
}

/// Creates a token for another user, who may have no other way to sign in.
pub(crate) async fn create_for(
    who: Caller,
    app: Data<App>,
    UserPath { id }: UserPath,
    Body(wanted): Body<NewPersonalToken>,
) -> Result<HttpResponse, ApiError> {
    created(&who, &app, id, wanted).await
}

async fn created(
    who: &Principal,
    app: &App,
    id: UserId,
    NewPersonalToken {
        description,
        expires_at,
    }: NewPersonalToken,
) -> Result<HttpResponse, ApiError> {
    let secret = format!("user:{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let told = secret.clone();
    let created = app.edit(&who.actor, move |tx| {
        users::create_token(tx, id, &description, expires_at, &secret)
    });
    let token = created.await?;
    Ok(HttpResponse::Created().json(users::token_document(id, &token, Some(told))))
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    PersonalTokenPath { id: token }: PersonalTokenPath,
) -> Result<HttpResponse, ApiError> {
    let id = users::own(&who)?;
    if let Ok(token) = token.parse::<i64>() {
        app.edit(&who.actor, move |tx| users::remove_token(tx, id, token))
            .await?;
    }
    Ok(done())
}
