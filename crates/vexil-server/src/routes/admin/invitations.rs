//! Links with which anybody who has one signs up.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use serde_json::{Value, json};
use vexil_admin_api::account::{NewSignUpLink, SignUpLinkChange};
use vexil_service::App;
use vexil_service::operations::invitations;
use vexil_service::sign_in::Secret;

use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::paths::SignUpLinkPath;

/// All links, without their secrets.
pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let links = serving.access.tables.sign_up_links.values();
    let shown: Vec<Value> = links
        .map(|link| invitations::document(&serving, link, None))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "tokens": shown })))
}

/// Makes a link. Its secret is told here, and never again.
pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    asked: Asked,
    Body(form): Body<NewSignUpLink>,
) -> Result<HttpResponse, ApiError> {
    let secret = Secret::random()?;
    let hash = secret.hash();
    let made = app.edit(&who.actor, move |tx| invitations::create(tx, &form, hash));
    let made = made.await?;
    let told = Some((&secret, asked.own_address.as_str()));
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, format!("tokens/{}", made.id.0)))
        .json(invitations::document(&app.serving(), &made, told)))
}

/// One link, by its secret or its id.
pub(crate) async fn read(
    app: Data<App>,
    asked: Asked,
    SignUpLinkPath { token }: SignUpLinkPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let link = invitations::find(&serving.access, &token)?;
    let secret = Secret::read(&token);
    let told = secret.as_ref().map(|secret| (secret, asked.own_address.as_str()));
    Ok(HttpResponse::Ok().json(invitations::document(&serving, link, told)))
}

pub(crate) async fn edit(
    who: Caller,
    app: Data<App>,
    asked: Asked,
    SignUpLinkPath { token }: SignUpLinkPath,
    Body(form): Body<SignUpLinkChange>,
) -> Result<HttpResponse, ApiError> {
    let secret = Secret::read(&token);
    let edited = app.edit(&who.actor, move |tx| invitations::edit(tx, &token, &form));
    let edited = edited.await?;
    let told = secret.as_ref().map(|secret| (secret, asked.own_address.as_str()));
    Ok(HttpResponse::Ok().json(invitations::document(&app.serving(), &edited, told)))
}
