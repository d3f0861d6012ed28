//! The list of routes: every route, asked by every kind of caller; its documents; its order.

use serde_json::json;
use vexil_server::{Route, all_routes, routes_as_markdown, routes_as_openapi};
use vexil_service::permission::{Access, LeastRole};

use crate::support::{ADMIN, CLIENT, FRONTEND, TestServer};
use crate::users::{EXPIRED, person, person_until};

const TABLE: &str = include_str!("permissions.txt");

/// What a route answers: refused for the caller's sake, or anything else that is no error of the server.
fn verdict(status: u16, text: &str) -> &'static str {
    match status {
        401 => "401",
        403 if text.contains("permission") || text.contains("different token type") => "403",
        500.. => "FAULT",
        _ => "ok",
    }
}

/// What the list of routes says of these callers.
fn promised(route: &Route) -> String {
    let sdk = |client, frontend| format!("401 401 {client} {frontend} 403 403 403 403 401");
    let people = |role: LeastRole| {
        let may = [LeastRole::Viewer, LeastRole::Editor].map(|own| if own >= role { "ok" } else { "403" });
        format!("401 401 403 403 {} {} ok ok 401", may[0], may[1])
    };
    match route.access {
        // whoever asks, a link that is not known opens nothing, nor does what is not signed
        Access::Open
            if ["/auth/link/{secret}", "/auth/reset/validate", "/edge/issue-token"].contains(&route.path) =>
        {
            ["401"; 9].join(" ")
        }
        Access::Open if ["/new-user", "/reset-password"].contains(&route.path) && route.method == "GET" => {
            ["401"; 9].join(" ")
        }
        Access::Open => ["ok"; 9].join(" "),
        Access::Client => sdk("ok", "403"),
        Access::Frontend => sdk("403", "ok"),
        Access::AnySdk => sdk("ok", "ok"),
        Access::SignedIn | Access::Holds(_) => people(route.access.least_role().unwrap()),
    }
}

#[actix_web::test]
async fn every_route_answers_every_kind_of_caller_as_the_table_and_the_list_say() {
    let server = TestServer::new();
    let viewer = person(&server, "viewer", "Viewer").await.token;
    let editor = person(&server, "editor", "Editor").await.token;
    let admin = person(&server, "admin", "Admin").await.token;
    let expired = person_until(&server, "late", "Admin", EXPIRED).await.token;
    server.set_time(EXPIRED);
    let callers = [
        "", "nobody", CLIENT, FRONTEND, &viewer, &editor, &admin, ADMIN, &expired,
    ];
    let mut rows = Vec::new();
    let mut broken = Vec::new();
    for route in all_routes() {
        let path = route
            .path
            .replace("{id}", "99999")
            .replace('{', "no-")
            .replace('}', "");
        let body = json!({});
        let name = format!("{} {}", route.method, route.path);
        let mut answers = Vec::new();
        for caller in callers {
            let sent = (route.method != "GET").then_some(&body);
            let answer = server.call(caller, route.method.clone(), &path, sent).await;
            answers.push(verdict(answer.status, &answer.text));
        }
        let answers = answers.join(" ");
        if answers != promised(&route) {
            broken.push(format!(
                "{name}: {answers}, but the list says {}",
                promised(&route)
            ));
        }
        rows.push(format!("{name} {answers}"));
    }
    assert!(broken.is_empty(), "not as in the list:\n{}", broken.join("\n"));
    let expected: Vec<&str> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
    let missing: Vec<&str> = rows
        .iter()
        .map(String::as_str)
        .filter(|row| !expected.contains(row))
        .collect();
    assert!(missing.is_empty(), "not as in the table:\n{}", missing.join("\n"));
    assert_eq!(
        rows.len(),
        expected.len(),
        "the table has rows of routes that are gone"
    );
}

#[test]
fn the_page_of_endpoints_is_the_list_of_routes() {
    let page = include_str!("../../../../docs/endpoints.md");
    assert!(page == routes_as_markdown(), "run `cargo xtask endpoints`");
}

#[test]
fn the_openapi_document_has_every_route_once_with_its_parameters() {
    let document = routes_as_openapi();
    let mut ids = Vec::new();
    for route in all_routes() {
        let method = route.method.as_str().to_lowercase();
        let path = route.path.replace(":.*}", "}");
        let operation = &document["paths"][path.as_str()][method.as_str()];
        ids.push(operation["operationId"].as_str().unwrap().to_owned());
        let parameters = operation["parameters"].as_array().unwrap();
        let expected =
            route.path.matches('{').count() + route.queries.iter().filter(|name| **name != "*").count();
        assert_eq!(parameters.len(), expected, "{operation}");
        assert_eq!(operation["summary"], route.summary);
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "two routes have the same operationId");
}

#[test]
fn no_route_stands_behind_one_that_takes_its_requests() {
    let fits = |pattern: &str, path: &str| {
        let (pattern, path): (Vec<&str>, Vec<&str>) =
            (pattern.split('/').collect(), path.split('/').collect());
        pattern.len() == path.len()
            && pattern
                .iter()
                .zip(&path)
                .all(|(wanted, given)| wanted.starts_with('{') || wanted == given)
    };
    let routes = all_routes();
    for (place, route) in routes.iter().enumerate() {
        let before = routes[..place]
            .iter()
            .find(|other| other.path != route.path && fits(other.path, route.path));
        assert!(
            before.is_none(),
            "{} never answers: {} does",
            route.path,
            before.unwrap().path
        );
    }
}
