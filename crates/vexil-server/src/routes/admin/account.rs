//! What somebody asks about themselves, and what the pages keep about them.

use actix_web::HttpResponse;
use actix_web::web::{Data, Query};
use serde::Deserialize;
use serde_json::{Value, json};
use vexil_access::UserId;
use vexil_admin_api::account::{FeedbackForm, LONGEST_NOTICE, OwnPassword};
use vexil_admin_api::timestamp::Timestamp;
use vexil_domain::ProjectId;
use vexil_service::operations::{Error, roles, users};
use vexil_service::{App, Principal};
use vexil_store::{Feedback, User};

use super::dashboard::own_projects;
use super::done;
use super::users::hashed;
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, PageProblem};
use crate::routes::paths::NoticePath;

/// How many notices and questions are kept of a user.
const MOST_NOTICES: usize = 200;

/// The user who asks; an admin token is none.
pub(super) fn own(who: &Principal) -> Result<UserId, Error> {
    let user = who.user.as_ref().map(|user| user.id);
    user.ok_or_else(|| Error::invalid("This is about users, and an API token is none."))
}

/// Projects, groups and roles of whoever asks.
pub(crate) async fn profile(who: Caller, app: Data<App>) -> Result<HttpResponse, ApiError> {
    own(&who)?;
    let serving = app.serving();
    let directory = &serving.access.directory;
    let user = who.user.as_ref();
    let role = user.and_then(|user| directory.role(user.root_role));
    let groups = user.into_iter().flat_map(|user| directory.groups_of(user.id));
    Ok(HttpResponse::Ok().json(json!({
        "projects": own_projects(&who, &serving.snapshot).into_iter().map(|project| project.id.as_str()).collect::<Vec<_>>(),
        "groups": groups.map(|group| json!({ "id": group.id.0, "name": group.name })).collect::<Vec<_>>(),
        "rootRole": role.map(|role| roles::short_document(role)),
        "subscriptions": [],
        "features": [],
        "canChangePassword": app.takes_passwords(),
    })))
}

#[derive(Deserialize)]
pub(crate) struct InProject {
    #[serde(rename = "projectId")]
    project: Option<String>,
}

/// The roles of whoever asks, in a project where one is named.
pub(crate) async fn own_roles(
    who: Caller,
    app: Data<App>,
    wanted: Query<InProject>,
) -> Result<HttpResponse, ApiError> {
    own(&who)?;
    let serving = app.serving();
    let user = who.user.as_ref();
    let root = user.and_then(|user| serving.access.directory.role(user.root_role));
    let project: Option<ProjectId> = wanted.project.as_deref().map(Into::into);
    let here = project.as_ref().map(|project| who.rights.roles_in(project));
    let all = root.into_iter().chain(here.into_iter().flatten());
    let shown: Vec<Value> = all
        .map(|role| {
            let mut shown = roles::short_document(role);
            if let (Some(object), Some(project)) = (shown.as_object_mut(), &project) {
                object.insert("project".to_owned(), project.as_str().into());
            }
            shown
        })
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "roles": shown })))
}

/// Sets one's own password, which ends one's sessions everywhere else.
pub(crate) async fn change_password(
    who: Caller,
    app: Data<App>,
    asked: Asked,
    Body(OwnPassword { old, new }): Body<OwnPassword>,
) -> Result<HttpResponse, ApiError> {
    let id = own(&who)?;
    if let Some(wait) = app.sign_in.guesses.count_own(id).wait {
        return Err(Error::TooManyRequests {
            message: "Too many tries. Wait a little before the next.".to_owned(),
            retry_after: wait,
        }
        .into());
    }
    let kept = app
        .serving()
        .users
        .get(id)
        .and_then(|user| user.password_hash.clone());
    if !app.sign_in.passwords.is_right(old, kept.clone()).await? {
        return Err(ApiError::PasswordMismatch);
    }
    let hash = hashed(&app, new).await?;
    let spared = asked.session.map(|session| session.secret_hash);
    app.edit(&who.actor, move |tx| {
        let known = tx.user(id).and_then(|user| user.password_hash.clone());
        if known != kept {
            return Err(Error::Conflict(
                "Somebody has set another password meanwhile.".to_owned(),
            ));
        }
        users::set_password(tx, id, &hash, spared)
    })
    .await?;
    Ok(done())
}

/// Keeps that a notice was closed.
pub(crate) async fn close_notice(
    who: Caller,
    app: Data<App>,
    NoticePath { name }: NoticePath,
) -> Result<HttpResponse, ApiError> {
    let mut shown = json!({ "splashId": name, "seen": true });
    let Some(user) = who.user.as_ref().map(|user| user.id) else {
        return Ok(HttpResponse::Ok().json(shown));
    };
    if let Some(shown) = shown.as_object_mut() {
        shown.insert("userId".to_owned(), user.0.into());
    }
    change(&app, &who, user, name, |user, name| {
        user.closed_notices.insert(name);
    })
    .await?;
    Ok(HttpResponse::Ok().json(shown))
}

/// Keeps what somebody answered.
pub(crate) async fn give_feedback(
    who: Caller,
    app: Data<App>,
    Body(form): Body<FeedbackForm>,
) -> Result<HttpResponse, ApiError> {
    let missing = || {
        Error::invalid(
            "The `/body/feedbackId` property is required. It was not present on the data you sent.",
        )
    };
    let id = form.id.clone().ok_or_else(missing)?;
    keep_feedback(&who, &app, id, form.never_show).await
}

/// The same, where the path says what was asked.
pub(crate) async fn change_feedback(
    who: Caller,
    app: Data<App>,
    NoticePath { name }: NoticePath,
    Body(form): Body<FeedbackForm>,
) -> Result<HttpResponse, ApiError> {
    keep_feedback(&who, &app, name, form.never_show).await
}

async fn keep_feedback(
    who: &Principal,
    app: &App,
    name: String,
    never_show: bool,
) -> Result<HttpResponse, ApiError> {
    let user = own(who)?;
    let given_at = app.now();
    let feedback = Feedback {
        given_at: Some(given_at),
        never_show,
    };
    let shown = json!({
        "feedbackId": name,
        "neverShow": never_show,
        "given": Timestamp::from(given_at),
        "userId": user.0,
    });
    change(app, who, user, name, move |user, name| {
        user.feedback.insert(name, feedback);
    })
    .await?;
    Ok(HttpResponse::Ok().json(shown))
}

async fn change(
    app: &App,
    who: &Principal,
    user: UserId,
    name: String,
    keep: impl Fn(&mut User, String) + Send + 'static,
) -> Result<(), ApiError> {
    if name.chars().count() > LONGEST_NOTICE {
        return Err(Error::invalid(format!("A name has at most {LONGEST_NOTICE} characters.")).into());
    }
    app.edit(&who.actor, move |tx| {
        let mut user = User::clone(users::find(tx.serving(), user)?);
        keep(&mut user, name.clone());
        if user.closed_notices.len() + user.feedback.len() > MOST_NOTICES {
            return Err(Error::InvalidOperation(format!(
                "At most {MOST_NOTICES} closed notices and answers are kept of a user."
            )));
        }
        tx.put_user(user);
        Ok(())
    })
    .await?;
    Ok(())
}

/// Notes what went wrong in the pages.
pub(crate) async fn record_error(
    who: Caller,
    Body(PageProblem(message)): Body<PageProblem>,
) -> Result<HttpResponse, ApiError> {
    let message: String = message.chars().take(500).collect();
    tracing::info!(user = who.actor.id.0, message, "the pages report an error");
    Ok(HttpResponse::NoContent().finish())
}
