//! Setting one's own password with a link, and asking for one.

use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::json;
use vexil_admin_api::account::PasswordByLink;
use vexil_service::operations::{Error, password_links, roles};
use vexil_service::sign_in::Secret;
use vexil_service::{App, Mailer, system};
use vexil_store::{Link, LinkPurpose, User};

use super::admin::users::{check, hashed};
use super::bodies::{Body, EmailAddress, Password};
use super::sign_in::{attempt, count_try, tell_limits};
use super::{ApiError, session};

#[derive(Deserialize)]
pub(crate) struct Token {
    #[serde(default)]
    token: String,
}

/// For whom a link is, if it works.
pub(crate) async fn validate(app: Data<App>, asked: Query<Token>) -> Result<HttpResponse, ApiError> {
    let (_, user) = find(&app, &asked.token).await?;
    let serving = app.serving();
    let role = serving.access.directory.role(user.root_role);
    Ok(HttpResponse::Ok().json(json!({
        "token": asked.token,
        "createdBy": "",
        "id": user.id.0,
        "name": user.name,
        "username": user.username,
        "email": user.email,
        "role": role.map(|role| roles::short_document(role)),
    })))
}

/// A link that works, by its secret, with whom it is for.
pub(super) async fn find(app: &App, token: &str) -> Result<(Link, User), ApiError> {
    let secret = Secret::read(token).ok_or(ApiError::UnusableLink)?;
    let hash = secret.hash();
    let link = app.read(move |store| store.link(hash)).await?;
    let now = app.now();
    let works = |link: &Link| password_links::sets_password(link, now);
    let link = link.filter(works).ok_or(ApiError::UnusableLink)?;
    let serving = app.serving();
    let user = serving.users.get(link.user).ok_or(ApiError::UnusableLink)?;
    Ok((link, User::clone(user)))
}

/// Whether a password is good enough.
pub(crate) async fn validate_password(
    Body(Password(password)): Body<Password>,
) -> Result<HttpResponse, ApiError> {
    check(&password)?;
    Ok(HttpResponse::Ok().finish())
}

/// Sets the password, once.
pub(crate) async fn set_password(
    request: HttpRequest,
    app: Data<App>,
    Body(form): Body<PasswordByLink>,
) -> Result<HttpResponse, ApiError> {
    session::demand_same_origin(&request, &app)?;
    set(&app, form).await?;
    Ok(HttpResponse::Ok().finish())
}

/// Sets the password, once, and ends the sessions of whoever had the old one.
pub(super) async fn set(app: &App, form: PasswordByLink) -> Result<(), ApiError> {
    // nobody makes the server hash without a link that works
    find(app, &form.token).await?;
    let secret = Secret::read(&form.token).ok_or(ApiError::UnusableLink)?;
    let hash = hashed(app, form.password).await?;
    let set = app
        .edit(&system(), move |tx| {
            password_links::set_password(tx, &secret, &hash)
        })
        .await?;
    set.ok_or(ApiError::UnusableLink).map(drop)
}

/// Sends a link to an address, if somebody has it. The answer is the same if nobody does.
pub(crate) async fn request_email(
    request: HttpRequest,
    app: Data<App>,
    Body(EmailAddress(address)): Body<EmailAddress>,
) -> Result<HttpResponse, ApiError> {
    session::demand_same_origin(&request, &app)?;
    let left = match count_try(&app, &attempt(&request, &app, &address)) {
        Ok(left) => left,
        Err(slow_down) => return Ok(slow_down),
    };
    let Some(mailer) = app.sign_in.mailer.clone() else {
        let message =
            "This server sends no e-mail. Ask an admin for a link with which you can set a new password.";
        return Err(Error::InvalidOperation(message.to_owned()).into());
    };
    // after the answer: whether somebody has the address must not show in how long it takes
    let sender = app.clone();
    tokio::spawn(async move {
        if let Err(error) = send_link(&sender, &mailer, &address).await {
            tracing::warn!(cause = error.cause(), "a link could not be sent");
        }
    });
    let mut response = HttpResponse::Ok().finish();
    tell_limits(&mut response, left);
    Ok(response)
}

async fn send_link(app: &App, mailer: &Mailer, address: &str) -> Result<(), Error> {
    let user = app.serving().users.with_login(address).cloned();
    let Some((user, email)) = user.and_then(|user| Some((user.id, user.email.clone()?))) else {
        return Ok(());
    };
    let secret = Secret::random()?;
    let hash = secret.hash();
    app.edit(&system(), move |tx| {
        password_links::make(tx, user, LinkPurpose::Reset, hash)
    })
    .await?;
    mailer.send_reset(&email, &secret)
}
