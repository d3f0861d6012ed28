//! The list of routes as documents: `docs/endpoints.md` and OpenAPI.

use std::collections::BTreeMap;
use std::fmt::Write;

use actix_web::HttpResponse;
use itertools::Itertools;
use serde_json::{Map, Value, json};
use vexil_service::permission::{Access, LeastRole};

use super::list::{GROUPS, all};
use super::route::Route;

/// What comes before the tables.
const HEAD: &str = "\
# Endpoints

Every route of the server, one row each; `cargo xtask endpoints` writes this page from the list of routes in
`crates/vexil-server/src/routes/list.rs`, and `GET /docs/openapi.json` serves the same list. Paths are below the base path;
parameters stand in braces and are percent-decoded, so names may hold any character.

Who may: `client` and `frontend` are the tokens of backend and frontend SDKs. `viewer`, `editor` and `admin` are the least root
role that is let in; who has a greater one may as well, and an admin token acts as an admin. In brackets stand the permissions of
which any one would do; a refusal names them. Where changes go through change requests, direct edits need `SKIP_CHANGE_REQUEST`
there.

Refusals have one shape: 400 for what is wrong with the request, 401 without a token that is known, 403 for what the caller may
not do or the state forbids, 404 for what is not there, 409 for clashes, 429 and 503 with `Retry-After`.
";

/// Every route as a page of Markdown.
#[must_use]
pub fn markdown() -> String {
    let routes = all();
    let mut page = HEAD.to_owned();
    for (group, note) in GROUPS {
        // writing to memory does not fail
        let _ = write!(page, "\n## {group}\n\n");
        if !note.is_empty() {
            let _ = write!(page, "{note}\n\n");
        }
        page.push_str("| method | path | what it does | who may |\n| --- | --- | --- | --- |\n");
        for route in routes.iter().filter(|route| route.group == *group) {
            let Route {
                method,
                path,
                summary,
                ..
            } = route;
            let _ = writeln!(
                page,
                "| {method} | `{path}` | {summary} | {} |",
                who_may(&route.access)
            );
        }
    }
    page
}

/// Who may call a route, in words.
fn who_may(access: &Access) -> String {
    let role = access.least_role().map(|role| match role {
        LeastRole::Admin => "admin",
        LeastRole::Editor => "editor",
        LeastRole::Viewer => "viewer",
    });
    match access {
        Access::Open => "anybody".to_owned(),
        Access::Client => "client".to_owned(),
        Access::Frontend => "frontend".to_owned(),
        Access::AnySdk => "client, frontend".to_owned(),
        Access::SignedIn => role.unwrap_or_default().to_owned(),
        Access::Holds(permissions) => {
            let names = permissions.iter().map(|one| one.name()).format(", ");
            format!("{} ({names})", role.unwrap_or_default())
        }
    }
}

/// Every route as an OpenAPI 3.1 document.
#[must_use]
pub fn openapi() -> Value {
    let mut paths = BTreeMap::<String, Map<String, Value>>::new();
    for route in all() {
        let method = route.method.as_str().to_lowercase();
        paths
            .entry(route.path.replace(":.*}", "}"))
            .or_default()
            .insert(method, operation(&route));
    }
    let tags: Vec<Value> = GROUPS
        .iter()
        .map(|(name, note)| json!({ "name": name, "description": note }))
        .collect();
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Vexil", "version": env!("CARGO_PKG_VERSION") },
        "tags": tags,
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": { "type": "apiKey", "in": "header", "name": "Authorization" },
            },
        },
    })
}

fn operation(route: &Route) -> Value {
    let of_path = route.parameters().map(|name| (name, "path"));
    let of_query = route.queries.iter().filter(|name| **name != "*");
    let of_query = of_query.map(|name| (*name, "query"));
    let parameters: Vec<Value> = of_path
        .chain(of_query)
        .map(|(name, place)| {
            json!({ "name": name, "in": place, "required": place == "path", "schema": { "type": "string" } })
        })
        .collect();
    let security = match route.access {
        Access::Open => json!([]),
        _ => json!([{ "token": [] }]),
    };
    let permissions: Vec<&str> = match route.access {
        Access::Holds(permissions) => permissions.iter().map(|one| one.name()).collect(),
        _ => Vec::new(),
    };
    json!({
        "operationId": operation_id(route),
        "tags": [route.group],
        "summary": route.summary,
        "parameters": parameters,
        "security": security,
        "x-who-may": who_may(&route.access),
        "x-permissions": permissions,
        "responses": { "default": { "description": "A success as the summary says, or a refusal." } },
    })
}

/// A name for the operation in programs: `get_api_admin_projects_project`.
fn operation_id(route: &Route) -> String {
    let words = route.path.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    std::iter::once(route.method.as_str().to_lowercase())
        .chain(words.map(str::to_owned))
        .join("_")
}

/// The OpenAPI document of this server.
pub(crate) async fn serve_openapi() -> HttpResponse {
    HttpResponse::Ok().json(openapi())
}
