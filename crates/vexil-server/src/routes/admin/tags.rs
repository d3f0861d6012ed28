//! Tags of flags, and their types.

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::tag::{TagChanges, TagDocument, TagTypeDocument, TagTypeForm};
use vexil_domain::{FlagName, Snapshot, Tag, TagType};
use vexil_service::App;
use vexil_service::operations::tags;

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, FreeTagTypeName, Named, TagsOfFlags};
use crate::routes::paths::{AnyFlagPath, FlagTagPath, ProjectPath, TagPath, TagTypePath, TagsOfTypePath};

/// All tags, on flags or not.
pub(crate) async fn list(app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(listed(
        app.serving().snapshot.tag_types.values().map(AsRef::as_ref),
    ))
}

pub(crate) async fn of_type(
    app: Data<App>,
    TagsOfTypePath { kind }: TagsOfTypePath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let kind = tags::find_type(&serving.snapshot, kind.as_str())?;
    Ok(listed(std::iter::once(kind)))
}

fn listed<'a>(types: impl Iterator<Item = &'a TagType>) -> HttpResponse {
    let of_type = |kind: &'a TagType| kind.values.iter().map(|value| TagDocument::of_type(kind, value));
    let tags: Vec<TagDocument<'_>> = types.flat_map(of_type).collect();
    HttpResponse::Ok().json(json!({ "version": 1, "tags": tags }))
}

pub(crate) async fn read(app: Data<App>, TagPath { kind, value }: TagPath) -> Result<HttpResponse, ApiError> {
    let tag = Tag { kind, value };
    tags::check_there(&app.serving().snapshot, &tag)?;
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "tag": TagDocument::of(&tag) })))
}

pub(crate) async fn create(
    who: Caller,
    app: Data<App>,
    Body(tag): Body<Tag>,
) -> Result<HttpResponse, ApiError> {
    let made = tag.clone();
    app.edit(&who.actor, move |tx| tags::create(tx, &made)).await?;
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, format!("tags/{}/{}", tag.kind, tag.value)))
        .json(json!({ "version": 1, "tag": TagDocument::of(&tag) })))
}

pub(crate) async fn remove(
    who: Caller,
    app: Data<App>,
    TagPath { kind, value }: TagPath,
) -> Result<HttpResponse, ApiError> {
    let (actor, tag) = (who.actor.clone(), Tag { kind, value });
    app.edit(&actor, move |tx| tags::remove(tx, &who, &tag)).await?;
    Ok(done())
}

pub(crate) async fn list_types(app: Data<App>) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let types = serving.snapshot.tag_types.values();
    let types: Vec<TagTypeDocument<'_>> = types.map(|kind| TagTypeDocument::of(kind)).collect();
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "tagTypes": types })))
}

pub(crate) async fn read_type(
    app: Data<App>,
    TagTypePath { name }: TagTypePath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let kind = tags::find_type(&serving.snapshot, &name)?;
    Ok(HttpResponse::Ok().json(json!({ "version": 1, "tagType": TagTypeDocument::of(kind) })))
}

pub(crate) async fn create_type(
    who: Caller,
    app: Data<App>,
    Body(Named(name, form)): Body<Named<String, TagTypeForm>>,
) -> Result<HttpResponse, ApiError> {
    let made = app.edit(&who.actor, move |tx| tags::create_type(tx, &name, &form));
    let made = made.await?;
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, format!("tag-types/{}", made.name)))
        .json(TagTypeDocument::of(&made)))
}

/// Whether a type could be created under a name.
pub(crate) async fn validate_type(
    app: Data<App>,
    Body(FreeTagTypeName(name)): Body<FreeTagTypeName>,
) -> Result<HttpResponse, ApiError> {
    tags::check_type_free(&app.serving().snapshot, &name)?;
    Ok(HttpResponse::Ok().json(json!({ "valid": true, "tagType": { "name": name } })))
}

pub(crate) async fn edit_type(
    who: Caller,
    app: Data<App>,
    TagTypePath { name }: TagTypePath,
    Body(form): Body<TagTypeForm>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| tags::edit_type(tx, &name, &form))
        .await?;
    Ok(done())
}

pub(crate) async fn remove_type(
    who: Caller,
    app: Data<App>,
    TagTypePath { name }: TagTypePath,
) -> Result<HttpResponse, ApiError> {
    let actor = who.actor.clone();
    app.edit(&actor, move |tx| tags::remove_type(tx, &who, &name))
        .await?;
    Ok(done())
}

pub(crate) async fn of_flag(
    app: Data<App>,
    AnyFlagPath { flag }: AnyFlagPath,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let flag = tags::find_any_flag(&serving.snapshot, &flag)?;
    Ok(shown(&serving.snapshot, &flag.tags))
}

fn shown<'a>(snapshot: &'a Snapshot, tags: impl IntoIterator<Item = &'a Tag>) -> HttpResponse {
    let with_color = |tag: &'a Tag| {
        let kind = snapshot.tag_types.get(&tag.kind);
        TagDocument::of(tag).colored(kind.map(AsRef::as_ref))
    };
    let tags: Vec<TagDocument<'_>> = tags.into_iter().map(with_color).collect();
    HttpResponse::Ok().json(json!({ "version": 1, "tags": tags }))
}

pub(crate) async fn put_on(
    who: Caller,
    app: Data<App>,
    AnyFlagPath { flag }: AnyFlagPath,
    Body(tag): Body<Tag>,
) -> Result<HttpResponse, ApiError> {
    let changes = TagChanges {
        added: [tag.clone()].into(),
        ..TagChanges::default()
    };
    change_one(&who, &app, flag, changes).await?;
    Ok(HttpResponse::Created().json(TagDocument::of(&tag)))
}

pub(crate) async fn change(
    who: Caller,
    app: Data<App>,
    AnyFlagPath { flag }: AnyFlagPath,
    Body(changes): Body<TagChanges>,
) -> Result<HttpResponse, ApiError> {
    let tags = change_one(&who, &app, flag, changes).await?;
    Ok(shown(&app.serving().snapshot, &tags))
}

async fn change_one(
    who: &Caller,
    app: &App,
    flag: FlagName,
    changes: TagChanges,
) -> Result<std::collections::BTreeSet<Tag>, ApiError> {
    let edited = app.edit(&who.actor, move |tx| tags::change(tx, &flag, &changes));
    Ok(edited.await?)
}

pub(crate) async fn take_off(
    who: Caller,
    app: Data<App>,
    FlagTagPath { flag, kind, value }: FlagTagPath,
) -> Result<HttpResponse, ApiError> {
    let tag = Tag { kind, value };
    app.edit(&who.actor, move |tx| tags::take_off(tx, &flag, &tag))
        .await?;
    Ok(done())
}

pub(crate) async fn change_all(
    who: Caller,
    app: Data<App>,
    ProjectPath { project }: ProjectPath,
    Body(TagsOfFlags { flags, changes }): Body<TagsOfFlags>,
) -> Result<HttpResponse, ApiError> {
    let edited = app.edit(&who.actor, move |tx| {
        tags::change_all(tx, &project, &flags, &changes)
    });
    edited.await?;
    Ok(done())
}
