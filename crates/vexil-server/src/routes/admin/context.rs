//! What constraints can be about and flags can be for: context fields and feature types.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::{Data, Query};
use serde::Deserialize;
use serde_json::json;
use vexil_admin_api::context_field::{
    ContextField, ContextFieldDocument, ContextFieldForm, ContextFieldListItem, LegalValue,
};
use vexil_admin_api::segment::StrategyPosition;
use vexil_change_request::validate as content;
use vexil_domain::{Constraint, ProjectId, Snapshot};
use vexil_service::operations::Error;
use vexil_service::operations::change_requests::find_project;
use vexil_service::operations::context_fields::{self, FieldPlace, is_about};
use vexil_service::operations::known_fields;
use vexil_service::operations::legal_values::check_one;
use vexil_service::operations::segments::{check_content, count_uses, strategies};
use vexil_service::{App, ServingState, Transaction};

use super::done;
use super::segments::position;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, FreeFieldName, Named};
use crate::routes::paths::{
    ContextFieldPath, LegalValuePath, ProjectFieldPath, ProjectLegalValuePath, ProjectPath,
};

#[derive(Deserialize)]
pub(crate) struct Included {
    include: Option<String>,
}

impl Included {
    /// Whether the fields of `which` are asked for beside the others.
    fn has(&self, which: &str) -> Result<bool, Error> {
        match self.include.as_deref() {
            Some(other) if !matches!(other, "root" | "project") => {
                let message =
                    format!("The query parameter include is `{other}`; it must be root or project.");
                Err(Error::invalid(message))
            }
            asked => Ok(asked == Some(which)),
        }
    }
}

/// The fields that every application knows; with `?include=project` those of all projects as well.
pub(crate) async fn list(app: Data<App>, included: Query<Included>) -> Result<HttpResponse, ApiError> {
    let of_projects = included.has("project")?;
    shown(&app.serving(), |field| field.project.is_none() || of_projects)
}

/// The fields that every application knows.
pub(in crate::routes) fn for_all(app: &App) -> Result<HttpResponse, ApiError> {
    shown(&app.serving(), |field| field.project.is_none())
}

/// The fields of a project; with `?include=root` those that every application knows as well.
pub(crate) async fn of_project(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    included: Query<Included>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    find_project(&serving.snapshot, &project)?;
    let of_all = included.has("root")?;
    shown(&serving, |field| {
        field.project.as_ref().map_or(of_all, |own| *own == project)
    })
}

fn shown(serving: &ServingState, wanted: impl Fn(&ContextField) -> bool) -> Result<HttpResponse, ApiError> {
    let fields = known_fields::all(&serving.access.tables.settings)?;
    let fields = fields.values().filter(|field| wanted(field));
    let items: Vec<ContextFieldListItem<'_>> = fields.map(|field| item(&serving.snapshot, field)).collect();
    Ok(HttpResponse::Ok().json(items))
}

fn item<'a>(snapshot: &Snapshot, field: &'a ContextField) -> ContextFieldListItem<'a> {
    let (used_in_projects, used_in_features) =
        count_uses(snapshot, |strategy| is_about(strategy, &field.name));
    ContextFieldListItem {
        field: ContextFieldDocument::of(field),
        used_in_projects,
        used_in_features,
    }
}

pub(crate) async fn read(
    app: Data<App>,
    ContextFieldPath { field }: ContextFieldPath,
) -> Result<HttpResponse, ApiError> {
    let field = known_fields::find(&app.serving().access.tables.settings, &field)?;
    Ok(HttpResponse::Ok().json(ContextFieldDocument::of(&field)))
}

/// A context field that a project can use: its own, and those that every application knows.
pub(crate) async fn read_in_project(
    app: Data<App>,
    ProjectFieldPath { project, field: name }: ProjectFieldPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    find_project(&serving.snapshot, &project)?;
    let field = known_fields::find(&serving.access.tables.settings, &name)?;
    if field.project.as_ref().is_some_and(|own| *own != project) {
        let message = format!("Could not find context field {name} in project {project}");
        return Err(Error::NotFound(message).into());
    }
    Ok(HttpResponse::Ok().json(ContextFieldDocument::of(&field)))
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(Named(name, form)): Body<Named<String, ContextFieldForm>>,
) -> Result<HttpResponse, ApiError> {
    let project = form.project.clone();
    created(&who, &app, name, form, project, "context").await
}

pub(crate) async fn create_in_project(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(Named(name, form)): Body<Named<String, ContextFieldForm>>,
) -> Result<HttpResponse, ApiError> {
    if form.project.as_ref().is_some_and(|own| *own != project) {
        return Err(Error::invalid("The field is to be of another project than that of the path.").into());
    }
    let at = format!("projects/{project}/context");
    created(&who, &app, name, form, Some(project), &at).await
}

async fn created(
    who: &Caller,
    app: &App,
    name: String,
    form: ContextFieldForm,
    project: Option<ProjectId>,
    at: &str,
) -> Result<HttpResponse, ApiError> {
    let field = app
        .edit(&who.actor, move |tx| {
            context_fields::create(tx, &name, &form, project.as_ref())
        })
        .await?;
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, format!("{at}/{}", field.name)))
        .json(ContextFieldDocument::of(&field)))
}

