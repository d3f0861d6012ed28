//! Users, and what they were granted in projects.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path, Query};
use serde::Deserialize;
use serde_json::{Value, json};
use vexil_admin_api::user::{ROOT_ROLES, UserForm, read_grants, read_password};
use vexil_client_api::json::{Node, Problems};
use vexil_domain::ProjectId;
use vexil_store::{Permission, User, UserId};

use super::done;
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::change_requests::find_project;
use crate::operations::users;
use crate::passwords;
use crate::permission::{Read, RunInstance};
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    const ONE: &str = "/api/admin/user-admin/{id}";
    vec![
        Route::get("/api/admin/user-admin", list),
        Route::post("/api/admin/user-admin", create),
        Route::get("/api/admin/user-admin/search", search),
        Route::post("/api/admin/user-admin/validate-password", validate_password),
        Route::get(ONE, read),
        Route::put(ONE, edit),
        Route::delete(ONE, remove),
        Route::post("/api/admin/user-admin/{id}/change-password", change_password),
        Route::get("/api/admin/roles", roles),
        Route::get("/api/admin/projects/{project}/access", access),
        Route::put("/api/admin/projects/{project}/access/users/{id}", grant),
    ]
}

/// The id of a user, as a path gives it.
pub(super) fn read_id(text: &str) -> Result<UserId, Error> {
    let mut problems = Problems::new();
    let value = Value::String(text.to_owned());
    let id = Node::root(&value, "/params/id").integer(&mut problems, i64::MIN, i64::MAX);
    problems.finish(id.map(UserId)).map_err(Error::from)
}

fn root_roles() -> Vec<Value> {
    let numbered = ROOT_ROLES.iter().enumerate();
    numbered
        .map(|(place, (name, description))| {
            json!({ "id": place + 1, "name": name, "type": "root", "description": description })
        })
        .collect()
}

/// All users. From the store, which knows when they were last seen.
async fn list(_who: Authorized<RunInstance>, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let found = app.read(|store| store.users()).await?;
    let shown: Vec<_> = found.iter().map(users::document).collect();
    Ok(HttpResponse::Ok().json(json!({ "users": shown, "rootRoles": root_roles() })))
}

async fn roles(_who: Authorized<Read>) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "roles": root_roles() })))
}

#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    q: String,
}

/// Those whose name, username or email address holds a text.
async fn search(
    _who: Authorized<Read>,
    app: Data<App>,
    query: Query<Wanted>,
) -> Result<HttpResponse, ApiError> {
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

async fn create(
    who: Authorized<RunInstance>,
    app: Data<App>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let mut form = UserForm::read_new(&body.value).map_err(Error::from)?;
    let hash = match form.password.take() {
        Some(password) => Some(hashed(&app, password).await?),
        None => None,
    };
    let created = app.edit(&who.actor, move |tx| users::create(tx, &form, hash.as_deref()));
    Ok(HttpResponse::Created().json(users::document(&created.await?)))
}

async fn read(
    _who: Authorized<RunInstance>,
    app: Data<App>,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let user = users::find(&serving, read_id(&id)?)?;
    Ok(HttpResponse::Ok().json(users::document(user)))
}

async fn edit(
    who: Authorized<RunInstance>,
    app: Data<App>,
    id: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let id = read_id(&id)?;
    let form = UserForm::read_changes(&body.value).map_err(Error::from)?;
    let edited = app.edit(&who.actor, move |tx| users::edit(tx, id, &form));
    Ok(HttpResponse::Ok().json(users::document(&edited.await?)))
}

async fn remove(
    who: Authorized<RunInstance>,
    app: Data<App>,
    id: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let id = read_id(&id)?;
    app.edit(&who.actor, move |tx| users::remove(tx, id)).await?;
    Ok(done())
}

async fn validate_password(_who: Authorized<Read>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let password = read_password(&body.value).map_err(Error::from)?;
    check(&password)?;
    Ok(done())
}

async fn change_password(
    who: Authorized<RunInstance>,
    app: Data<App>,
    id: Path<String>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let id = read_id(&id)?;
    let password = read_password(&body.value).map_err(Error::from)?;
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
async fn access(
    _who: Authorized<Read>,
    app: Data<App>,
    project: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let project = ProjectId::from(project.into_inner());
    let serving = app.serving();
    find_project(&serving.snapshot, &project)?;
    let granted = serving.users.iter().filter_map(|user| {
        let permissions = users::shown_grants(user, &project);
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

async fn grant(
    who: Authorized<RunInstance>,
    app: Data<App>,
    path: Path<(String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (project, id) = path.into_inner();
    let (project, id) = (ProjectId::from(project), read_id(&id)?);
    let known = Permission::ALL.map(Permission::name);
    let wanted = read_grants(&body.value, &known).map_err(Error::from)?;
    app.edit(&who.actor, move |tx| users::grant(tx, &project, id, &wanted))
        .await?;
    Ok(done())
}
