//! The administration API: projects, environments, flags and everything that belongs to them.

pub(crate) mod account;
pub(crate) mod archive;
pub(crate) mod auth_settings;
pub(crate) mod batch;
pub(crate) mod context;
pub(crate) mod dashboard;
pub(crate) mod dependencies;
pub(crate) mod environments;
pub(crate) mod events;
pub(crate) mod favorites;
pub(crate) mod feature_types;
pub(crate) mod flag_upkeep;
pub(crate) mod flags;
pub(crate) mod groups;
pub(crate) mod instance;
pub(crate) mod invitations;
pub(crate) mod people;
pub(crate) mod personal_tokens;
pub(crate) mod project_access;
pub(crate) mod projects;
mod query;
pub(crate) mod roles;
pub(crate) mod search;
pub(crate) mod segments;
pub(crate) mod sessions;
pub(crate) mod strategies;
pub(crate) mod strategy_types;
pub(crate) mod switches;
pub(crate) mod tags;
pub(crate) mod tokens;
pub(crate) mod users;
pub(crate) mod variants;

use actix_web::HttpResponse;
use vexil_domain::{Environment, Project, Snapshot};

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
