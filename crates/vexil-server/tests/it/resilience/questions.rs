//! Questions that would cost more than they may are refused before anything is computed for them.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Listening, short};
use crate::support::ADMIN;

#[track_caller]
fn refused_at_once(server: &Listening, path: &str, body: &serde_json::Value, status: u16) {
    let begun = Instant::now();
    let reply = server.ask("POST", path, ADMIN, Some(&body.to_string()));
    assert_eq!(reply.status, status, "{reply:?}");
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(5), "{path} took {took:?}");
}

fn with_flags(count: usize) -> Listening {
    let server = Listening::with(short());
    for number in 0..count {
        let body = json!({ "name": format!("f{number}") });
        let made = server.ask(
            "POST",
            "/api/admin/projects/default/features",
            ADMIN,
            Some(&body.to_string()),
        );
        assert_eq!(made.status, 201, "{made:?}");
    }
    server
}

const ADVANCED: &str = "/api/admin/playground/advanced";

#[test]
fn environments_that_do_not_exist_are_counted_before_anything_is_compiled() {
    let server = with_flags(20);
    let names: Vec<String> = (0..40_000).map(|number| format!("nope{number}")).collect();
    let body = json!({ "environments": names, "projects": "*", "context": { "appName": "x" } });
    refused_at_once(&server, ADVANCED, &body, 400);
    // as many as are allowed are answered, each under its name
    let body = json!({ "environments": names[..1000], "projects": "*", "context": { "appName": "x" } });
    let reply = server.ask("POST", ADVANCED, ADMIN, Some(&body.to_string()));
    assert_eq!(reply.status, 200);
    server.serves_others();
}

#[test]
fn a_context_of_many_fields_is_counted_by_what_it_makes_of_the_answer() {
    let server = with_flags(20);
    let mut context = serde_json::Map::new();
    for number in 0..15_000 {
        context.insert(format!("field-{number}"), json!("a value of some length"));
    }
    for number in 0..11 {
        context.insert(format!("two-{number}"), json!("a,b"));
    }
    context.insert("appName".to_owned(), json!("x"));
    let body = json!({ "environments": ["development"], "projects": "*", "context": context });
    refused_at_once(&server, ADVANCED, &body, 400);
    let environments = vec!["development"; 10_000];
    let body = json!({ "environments": environments, "projects": ["none"], "context": context });
    refused_at_once(&server, ADVANCED, &body, 400);
    server.serves_others();
}

#[test]
fn many_names_of_one_environment_are_answered_once_each() {
    let server = with_flags(1);
    let environments = vec!["development"; 3000];
    let body = json!({ "environments": environments, "projects": "*", "context": { "appName": "x" } });
    refused_at_once(&server, ADVANCED, &body, 200);
}
