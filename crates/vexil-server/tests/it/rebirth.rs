//! What goes takes with it everything that is tied to its name: whatever gets the same name later is answered about,
//! on each route that names it, as on a server where nothing of that name was before.

mod things;

use std::collections::BTreeMap;

use actix_web::http::Method;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::macros::datetime;
use vexil_server::all_routes;

use crate::roles::{group, role};
use crate::support::{ADMIN, CLIENT, TestServer};
use crate::users::person;
use things::{
    Beside, DEFAULT, Step, Thing, context_field, environment, flag, project, strategy_type, tag_type,
};

/// When what had gone is made again.
const LATER: OffsetDateTime = datetime!(2026-11-27 12:31:20 UTC);

async fn server() -> (TestServer, Beside) {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Editor").await;
    let group = group(&server, "team", &[&ada]).await;
    for flag in ["parent", "child"] {
        let body = json!({ "name": flag });
        server.post(&format!("{DEFAULT}/features"), body).await.ok();
    }
    (server, Beside { user: ada.id, group })
}

async fn take(server: &TestServer, steps: &[Step]) {
    for (method, path, body) in steps {
        let body = (!body.is_null()).then_some(body);
        let token = if path.starts_with("/api/client") {
            CLIENT
        } else {
            ADMIN
        };
        let answer = server.call(token, method.clone(), path, body).await;
        assert!(
            answer.status < 300,
            "{method} {path}: {} {}",
            answer.status,
            answer.text
        );
    }
}

/// What no two servers have in common, and what is kept of the past on purpose.
const OWN: [&str; 8] = [
    "createdAt",
    "id",
    "eTag",
    "etag",
    "revisionId",
    "version",
    "stale-at",
    "meta",
];

