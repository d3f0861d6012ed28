//! What admins ask about all users: who there is, who is not seen any more, what somebody may do, links.

use actix_web::HttpResponse;
use actix_web::web::{Data, Query};
use serde::Deserialize;
use serde_json::{Value, json};
use time::Duration;
use vexil_access::{Permission, Place, RoleId, Scope};
use vexil_admin_api::timestamp::Timestamp;
use vexil_domain::{EnvironmentName, ProjectId};
use vexil_service::operations::{password_links, roles, users};
use vexil_service::sign_in::Secret;
use vexil_service::{App, Principal};
use vexil_store::{LinkPurpose, User};

use super::done;
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, OneUser, SomeUsers};
use crate::routes::paths::UserPath;

/// After how much time without a sign of life a user counts as gone.
const INACTIVE: Duration = Duration::days(180);

/// Everybody who may be given something: users and groups.
pub(crate) async fn access(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let users = serving.users.iter().map(|user| {
        let mut shown = users::named(user);
        if let Some(shown) = shown.as_object_mut() {
            shown.insert("accountType".to_owned(), "User".into());
        }
        shown
    });
    let users: Vec<Value> = users.collect();
    let groups = serving.access.directory.groups();
    let groups: Vec<Value> = groups
        .map(|group| json!({ "id": group.id.0, "name": group.name, "userCount": group.members.len() }))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "users": users, "groups": groups })))
}

/// How many admins there are, with a password and without.
pub(crate) async fn admin_count(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let is_admin = |user: &&std::sync::Arc<User>| {
        Principal::of_user(user, &serving.access.directory).is_admin() || user.root_role == RoleId::ADMIN
    };
    let admins: Vec<_> = serving.users.iter().filter(is_admin).collect();
    let with_password = admins.iter().filter(|user| user.password_hash.is_some()).count();
    Ok(HttpResponse::Ok().json(json!({
        "password": with_password,
        "noPassword": admins.len() - with_password,
        "service": 0,
    })))
}

/// Users who have not been seen for half a year, or never since.
pub(crate) async fn inactive(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let now = app.now();
    let mut found = users::with_last_seen(&app).await?;
    found.retain(|user| now - user.seen_at.unwrap_or(user.created_at) >= INACTIVE);
    let shown: Vec<Value> = found
        .iter()
        .map(|user| {
            let latest = user.tokens.iter().filter_map(|token| token.seen_at).max();
            json!({
                "id": user.id.0,
                "name": user.name,
                "username": user.username,
                "email": user.email,
                "seenAt": user.seen_at.map(Timestamp::from),
                "createdAt": Timestamp::from(user.created_at),
                "patSeenAt": latest.map(Timestamp::from),
            })
        })
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "inactiveUsers": shown })))
}

/// Removes users: all of them, or none.
pub(crate) async fn remove_all(
    who: Caller,
    app: Data<App>,
    Body(SomeUsers(ids)): Body<SomeUsers>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        ids.iter().try_for_each(|id| users::remove(tx, *id))
    })
    .await?;
    Ok(done())
}

/// Makes a link with which a user sets another password.
pub(crate) async fn reset_password(
    who: Caller,
    app: Data<App>,
    asked: Asked,
    Body(OneUser(named)): Body<OneUser>,
) -> Result<HttpResponse, ApiError> {
    let user = users::find_named(&app.serving(), &named)?;
    let secret = Secret::random()?;
    let hash = secret.hash();
    app.edit(&who.actor, move |tx| {
        password_links::make(tx, user, LinkPurpose::Reset, hash)
    })
    .await?;
    let url = format!("{}/reset-password?token={}", asked.own_address, secret.text());
    Ok(HttpResponse::Ok().json(json!({ "resetPasswordUrl": url })))
}

/// Removes the users that SCIM has made: there is no SCIM, so there are none.
pub(crate) async fn remove_provisioned() -> Result<HttpResponse, ApiError> {
    Ok(done())
}

#[derive(Deserialize)]
pub(crate) struct Where {
    project: Option<String>,
    environment: Option<String>,
}

/// What a user may do, with every permission there is.
pub(crate) async fn permissions(
    app: Data<App>,
    UserPath { id }: UserPath,
    wanted: Query<Where>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let user = users::find(&serving, id)?;
    let who = Principal::of_user(user, &serving.access.directory);
    let project: Option<ProjectId> = wanted.project.as_deref().map(Into::into);
    let environment: Option<EnvironmentName> = wanted.environment.as_deref().map(Into::into);
    let place = Place::of(project.as_ref(), environment.as_ref());
    let of_scope = |scope: Scope| -> Vec<Value> {
        let all = Permission::ALL.iter().copied().filter(|it| it.scope() == scope);
        all.map(|permission| {
            let mut shown = roles::described(permission);
            if let Some(object) = shown.as_object_mut() {
                object.insert(
                    "hasPermission".to_owned(),
                    who.rights.may(permission, place).into(),
                );
            }
            shown
        })
        .collect()
    };
    let role = serving.access.directory.role(user.root_role);
    let in_project = project.as_ref().map(|project| who.rights.roles_in(project));
    Ok(HttpResponse::Ok().json(json!({
        "overview": {
            "root": of_scope(Scope::Instance),
            "project": of_scope(Scope::Project),
            "environment": of_scope(Scope::Environment),
        },
        "user": users::person(user),
        "rootRole": role.map(|role| roles::short_document(role)),
        "projectRoles": in_project.unwrap_or_default().into_iter().map(|role| roles::short_document(role)).collect::<Vec<_>>(),
    })))
}