/// Whether a field could be added under a name.
pub(crate) async fn validate(
    app: Data<App>,
    Body(FreeFieldName(name)): Body<FreeFieldName>,
) -> Result<HttpResponse, ApiError> {
    context_fields::check_free(&app.serving().access.tables.settings, &name)?;
    Ok(done())
}

/// The same from a project, which must be there.
pub(crate) async fn validate_in_project(
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    body: Body<FreeFieldName>,
) -> Result<HttpResponse, ApiError> {
    find_project(&app.serving().snapshot, &project)?;
    validate(app, body).await
}

pub(crate) async fn replace(
    who: Caller,
    app: Data<App>,
    ContextFieldPath { field }: ContextFieldPath,
    Body(form): Body<ContextFieldForm>,
) -> Result<HttpResponse, ApiError> {
    change(&who, &app, None, field, move |tx, place| {
        context_fields::edit(tx, place, &form)
    })
    .await
}

pub(crate) async fn replace_in_project(
    who: Caller,
    app: Data<App>,
    ProjectFieldPath { project, field }: ProjectFieldPath,
    Body(form): Body<ContextFieldForm>,
) -> Result<HttpResponse, ApiError> {
    change(&who, &app, Some(project), field, move |tx, place| {
        context_fields::edit(tx, place, &form)
    })
    .await
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    ContextFieldPath { field }: ContextFieldPath,
) -> Result<HttpResponse, ApiError> {
    change(&who, &app, None, field, context_fields::remove).await
}

pub(crate) async fn remove_in_project(
    who: Caller,
    app: Data<App>,
    ProjectFieldPath { project, field }: ProjectFieldPath,
) -> Result<HttpResponse, ApiError> {
    change(&who, &app, Some(project), field, context_fields::remove).await
}

pub(crate) async fn put_value(
    who: Caller,
    app: Data<App>,
    ContextFieldPath { field }: ContextFieldPath,
    Body(value): Body<LegalValue>,
) -> Result<HttpResponse, ApiError> {
    change(&who, &app, None, field, move |tx, place| {
        context_fields::put_value(tx, place, &value)
    })
    .await
}

pub(crate) async fn put_value_in_project(
    who: Caller,
    app: Data<App>,
    ProjectFieldPath { project, field }: ProjectFieldPath,
    Body(value): Body<LegalValue>,
) -> Result<HttpResponse, ApiError> {
    change(&who, &app, Some(project), field, move |tx, place| {
        context_fields::put_value(tx, place, &value)
    })
    .await
}

pub(crate) async fn take_value(
    who: Caller,
    app: Data<App>,
    LegalValuePath { field, value }: LegalValuePath,
) -> Result<HttpResponse, ApiError> {
    change(&who, &app, None, field, move |tx, place| {
        context_fields::take_value(tx, place, &value)
    })
    .await
}

pub(crate) async fn take_value_in_project(
    who: Caller,
    app: Data<App>,
    ProjectLegalValuePath {
        project,
        field,
        value,
    }: ProjectLegalValuePath,
) -> Result<HttpResponse, ApiError> {
    change(&who, &app, Some(project), field, move |tx, place| {
        context_fields::take_value(tx, place, &value)
    })
    .await
}

/// Changes a context field, through a project one of its own.
async fn change(
    who: &Caller,
    app: &App,
    project: Option<ProjectId>,
    name: String,
    work: impl Fn(&mut Transaction<'_>, FieldPlace<'_>) -> Result<(), Error> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| {
        let place = FieldPlace {
            project: project.as_ref(),
            name: &name,
        };
        work(tx, place)
    })
    .await?;
    Ok(done())
}

/// The strategies with a constraint on a field, which can be any property.
pub(crate) async fn uses(
    app: Data<App>,
    ContextFieldPath { field: name }: ContextFieldPath,
) -> Result<HttpResponse, ApiError> {
    Ok(used(&app.serving().snapshot, &name, None))
}

/// The same of a project.
pub(crate) async fn uses_in_project(
    app: Data<App>,
    ProjectFieldPath { project, field }: ProjectFieldPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    find_project(&serving.snapshot, &project)?;
    Ok(used(&serving.snapshot, &field, Some(&project)))
}

fn used(snapshot: &Snapshot, field: &str, project: Option<&ProjectId>) -> HttpResponse {
    let found = strategies(snapshot).filter(|found| is_about(found.strategy, field));
    let found = found.filter(|found| project.is_none_or(|project| found.flag.project == *project));
    let positions: Vec<StrategyPosition<'_>> = found.map(position).collect();
    HttpResponse::Ok().json(json!({ "strategies": positions }))
}

/// Whether a constraint says something that can be decided, of a value that its field may have.
pub(crate) async fn validate_constraint(
    app: Data<App>,
    Body(constraint): Body<Constraint>,
) -> Result<HttpResponse, ApiError> {
    check_content(&content::constraint("", &constraint))?;
    check_one(&constraint, &app.serving().access.tables.settings)?;
    Ok(HttpResponse::NoContent().finish())
}
