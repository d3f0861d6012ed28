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
mod options;
mod password_links;
mod paths;
mod percent_codes;
mod plain_page;
mod playground;
mod playground_changes;
mod playground_diff;
mod playground_proof;
mod prometheus;
mod query_names;
mod reply;
pub(crate) mod request_id;
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
mod visits;
mod wanted;

use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, PathConfig, QueryConfig, ServiceConfig};
use actix_web::{Resource, Scope};

pub use documents::{markdown as routes_as_markdown, openapi as routes_as_openapi};
pub use error::ApiError;
pub use list::all;
pub use route::Route;

use not_found::not_found;
use vexil_service::operations::Error;

/// Adds every route below `base` to a service.
pub fn configure(base: &str, config: &mut ServiceConfig) {
    let mut scope = web::scope(base);
    let (named, mut plain): (Vec<_>, Vec<_>) = all().into_iter().partition(|route| route.path.contains('{'));
    // The router tries one after another: what SDKs ask most comes first.
    plain.sort_by_key(|route| !SDK_PATHS.iter().any(|start| route.path.starts_with(start)));
    for resource in resources(plain, "") {
        scope = resource.add_to(scope);
    }
    // A path with parameters is a regular expression, and tried after those without, among those alone that begin alike.
    let (grouped, others): (Vec<_>, Vec<_>) = named
        .into_iter()
        .partition(|route| beginning(route.path).is_some());
    let mut groups: Vec<(&str, Vec<Route>)> = Vec::new();
    for route in grouped {
        let start = beginning(route.path).unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| *known == start) {
            Some((_, routes)) => routes.push(route),
            None => groups.push((start, vec![route])),
        }
    }
    for (start, routes) in groups {
        let group = web::scope(start).default_service(web::to(not_found));
        let resources = resources(routes, start).into_iter();
        scope = scope.service(resources.fold(group, |group, resource| resource.add_to(group)));
    }
    for resource in resources(others, "") {
        scope = resource.add_to(scope);
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

/// The first three segments of a path, where they are no parameters.
fn beginning(path: &str) -> Option<&str> {
    let (end, _) = path.match_indices('/').nth(3)?;
    path.get(..end).filter(|start| !start.contains('{'))
}

/// What answers on a path.
struct AnyResource {
    resource: Resource,
    for_pages: bool,
}

impl AnyResource {
    fn add_to(self, scope: Scope) -> Scope {
        if self.for_pages {
            scope.service(self.resource.wrap(from_fn(cors::allow_origin)))
        } else {
            scope.service(self.resource)
        }
    }
}

/// The resources of some routes, one for each path, below a part that all begin with.
fn resources(mut routes: Vec<Route>, start: &str) -> Vec<AnyResource> {
    let mut all = Vec::new();
    while let Some(first) = routes.first() {
        let path = first.path;
        let (same, rest): (Vec<_>, Vec<_>) = routes.into_iter().partition(|route| route.path == path);
        let rest_of_path = path.strip_prefix(start).unwrap_or(path);
        // of a base path itself nothing is left, since slashes at the end are passed over
        let written = if rest_of_path == "/" {
            vec!["", "/"]
        } else {
            vec![rest_of_path]
        };
        let mut resource = web::resource(written).default_service(web::to(not_found));
        if let Some(options) = options::of(&same) {
            resource = resource.route(options);
        }
        let resource = same
            .into_iter()
            .fold(resource, |resource, route| resource.route(route.route));
        all.push(AnyResource {
            resource,
            for_pages: cors::is_for_pages(path),
        });
        routes = rest;
    }
    all
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
