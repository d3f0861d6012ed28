//! Users.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Query};
use serde::Deserialize;
use serde_json::{Value, json};
use vexil_admin_api::timestamp::Timestamp;
use vexil_admin_api::user::UserForm;
use vexil_service::operations::{Error, password_links, roles, users};
use vexil_service::sign_in::Secret;
use vexil_service::{App, passwords};
use vexil_store::{LinkPurpose, User};

use super::done;
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, NewUser, Password};
use crate::routes::paths::UserPath;

fn root_roles(app: &App) -> Vec<Value> {
    let serving = app.serving();
    let roles = serving
        .access
        .directory
        .roles()
        .filter(|role| role.kind.is_root());
    roles.map(|role| roles::short_document(role)).collect()
}

/// All users, with when they were last seen.
pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let found = users::with_last_seen(&app).await?;
    let shown: Vec<_> = found.iter().map(users::document).collect();
    Ok(HttpResponse::Ok().json(json!({ "users": shown, "rootRoles": root_roles(&app) })))
}

#[derive(Deserialize)]
pub(crate) struct Wanted {
    #[serde(default)]
    q: String,
}

/// Those whose name, username or email address holds a text.
pub(crate) async fn search(app: Data<App>, query: Query<Wanted>) -> Result<HttpResponse, ApiError> {
    let wanted = query.q.to_lowercase();
    let holds = |text: &Option<String>| {
        text.as_ref()
            .is_some_and(|text| text.to_lowercase().contains(&wanted))
    };
    let fits = |user: &User| holds(&user.username) || holds(&user.email) || holds(&user.name);
    let mut found = users::with_last_seen(&app).await?;
    found.retain(fits);
    let shown: Vec<Value> = found.iter().map(in_search).collect();
    Ok(HttpResponse::Ok().json(shown))
}

/// A user as anybody may find them, with when they were last seen. There is no SCIM, and there are no seats and surveys.
fn in_search(user: &User) -> Value {
    let mut shown = users::person(user);
    if let Some(shown) = shown.as_object_mut() {
        shown.insert("seenAt".to_owned(), json!(user.seen_at.map(Timestamp::from)));
        for none in ["scimId", "seatType", "companyRole", "productUpdatesEmailConsent"] {
            shown.insert(none.to_owned(), Value::Null);
        }
    }
    shown
}

/// Creates a user, with a link to set the first password.
pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    asked: Asked,
    Body(NewUser(mut form)): Body<NewUser>,
) -> Result<HttpResponse, ApiError> {
    let hash = match form.password.take() {
        Some(password) => Some(hashed(&app, password).await?),
        None => None,
    };
    let secret = Secret::random()?;
    let link = secret.hash();
    let has_link = app.takes_passwords();
    let sends = form.send_email;
    let created = app.edit(&who.actor, move |tx| {
        let user = users::create(tx, &form, hash.as_deref())?;
        if has_link {
            password_links::make_unchecked(tx, user.id, LinkPurpose::Invitation, link);
        }
        Ok(user)
    });
    let user = created.await?;
    let mut shown = json!(users::document(&user));
    if let Some(object) = shown.as_object_mut() {
        if has_link {
            let url = format!("{}/new-user?token={}", asked.own_address, secret.text());
            object.insert("inviteLink".to_owned(), url.into());
        }
        let sent = has_link && sends && invited_by_mail(&app, &user, &secret);
        object.insert("emailSent".to_owned(), sent.into());
    }
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, user.id.0.to_string()))
        .json(shown))
}

/// Whether a letter with the link is on its way.
fn invited_by_mail(app: &App, user: &User, secret: &Secret) -> bool {
    let Some((mailer, address)) = app.sign_in.mailer.as_ref().zip(user.email.as_ref()) else {
        return false;
    };
    mailer.send_invitation(address, secret).is_ok()
}

pub(crate) async fn read(app: Data<App>, UserPath { id }: UserPath) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let user = users::find(&serving, id)?;
    Ok(HttpResponse::Ok().json(users::document(user)))
}

pub(crate) async fn edit(
    who: Caller,
    app: Data<App>,
    UserPath { id }: UserPath,
    Body(form): Body<UserForm>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| users::edit(tx, id, &form));
    Ok(HttpResponse::Ok().json(users::document(&edited.await?)))
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    UserPath { id }: UserPath,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| users::remove(tx, id)).await?;
    Ok(done())
}

pub(crate) async fn validate_password(
    Body(Password(password)): Body<Password>,
) -> Result<HttpResponse, ApiError> {
    check(&password)?;
    Ok(done())
}

pub(crate) async fn change_password(
    who: Caller,
    app: Data<App>,
    UserPath { id }: UserPath,
    Body(Password(password)): Body<Password>,
) -> Result<HttpResponse, ApiError> {
    let hash = hashed(&app, password).await?;
    app.edit(&who.actor, move |tx| users::set_password(tx, id, &hash, None))
        .await?;
    Ok(done())
}

/// Refuses a password that is not good enough.
pub(in crate::routes) fn check(password: &str) -> Result<(), Error> {
    if password.is_empty() {
        return Err(Error::NoPassword);
    }
    let problems = passwords::problems(password);
    if problems.is_empty() {
        return Ok(());
    }
    Err(Error::WeakPassword(problems))
}

/// The hash of a password that is good enough.
pub(in crate::routes) async fn hashed(app: &App, password: String) -> Result<String, ApiError> {
    check(&password)?;
    Ok(app.sign_in.passwords.hash(password).await?)
}