fn scrubbed(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(name, _)| !OWN.contains(&name.as_str()))
            .map(|(name, value)| (name, scrubbed(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(items) => items.into_iter().map(scrubbed).collect(),
        other => other,
    }
}

/// The answers of all routes that name the thing and only read; but for the log, which tells the past, and streams.
async fn documents(server: &TestServer, thing: &Thing) -> BTreeMap<String, (u16, Value)> {
    let (own, _) = thing.names[0];
    let mut documents = BTreeMap::new();
    for route in all_routes() {
        let is_past = route.path.contains("/events") || route.path.contains("/stream");
        let is_named = route.path.contains(&format!("{{{own}}}"))
            || (route.path.contains("{name}") && thing.names.iter().any(|(name, _)| *name == "name"));
        if route.method != Method::GET || is_past || !is_named || route.path.starts_with("/ofrep") {
            continue;
        }
        let mut path = route.path.to_owned();
        for (name, value) in &thing.names {
            path = path.replace(&format!("{{{name}}}"), value);
        }
        if path.contains('{') {
            continue;
        }
        let token = if path.starts_with("/api/client") {
            CLIENT
        } else {
            ADMIN
        };
        let answer = server.call(token, Method::GET, &path, None).await;
        let body = serde_json::from_str(&answer.text).unwrap_or(json!(answer.text));
        documents.insert(path, (answer.status, scrubbed(body)));
    }
    documents
}

#[actix_web::test]
async fn what_gets_the_name_of_something_removed_inherits_nothing() {
    let beside = server().await.1;
    let things = [
        flag(),
        project(&beside),
        environment(&beside),
        strategy_type(),
        tag_type(),
        context_field(),
    ];
    for thing in things {
        let (fresh, _) = server().await;
        fresh.set_time(LATER);
        take(&fresh, &thing.made).await;
        let expected = documents(&fresh, &thing).await;
        let (reborn, _) = server().await;
        for steps in [&thing.made, &thing.tied, &thing.removed] {
            take(&reborn, steps).await;
        }
        reborn.set_time(LATER);
        take(&reborn, &thing.made).await;
        assert!(expected.len() > 1, "{}: {expected:?}", thing.what);
        for server in [&reborn, &reborn.another()] {
            let found = documents(server, &thing).await;
            for (path, expected) in &expected {
                assert_eq!(&found[path], expected, "{}: {path}", thing.what);
            }
        }
        // what is tied shows, or the comparison above says nothing
        let (tied, _) = server().await;
        take(&tied, &thing.made).await;
        take(&tied, &thing.tied).await;
        assert_ne!(documents(&tied, &thing).await, expected, "{}", thing.what);
    }
}

/// A change request that names what goes, in each state that is still to come.
#[actix_web::test]
async fn a_change_request_never_attaches_to_what_gets_the_name_of_what_it_named() {
    for scheduled in [false, true] {
        for thing in [flag(), environment(&server().await.1)] {
            let (server, _) = server().await;
            take(&server, &thing.made).await;
            let is_flag = thing.what == "a flag";
            let (feature, environment) = if is_flag {
                ("pilot", "production")
            } else {
                ("parent", "qa")
            };
            let requests = format!("{DEFAULT}/environments/{environment}/change-requests");
            let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 1 });
            server.put(&format!("{requests}/config"), rule).await.ok();
            let change =
                json!({ "feature": feature, "action": "updateEnabled", "payload": { "enabled": true } });
            let request = server.post(&requests, change).await.ok();
            let state = format!("{DEFAULT}/change-requests/{}/state", request["id"]);
            let boss = person(&server, "boss", "Admin").await;
            server.put(&state, json!({ "state": "In review" })).await.ok();
            let approved = server
                .call(
                    &boss.token,
                    Method::PUT,
                    &state,
                    Some(&json!({ "state": "Approved" })),
                )
                .await;
            approved.ok();
            let due = crate::support::START + time::Duration::hours(1);
            if scheduled {
                let body = json!({ "state": "Scheduled", "scheduledAt": "2026-11-27T13:30:20Z" });
                server.put(&state, body).await.ok();
            }
            let environment_on = format!("{DEFAULT}/features/{feature}/environments/{environment}");
            server.set_time(crate::support::START + time::Duration::minutes(1));
            take(&server, &thing.removed).await;
            take(&server, &thing.made).await;
            let open = json!({ "changeRequestsEnabled": false });
            server.put(&format!("{requests}/config"), open).await.ok();
            if scheduled {
                server.set_time(due + time::Duration::minutes(1));
                vexil_service::operations::change_requests::apply_due(server.app()).unwrap();
            } else {
                let applied = server.put(&state, json!({ "state": "Applied" })).await;
                assert!(applied.status >= 400, "{}: {}", thing.what, applied.text);
            }
            let shown = server.get(&environment_on).await.ok();
            assert_eq!(shown["enabled"], false, "{}, scheduled: {scheduled}", thing.what);
        }
    }
}

/// Numbers are given once, so that nothing that is named by one can mean another later.
#[actix_web::test]
async fn no_number_is_given_twice() {
    let (server, _) = server().await;
    let made: [(&str, Value, &str); 4] = [
        (
            "/api/admin/segments",
            json!({ "name": "beta", "constraints": [] }),
            "/api/admin/segments",
        ),
        (
            "/api/admin/user-admin",
            json!({ "username": "eve", "rootRole": "Viewer" }),
            "/api/admin/user-admin",
        ),
        (
            "/api/admin/groups",
            json!({ "name": "crowd" }),
            "/api/admin/groups",
        ),
        (
            "/api/admin/roles",
            json!({ "name": "Tester", "type": "custom", "permissions": [] }),
            "/api/admin/roles",
        ),
    ];
    for (path, body, one) in made {
        let first = server.post(path, body.clone()).await.ok();
        let number = first["id"].as_i64().unwrap();
        server.delete(&format!("{one}/{number}")).await.ok();
        for node in [&server, &server.another()] {
            let next = node.post(path, body.clone()).await.ok();
            let next = next["id"].as_i64().unwrap();
            assert!(next > number, "{path}: {next} after {number}");
            node.delete(&format!("{one}/{next}")).await.ok();
            server.app().follow().unwrap();
        }
    }
    role(&server, "Tester", json!([])).await;
}
