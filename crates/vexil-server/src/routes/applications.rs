//! Applications: who has registered, and which flags they use.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use vexil_admin_api::applications::{ApplicationDocument, ApplicationList};
use vexil_client_api::query::pairs;

use super::Route;
use crate::app::App;
use crate::auth::Authorized;
use crate::entity_tag;
use crate::operations::Error;
use crate::operations::applications::known;
use crate::permission::Read;
use crate::routes::ApiError;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/admin/metrics/applications", applications),
        Route::get("/api/admin/metrics/applications/{application}", application),
    ]
}

/// The applications whose name contains `query`, from `offset` on, at most `limit`.
async fn applications(
    _who: Authorized<Read>,
    app: Data<App>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let page = Page::of(request.query_string());
    let known = app.read(known).await?;
    let found = || {
        known
            .iter()
            .filter(|(name, _)| name.to_lowercase().contains(&page.wanted))
    };
    let shown = found()
        .skip(page.offset)
        .take(page.limit)
        .map(|(name, application)| (name.as_str(), application));
    let serving = app.serving();
    entity_tag::document(
        &request,
        &ApplicationList::new(shown, found().count(), &serving.snapshot),
    )
}

/// One application.
async fn application(
    _who: Authorized<Read>,
    app: Data<App>,
    name: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let known = app.read(known).await?;
    let Some(application) = known.get(name.as_str()) else {
        return Err(Error::NotFound(format!("Could not find appName={name}")).into());
    };
    let serving = app.serving();
    entity_tag::document(
        &request,
        &ApplicationDocument::new(&name, application, &serving.snapshot),
    )
}

/// Which part of the list is wanted. What is no number asks for nothing.
struct Page {
    wanted: String,
    offset: usize,
    limit: usize,
}

impl Page {
    fn of(query: &str) -> Self {
        let mut page = Self {
            wanted: String::new(),
            offset: 0,
            limit: usize::MAX,
        };
        for (name, value) in pairs(query) {
            match name.as_str() {
                "query" => page.wanted = value.to_lowercase(),
                "offset" => page.offset = value.parse().unwrap_or(0),
                "limit" => page.limit = value.parse().unwrap_or(usize::MAX),
                _ => {}
            }
        }
        page
    }
}
