//! Every route of the server, as one list: it builds the service, and is printed by `vexil routes`.

mod account_pages;
mod admin;
mod application_use;
mod applications;
mod asked;
pub(crate) mod auth;
mod bodies;
pub(crate) mod body;
mod change_requests;
mod client;
mod client_stream;
mod cors;
mod documents;
mod edge;
pub(crate) mod entity_tag;
mod error;
mod event_stream;
mod frontend;
mod health;
mod insights;
mod list;
mod list_words;
mod live;
mod not_found;
mod ofrep;
mod password_links;
mod paths;
mod percent_codes;
mod plain_page;
mod playground;
mod playground_changes;
mod playground_diff;
mod playground_proof;
mod prometheus;
mod reply;
mod revision;
mod route;
pub(crate) mod session;
mod sign_in;
mod sign_on;
mod sign_up;
mod ui;
mod usage;
mod usage_stream;
mod usage_summary;
mod wanted;

use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, PathConfig, QueryConfig, ServiceConfig};

use crate::operations::Error;

pub use documents::{markdown as routes_as_markdown, openapi as routes_as_openapi};
pub use error::ApiError;
pub use list::all;
pub use route::Route;

use not_found::not_found;

/// Adds every route below `base` to a service.
pub fn configure(base: &str, config: &mut ServiceConfig) {
    let mut scope = web::scope(base);
    let mut routes = all();
    // The router tries one after another, and a path with parameters is a regular expression: what SDKs ask most
    // comes first, and paths without parameters before those with.
    routes.sort_by_key(|route| {
        (
            route.path.contains('{'),
            !SDK_PATHS.iter().any(|start| route.path.starts_with(start)),
        )
    });
    while !routes.is_empty() {
        let path = routes.first().map_or("", |route| route.path);
        let (same, rest): (Vec<_>, Vec<_>) = routes.into_iter().partition(|route| route.path == path);
        let resource = web::resource(path).default_service(web::to(not_found));
        let resource = same
            .into_iter()
            .fold(resource, |resource, route| resource.route(route.route));
        scope = if cors::is_for_pages(path) {
            scope.service(resource.wrap(from_fn(cors::allow_origin)))
        } else {
            scope.service(resource)
        };
        routes = rest;
    }
    config.app_data(Data::new(ui::BasePath(base.to_owned())));
    config.app_data(QueryConfig::default().error_handler(|error, _| unreadable("query", &error)));
    config.app_data(PathConfig::default().error_handler(|error, _| unreadable("path", &error)));
    config.service(
        scope
            .default_service(web::to(not_found))
            .wrap(from_fn(session::find))
            .wrap(from_fn(revision::keep_up))
            .wrap(from_fn(percent_codes::check)),
    );
    config.default_service(web::to(not_found));
}

/// Where SDKs poll and report.
const SDK_PATHS: [&str; 2] = ["/api/client/", "/api/frontend"];

/// The answer to a query or a path that a handler cannot read.
fn unreadable(what: &str, error: &dyn std::error::Error) -> actix_web::Error {
    ApiError::from(Error::invalid(format!(
        "The {what} of the request cannot be read: {error}."
    )))
    .into()
}
