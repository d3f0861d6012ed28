//! Answers that a page asks for first: they come with its shell, which saves the page a round trip.
//!
//! They are the answers of the administration API itself, to whoever is signed in, and no others.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::body::to_bytes;
use actix_web::web::Data;
use percent_encoding::percent_decode_str;
use serde_json::value::RawValue;
use vexil_change_request::ChangeRequestId;
use vexil_domain::Actor;
use vexil_service::App;

use crate::routes::ApiError;
use crate::routes::admin::{context, environments};
use crate::routes::change_requests::{configuration, reading};
use crate::routes::paths::{ProjectPath, RequestPath};

/// The answers for the page at `path`, by the paths below `api/admin/` at which the page would ask for them, as one JSON
/// object. A page whose path is written otherwise than scripts write it asks itself.
pub(super) async fn given(who: &Actor, app: &Data<App>, path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let mut answers = BTreeMap::new();
    for asked in asked_by(&parts) {
        let (path, answer) = match asked {
            Asked::Request { project, id } => {
                let path = RequestPath {
                    project: decoded(project).into(),
                    id,
                };
                let asked = format!("projects/{project}/change-requests/{id}");
                (asked, reading::one_for(who, app, path).await)
            }
            Asked::Rules { project } => {
                let path = ProjectPath {
                    project: decoded(project).into(),
                };
                let asked = format!("projects/{project}/change-requests/config");
                (asked, configuration::get(app.clone(), path).await)
            }
            Asked::Environments => ("environments".to_owned(), environments::list(app.clone()).await),
            Asked::ContextFields => ("context".to_owned(), context::for_all(app)),
        };
        if let Some(answer) = text_of(answer).await {
            answers.insert(path, answer);
        }
    }
    // texts and documents that were JSON before are JSON
    serde_json::to_string(&answers).unwrap_or_default()
}

/// What a page asks first.
enum Asked<'a> {
    Request { project: &'a str, id: ChangeRequestId },
    Rules { project: &'a str },
    Environments,
    ContextFields,
}

fn asked_by<'a>(path: &[&'a str]) -> Vec<Asked<'a>> {
    match *path {
        ["change-requests", project, id] => match id.parse::<i64>() {
            Ok(id) => vec![Asked::Request {
                project,
                id: ChangeRequestId(id),
            }],
            Err(_) => Vec::new(),
        },
        ["flags", project, _] | ["settings", "projects", project] => vec![Asked::Rules { project }],
        ["flags", project, _, _, _] => vec![Asked::Rules { project }, Asked::ContextFields],
        ["segments", _] => vec![Asked::ContextFields],
        ["playground"] => vec![Asked::Environments],
        _ => Vec::new(),
    }
}

fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

/// The document of an answer; what was refused the page shall be told by the API.
async fn text_of(answer: Result<HttpResponse, ApiError>) -> Option<Box<RawValue>> {
    let answer = answer.ok().filter(|answer| answer.status().is_success())?;
    let body = to_bytes(answer.into_body()).await.ok()?;
    RawValue::from_string(String::from_utf8(body.to_vec()).ok()?).ok()
}
