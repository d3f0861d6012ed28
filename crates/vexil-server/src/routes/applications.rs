//! Applications: who has registered, and which flags they use.

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::applications::{ApplicationDocument, ApplicationList};
use vexil_client_api::query::pairs;

use crate::app::App;
use crate::operations::Error;
use crate::operations::applications::known;
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::entity_tag;
use crate::routes::paths::ApplicationPath;

/// The applications whose name contains `query`, from `offset` on, at most `limit`.
pub(crate) async fn applications(app: Data<App>, asked: Asked) -> Result<HttpResponse, ApiError> {
    let page = Page::of(&asked.query);
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
        &asked.headers,
        &ApplicationList::new(shown, found().count(), &serving.snapshot),
    )
}

/// One application.
pub(crate) async fn application(
    app: Data<App>,
    ApplicationPath { application: name }: ApplicationPath,
    asked: Asked,
) -> Result<HttpResponse, ApiError> {
    let known = app.read(known).await?;
    let Some(application) = known.get(name.as_str()) else {
        return Err(Error::NotFound(format!("Could not find appName={name}")).into());
    };
    let serving = app.serving();
    entity_tag::document(
        &asked.headers,
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
