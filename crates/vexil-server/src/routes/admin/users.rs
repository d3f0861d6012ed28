//! Users, and what they were granted in projects.

use actix_web::HttpResponse;
use actix_web::web::{Data, Query};
use serde::Deserialize;
use serde_json::{Value, json};
use vexil_access::Role;
use vexil_admin_api::user::{GrantForm, UserForm};
use vexil_store::User;

use super::done;
use crate::app::App;
use crate::operations::Error;
use crate::operations::change_requests::find_project;
use crate::operations::{audit, users};
use crate::passwords;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, NewUser, Password};
use crate::routes::paths::{ProjectPath, ProjectUserPath, UserPath};

/// A role as lists show it.
pub(crate) fn role_document(role: &Role) -> Value {
    json!({ "id": role.id.0, "name": role.name, "type": role.kind.name(), "description": role.description })
}

fn root_roles(app: &App) -> Vec<Value> {
    let serving = app.serving();
    let roles = serving
        .access
        .directory
        .roles()
        .filter(|role| role.kind.is_root());
    roles.map(|role| role_document(role)).collect()
}

/// All users, with when they were last seen.
pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let found = users::with_last_seen(&app).await?;
    let shown: Vec<_> = found.iter().map(users::document).collect();
    Ok(HttpResponse::Ok().json(json!({ "users": shown, "rootRoles": root_roles(&app) })))
}

pub(crate) async fn roles(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let roles: Vec<Value> = serving
        .access
        .directory
        .roles()
        .map(|role| role_document(role))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "roles": roles })))
}

#[derive(Deserialize)]
pub(crate) struct Wanted {
    #[serde(default)]
    q: String,
}

/// Those whose name, username or email address holds a text.
pub(crate) async fn search(app: Data<App>, query: Query<Wanted>) -> Result<HttpResponse, ApiError> {
    let wanted = query.q.to_lowercase();
    let serving = app.serving();
    let holds = |text: &Option<String>| {
        text.as_ref()
            .is_some_and(|text| text.to_lowercase().contains(&wanted))
    };
    let fits = |user: &User| holds(&user.username) || holds(&user.email) || holds(&user.name);
    let found = serving.users.iter().filter(|user| fits(user));
    let shown: Vec<_> = found.map(|user| person(user)).collect();
    Ok(HttpResponse::Ok().json(shown))
}

/// A user as anybody may see.
fn person(user: &User) -> Value {
    json!({
        "accountType": "User",
        "id": user.id.0,
        "name": user.name,
        "username": user.username,
        "email": user.email,
    })
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(NewUser(mut form)): Body<NewUser>,
) -> Result<HttpResponse, ApiError> {
    let hash = match form.password.take() {
        Some(password) => Some(hashed(&app, password).await?),
        None => None,
    };
    let created = app.edit(&who.actor, move |tx| users::create(tx, &form, hash.as_deref()));
    Ok(HttpResponse::Created().json(users::document(&created.await?)))
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
    app.edit(&who.actor, move |tx| users::set_password(tx, id, &hash))
        .await?;
    Ok(done())
}

fn check(password: &str) -> Result<(), Error> {
    let faults = passwords::faults(password);
    let Some(first) = faults.first() else {
        return Ok(());
    };
    Err(Error::Invalid {
        message: (*first).to_owned(),
        details: faults.iter().map(|fault| (*fault).to_owned().into()).collect(),
    })
}

async fn hashed(app: &App, password: String) -> Result<String, ApiError> {
    check(&password)?;
    Ok(app.sign_in.passwords.hash(password).await?)
}

/// Who was granted something in a project.
pub(crate) async fn access(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    find_project(&serving.snapshot, &project)?;
    let granted = serving.users.iter().filter_map(|user| {
        let permissions = audit::shown_grants(user, &project);
        let mut shown = person(user);
        (!permissions.is_empty()).then(|| {
            if let Some(object) = shown.as_object_mut() {
                object.insert("permissions".to_owned(), permissions.into());
            }
            shown
        })
    });
    let granted: Vec<Value> = granted.collect();
    Ok(HttpResponse::Ok().json(json!({ "users": granted })))
}

pub(crate) async fn grant(
    who: Caller,
    app: Data<App>,
    ProjectUserPath { project, id }: ProjectUserPath,
    Body(wanted): Body<Vec<GrantForm>>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| users::grant(tx, &project, id, &wanted))
        .await?;
    Ok(done())
}
