//! Every route of the server, as one list: it builds the service, and is printed by `vexil routes`.

mod admin;
mod applications;
mod change_requests;
mod client;
mod cors;
mod edge;
mod error;
mod frontend;
mod health;
mod path;
mod playground;
mod playground_changes;
mod playground_diff;
mod prometheus;
pub(crate) mod session;
mod sign_in;
mod ui;
mod usage;

use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, PathConfig, QueryConfig, ServiceConfig};
use actix_web::{FromRequest, Handler, HttpRequest, Responder, guard};

use crate::operations::Error;

pub use error::ApiError;

/// One route.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path below the base path; parameters in braces.
    pub path: &'static str,
    route: actix_web::Route,
}

impl Route {
    fn new<F, Args>(method: Method, path: &'static str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let route = match method {
            Method::GET => web::route().guard(guard::Any(guard::Get()).or(guard::Head())),
            _ => web::method(method.clone()),
        };
        Self {
            route: route.to(handler),
            method,
            path,
        }
    }

    fn get<F: Handler<Args>, Args: FromRequest + 'static>(path: &'static str, handler: F) -> Self
    where
        F::Output: Responder + 'static,
    {
        Self::new(Method::GET, path, handler)
    }

    fn post<F: Handler<Args>, Args: FromRequest + 'static>(path: &'static str, handler: F) -> Self
    where
        F::Output: Responder + 'static,
    {
        Self::new(Method::POST, path, handler)
    }

    fn options<F: Handler<Args>, Args: FromRequest + 'static>(path: &'static str, handler: F) -> Self
    where
        F::Output: Responder + 'static,
    {
        Self::new(Method::OPTIONS, path, handler)
    }

    fn delete<F: Handler<Args>, Args: FromRequest + 'static>(path: &'static str, handler: F) -> Self
    where
        F::Output: Responder + 'static,
    {
        Self::new(Method::DELETE, path, handler)
    }

    fn patch<F: Handler<Args>, Args: FromRequest + 'static>(path: &'static str, handler: F) -> Self
    where
        F::Output: Responder + 'static,
    {
        Self::new(Method::PATCH, path, handler)
    }

    fn put<F: Handler<Args>, Args: FromRequest + 'static>(path: &'static str, handler: F) -> Self
    where
        F::Output: Responder + 'static,
    {
        Self::new(Method::PUT, path, handler)
    }
}

/// Every route. Of two that fit a path, the earlier one answers.
#[must_use]
pub fn all() -> Vec<Route> {
    let groups = [
        health::routes(),
        sign_in::routes(),
        client::routes(),
        frontend::routes(),
        edge::routes(),
        usage::routes(),
        prometheus::routes(),
        applications::routes(),
        playground::routes(),
        playground_diff::routes(),
        playground_changes::routes(),
        change_requests::routes(),
        admin::routes(),
        ui::routes(),
    ];
    groups.into_iter().flatten().collect()
}

/// Adds every route below `base` to a service.
pub fn configure(base: &str, config: &mut ServiceConfig) {
    let mut scope = web::scope(base);
    let mut routes = all();
    while !routes.is_empty() {
        let path = routes.first().map_or("", |route| route.path);
        let (same, rest): (Vec<_>, Vec<_>) = routes.into_iter().partition(|route| route.path == path);
        let resource = web::resource(path).default_service(web::to(not_found));
        let resource = same
            .into_iter()
            .fold(resource, |resource, route| resource.route(route.route));
        scope = if path.starts_with("/api/frontend") {
            scope.service(resource.wrap(from_fn(cors::allow_any_origin)))
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
            .wrap(from_fn(path::check)),
    );
    config.default_service(web::to(not_found));
}

/// The answer to a query or a path that a handler cannot read.
fn unreadable(what: &str, error: &dyn std::error::Error) -> actix_web::Error {
    ApiError::from(Error::invalid(format!(
        "The {what} of the request cannot be read: {error}."
    )))
    .into()
}

async fn not_found(request: HttpRequest) -> Result<&'static str, ApiError> {
    Err(no_route(request.path()))
}

/// 404 for a path that leads nowhere.
fn no_route(path: &str) -> ApiError {
    Error::NotFound(format!(
        "The path you were looking for ({path}) is not available."
    ))
    .into()
}
