//! The administration API: projects, environments, flags and everything that belongs to them.

mod archive;
mod context;
mod dependencies;
mod environments;
mod events;
mod flags;
pub(super) mod instance;
mod personal_tokens;
mod projects;
mod query;
mod search;
mod segments;
mod sessions;
mod strategies;
mod strategy_types;
mod switches;
mod tokens;
mod users;

use actix_web::HttpResponse;
use vexil_domain::{Environment, Project, Snapshot};

use super::Route;

pub(super) fn routes() -> Vec<Route> {
    [
        projects::routes(),
        environments::routes(),
        archive::routes(),
        switches::routes(),
        strategies::routes(),
        dependencies::routes(),
        flags::routes(),
        segments::routes(),
        strategy_types::routes(),
        context::routes(),
        tokens::routes(),
        users::routes(),
        personal_tokens::routes(),
        sessions::routes(),
        events::routes(),
        search::routes(),
        instance::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// 200 without a body.
fn done() -> HttpResponse {
    HttpResponse::Ok().finish()
}

/// The environments that a project uses, in their order.
fn environments_of<'a>(snapshot: &'a Snapshot, project: &Project) -> Vec<&'a Environment> {
    let mut environments: Vec<&Environment> = project
        .environments
        .keys()
        .filter_map(|name| snapshot.environments.get(name))
        .map(AsRef::as_ref)
        .collect();
    environments.sort_by_key(|environment| environment.sort_order);
    environments
}
