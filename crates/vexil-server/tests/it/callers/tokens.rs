//! Every route, asked with each kind of token in each scope, and with tokens and sessions that have ended.

use serde_json::json;
use time::Duration;
use time::format_description::well_known::Rfc3339;
use vexil_server::{Route, all_routes};
use vexil_service::permission::Access;

use super::{path_in, session, verdict};
use crate::support::{AnyService, START, TestServer, ask};
use crate::users::person;

/// When the tokens and sessions end that do.
const END: Duration = Duration::hours(1);

/// Makes a token; one of these projects, until [`END`] where it `ends`.
async fn token(server: &TestServer, kind: &str, projects: &[&str], ends: bool) -> String {
    let mut body = json!({ "tokenName": "t", "type": kind });
    if kind != "admin" {
        body["projects"] = json!(projects);
        body["environment"] = json!("development");
    }
    if ends {
        body["expiresAt"] = json!((START + END).format(&Rfc3339).unwrap());
    }
    let made = server.post("/api/admin/api-tokens", body).await.ok();
    made["secret"].as_str().unwrap().to_owned()
}

/// What a route answers in a project to a request with this header.
async fn answer(
    service: &impl AnyService,
    route: &Route,
    header: (&str, &str),
    project: &str,
) -> &'static str {
    let headers = [
        header,
        ("content-type", "application/json"),
        ("sec-fetch-site", "same-origin"),
    ];
    let sent = if route.method == "GET" { "" } else { "{}" };
    let path = path_in(route, project);
    let answer = ask(service, route.method.clone(), &path, &headers, sent.into()).await;
    verdict(&answer, route)
}

async fn make_project(server: &TestServer, id: &str) {
    let body = json!({ "id": id, "name": id });
    server.post("/api/admin/projects", body).await.ok();
}

#[actix_web::test]
async fn every_route_answers_each_kind_of_token_alike_in_every_scope() {
    let server = TestServer::new();
    make_project(&server, "other").await;
    let scopes: [&[&str]; 4] = [&["*"], &["default"], &["other"], &["default", "other"]];
    let mut tokens = Vec::new();
    for kind in ["client", "backend", "frontend"] {
        for scope in scopes {
            tokens.push((kind, token(&server, kind, scope, false).await));
        }
    }
    tokens.push(("admin", token(&server, "admin", &[], false).await));
    let service = server.service().await;
    for route in all_routes() {
        for (kind, token) in &tokens {
            let wanted = match (route.access, *kind) {
                // nobody has those links
                (Access::Open, _) => continue,
                (Access::Client, "client" | "backend") | (Access::Frontend, "frontend") => "ok",
                (Access::AnySdk, "client" | "backend" | "frontend") => "ok",
                (Access::SignedIn | Access::Holds(_), "admin") => "ok",
                _ => "403",
            };
            let found = answer(&service, &route, ("authorization", token), "default").await;
            assert_eq!(found, wanted, "{} {} with {kind}", route.method, route.path);
        }
    }
}

#[actix_web::test]
async fn every_route_answers_what_has_ended_as_nobody() {
    let server = TestServer::new();
    make_project(&server, "gone").await;
    let mut ended = Vec::new();
    for kind in ["client", "frontend", "admin"] {
        ended.push(token(&server, kind, &["default"], true).await);
        let removed = token(&server, kind, &["default"], false).await;
        server
            .delete(&format!("/api/admin/api-tokens/{removed}"))
            .await
            .ok();
        ended.push(removed);
    }
    for kind in ["client", "frontend"] {
        ended.push(token(&server, kind, &["gone"], false).await);
    }
    server.delete("/api/admin/projects/gone").await.ok();
    make_project(&server, "gone").await;
    let ada = person(&server, "ada", "Admin").await;
    let browser = session(&server, &ada).await;
    server.set_time(START + Duration::hours(12));
    let service = server.service().await;
    for route in all_routes() {
        if matches!(route.access, Access::Open) {
            continue;
        }
        for token in &ended {
            let found = answer(&service, &route, ("authorization", token), "gone").await;
            assert_eq!(found, "401", "{} {} with {token}", route.method, route.path);
        }
        let found = answer(&service, &route, ("cookie", &browser.cookie), "gone").await;
        assert_eq!(found, "401", "{} {}", route.method, route.path);
    }
}
