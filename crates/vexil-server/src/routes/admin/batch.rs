//! Flags come out of an environment as a document, and into one.

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_DISPOSITION, ContentType};
use actix_web::web::Data;
use serde_json::to_vec;
use vexil_admin_api::export::ExportQuestion;
use vexil_admin_api::import::Import;
use vexil_service::App;
use vexil_service::operations::{Error, export as operation, import as importing, known_fields};

use super::done;
use crate::routes::ApiError;
use crate::routes::auth::Caller;
use crate::routes::bodies::{Body, IMPORT_BYTES};

/// What an import says beside its document takes no more than this.
const AROUND_A_DOCUMENT: usize = 4 << 10;

pub(crate) async fn export(
    who: Caller,
    app: Data<App>,
    Body(question): Body<ExportQuestion>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let flags = operation::flags(&serving.snapshot, &who, &question)?;
    let fields = known_fields::all(&serving.access.tables.settings)?;
    let document = operation::document(&serving.snapshot, &fields, &question, &flags);
    let text = to_vec(&document).map_err(Error::internal)?;
    let most = app.limits.body_bytes.max(IMPORT_BYTES) - AROUND_A_DOCUMENT;
    if text.len() > most {
        let message = format!(
            "The document would have {} bytes, and an import takes {most}. Export fewer flags at once, by name, tag or project.",
            text.len()
        );
        return Err(Error::invalid(message).into());
    }
    let names: Vec<String> = flags.iter().map(|flag| flag.name.to_string()).collect();
    let as_file = question.as_file;
    app.edit(&who.actor, move |tx| {
        operation::note(tx, &question, &names);
        Ok(())
    })
    .await?;
    let mut answer = HttpResponse::Ok();
    answer.content_type(ContentType::json());
    if as_file {
        answer.insert_header((CONTENT_DISPOSITION, "attachment; filename=\"export.json\""));
    }
    Ok(answer.body(text))
}

pub(crate) async fn validate(
    who: Caller,
    app: Data<App>,
    Body(import): Body<Import>,
) -> Result<HttpResponse, ApiError> {
    let actor = who.actor.clone();
    let rehearsed = app.rehearse(&actor, move |tx| importing::validate(tx, &who, &import));
    Ok(HttpResponse::Ok().json(rehearsed.await?))
}

pub(crate) async fn import(
    who: Caller,
    app: Data<App>,
    Body(import): Body<Import>,
) -> Result<HttpResponse, ApiError> {
    if who.user.is_none() {
        let message =
            "An import is somebody's: use a personal access token, or sign in. An admin token is nobody's.";
        return Err(Error::invalid(message).into());
    }
    let actor = who.actor.clone();
    app.edit(&actor, move |tx| importing::import(tx, &who, &import))
        .await?;
    Ok(done())
}
