//! Every route, asked by every kind of caller.

use serde_json::json;
use vexil_server::all_routes;

use crate::support::{ADMIN, CLIENT, FRONTEND, TestServer};
use crate::users::{EXPIRED, person, person_until};

const TABLE: &str = include_str!("permissions.txt");

/// What a route answers: refused for the caller's sake, or anything else.
fn verdict(status: u16, text: &str) -> &'static str {
    match status {
        401 => "401",
        403 if text.contains("permission") || text.contains("different token type") => "403",
        _ => "ok",
    }
}

#[actix_web::test]
async fn every_route_answers_every_kind_of_caller_as_the_table_says() {
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
    for route in all_routes() {
        let path = route
            .path
            .replace("{id}", "99999")
            .replace('{', "no-")
            .replace('}', "");
        let body = json!({});
        let mut row = format!("{} {}", route.method, route.path);
        for caller in callers {
            let sent = (route.method != "GET").then_some(&body);
            let answer = server.call(caller, route.method.clone(), &path, sent).await;
            row.push(' ');
            row.push_str(verdict(answer.status, &answer.text));
        }
        rows.push(row);
    }
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
