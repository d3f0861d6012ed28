//! Flags that are moved to another project.

mod permissions;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use vexil_domain::{ActivationStrategy, SegmentId};

use super::{FEATURES, add_strategy, event_types, server_with};
use crate::client::streaming::open;
use crate::flags::{edit, put_segment};
use crate::support::{Answer, CLIENT, FRONTEND, TestServer};

const SHOP_CLIENT: &str = "shop:development.test-client";

/// A server with the flag `checkout` in `default`, on in development for somebody, and with a project `shop`.
async fn with_shop() -> TestServer {
    let server = server_with("checkout").await;
    server
        .post("/api/admin/projects", json!({ "id": "shop", "name": "Shop" }))
        .await
        .ok();
    let strategy =
        json!({ "name": "flexibleRollout", "parameters": { "rollout": "40", "stickiness": "userId" } });
    add_strategy(&server, "checkout", strategy).await;
    server
        .post(
            &format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        )
        .await
        .ok();
    server.add_client_token(SHOP_CLIENT);
    server
}

fn path(project: &str, flag: &str) -> String {
    format!("/api/admin/projects/{project}/features/{flag}/changeProject")
}

async fn moved(server: &TestServer, from: &str, flag: &str, to: &str) -> Answer {
    server
        .post(&path(from, flag), json!({ "newProjectId": to }))
        .await
}

#[track_caller]
fn told(answer: &Answer, status: StatusCode, name: &str, words: &str) {
    let refused = answer.refused(status, name);
    assert!(
        refused["message"].as_str().unwrap().contains(words),
        "{words}: {refused}"
    );
}

async fn names(server: &TestServer, token: &str, path: &str, list: &str) -> Vec<String> {
    let answer = server
        .send(Method::GET, path, &[("authorization", token)], "")
        .await
        .ok();
    let flags = answer[list].as_array().unwrap();
    flags
        .iter()
        .map(|flag| flag["name"].as_str().unwrap().to_owned())
        .collect()
}

#[actix_web::test]
async fn a_flag_that_is_moved_is_what_it_was_in_the_other_project() {
    let server = with_shop().await;
    let tag = json!({ "type": "simple", "value": "late" });
    server.post("/api/admin/features/checkout/tags", tag).await.ok();
    let bucket = json!({ "start": "2026-11-27T12:29:00Z", "stop": "2026-11-27T12:30:00Z", "toggles": { "checkout": { "yes": 3, "no": 1 } } });
    let report = json!({ "appName": "a", "bucket": bucket });
    server
        .call(CLIENT, Method::POST, "/api/client/metrics", Some(&report))
        .await
        .ok();
    let usage = server
        .get("/api/admin/client-metrics/features/checkout")
        .await
        .ok();
    let before = server.get(&format!("{FEATURES}/checkout")).await.ok();
    let answer = moved(&server, "default", "checkout", "shop").await;
    assert_eq!((answer.status, answer.text.as_str()), (200, ""));
    let mut after = server
        .get("/api/admin/projects/shop/features/checkout")
        .await
        .ok();
    assert_eq!(after["project"], "shop");
    after["project"] = json!("default");
    assert_eq!(after, before);
    assert_eq!(
        server
            .get("/api/admin/client-metrics/features/checkout")
            .await
            .ok(),
        usage
    );
    server
        .get(&format!("{FEATURES}/checkout"))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let in_list = server
        .get("/api/admin/search/features?project=IS:shop")
        .await
        .ok();
    assert_eq!(in_list["features"][0]["name"], "checkout");
    assert_eq!(
        server.get("/api/admin/projects/default/features").await.ok()["features"],
        json!([])
    );
    // both projects are told
    let types = event_types(&server).await;
    assert_eq!(types[types.len() - 2..], ["feature-project-change"; 2]);
    for project in ["default", "shop"] {
        let path = format!("/api/admin/search/events?type=IS:feature-project-change&project=IS:{project}");
        let events = server.get(&path).await.ok();
        assert_eq!(events["total"], 1, "{events}");
        let event = &events["events"][0];
        assert_eq!(event["featureName"], "checkout");
        assert_eq!(
            event["data"],
            json!({ "oldProject": "default", "newProject": "shop" })
        );
    }
    // after a restart, and on another server
    let again = server.another();
    again.get("/api/admin/projects/shop/features/checkout").await.ok();
    // and back
    moved(&server, "shop", "checkout", "default").await.ok();
    assert_eq!(server.get(&format!("{FEATURES}/checkout")).await.ok(), before);
    // to where it is, nothing is done
    let count = event_types(&server).await.len();
    moved(&server, "default", "checkout", "default").await.ok();
    assert_eq!(event_types(&server).await.len(), count);
}

#[actix_web::test]
async fn sdks_with_tokens_of_projects_see_a_moved_flag_come_and_go_at_once() {
    let server = with_shop().await;
    let all = server.add_client_token("*:development.all");
    let polled = "/api/client/features";
    let mut streams = Vec::new();
    for token in [CLIENT, SHOP_CLIENT, &all] {
        let mut stream = open(&server, "/api/client/streaming", &[("authorization", token)]).await;
        assert_eq!(stream.event().await.1, "unleash-connected");
        streams.push(stream);
    }
    let tag = async |token: &str| {
        let answer = server
            .send(Method::GET, polled, &[("authorization", token)], "")
            .await;
        answer.header("etag").unwrap().to_owned()
    };
    let delta = async |token: &str, known: &str| {
        let headers = [("authorization", token), ("if-none-match", known)];
        server.send(Method::GET, "/api/client/delta", &headers, "").await
    };
    let mut known = Vec::new();
    for token in [CLIENT, SHOP_CLIENT, &all] {
        let answer = delta(token, "").await;
        known.push((tag(token).await, answer.header("etag").unwrap().to_owned()));
    }
    moved(&server, "default", "checkout", "shop").await.ok();
    assert_eq!(names(&server, CLIENT, polled, "features").await, [""; 0]);
    assert_eq!(
        names(&server, SHOP_CLIENT, polled, "features").await,
        ["checkout"]
    );
    assert_eq!(names(&server, &all, polled, "features").await, ["checkout"]);
    assert_eq!(
        names(&server, FRONTEND, "/api/frontend/all", "toggles").await,
        [""; 0]
    );
    let kinds = ["feature-removed", "feature-updated", "feature-updated"];
    for (at, (token, kind)) in [CLIENT, SHOP_CLIENT, &all].into_iter().zip(kinds).enumerate() {
        assert_ne!(tag(token).await, known[at].0, "{token}");
        let answer = delta(token, &known[at].1).await.ok();
        let (_, name, pushed) = streams[at].event().await;
        assert_eq!(name, "unleash-updated");
        for events in [&answer["events"], &pushed["events"]] {
            assert_eq!(events.as_array().unwrap().len(), 1, "{token}: {events}");
            assert_eq!(events[0]["type"], kind, "{token}");
        }
        if kind == "feature-removed" {
            // which names no project that the token is not for
            assert_eq!(pushed["events"][0]["project"], "default");
            assert!(!pushed.to_string().contains("shop"), "{pushed}");
        } else {
            assert_eq!(pushed["events"][0]["feature"]["project"], "shop");
        }
    }
}

#[actix_web::test]
async fn what_would_come_apart_is_not_moved() {
    let server = with_shop().await;
    let cannot = async |words: &str| {
        let answer = moved(&server, "default", "checkout", "shop").await;
        told(&answer, StatusCode::FORBIDDEN, "InvalidOperationError", words);
        server.get(&format!("{FEATURES}/checkout")).await.ok();
    };
    // dependencies, of an archived child too
    server.post(FEATURES, json!({ "name": "child" })).await.ok();
    let parent = |flag: &str| format!("{FEATURES}/{flag}/dependencies");
    server
        .post(&parent("child"), json!({ "feature": "checkout" }))
        .await
        .ok();
    cannot("\"child\" depends on it").await;
    let answer = moved(&server, "default", "child", "shop").await;
    told(
        &answer,
        StatusCode::FORBIDDEN,
        "InvalidOperationError",
        "depends on \"checkout\"",
    );
    server.delete(&format!("{FEATURES}/child")).await.ok();
    edit(&server, |tx| {
        let child = tx.snapshot.flags.get_mut("child").unwrap();
        let child = std::sync::Arc::make_mut(child);
        child.dependencies = vec![vexil_domain::Dependency {
            parent: "checkout".into(),
            enabled: true,
            variants: Vec::new(),
        }];
    });
    cannot("\"child\" depends on it").await;
    server.delete("/api/admin/archive/child").await.ok();
    // segments of the project, in whatever strategy
    put_segment(&server, 7, "userId", &["alice"]);
    let own = |owner: Option<&'static str>| {
        edit(&server, move |tx| {
            let segment = std::sync::Arc::make_mut(tx.snapshot.segments.get_mut(&SegmentId(7)).unwrap());
            segment.project = owner.map(Into::into);
        });
    };
    own(Some("default"));
    edit(&server, |tx| {
        let flag = std::sync::Arc::make_mut(tx.snapshot.flags.get_mut("checkout").unwrap());
        let settings = flag.environments.get_mut("development").unwrap();
        let mut strategy = ActivationStrategy::new("with-segment", "default");
        strategy.segments = vec![SegmentId(7)];
        strategy.disabled = true;
        std::sync::Arc::make_mut(settings).strategies.push(strategy);
    });
    cannot("it uses the segments").await;
    own(Some("shop"));
    own(None);
    // environments that the other project does not use
    server
        .delete("/api/admin/projects/shop/environments/development")
        .await
        .ok();
    cannot("configured in development").await;
    let used = json!({ "environment": "development" });
    server
        .post("/api/admin/projects/shop/environments", used)
        .await
        .ok();
    // names and room
    let naming = json!({ "featureNaming": { "pattern": "shop-.*" } });
    server.put("/api/admin/projects/shop/settings", naming).await.ok();
    let answer = moved(&server, "default", "checkout", "shop").await;
    told(
        &answer,
        StatusCode::BAD_REQUEST,
        "BadDataError",
        "does not match the pattern",
    );
    let full = json!({ "featureNaming": { "pattern": "" }, "featureLimit": 1 });
    server.put("/api/admin/projects/shop/settings", full).await.ok();
    server
        .post("/api/admin/projects/shop/features", json!({ "name": "first" }))
        .await
        .ok();
    cannot("may have 1").await;
    server
        .put("/api/admin/projects/shop/settings", json!({ "featureLimit": 2 }))
        .await
        .ok();
    // archived flags come back where they were
    server.delete(&format!("{FEATURES}/checkout")).await.ok();
    let answer = moved(&server, "default", "checkout", "shop").await;
    told(&answer, StatusCode::NOT_FOUND, "NotFoundError", "is archived");
    server
        .post("/api/admin/archive/revive/checkout", json!({}))
        .await
        .ok();
    moved(&server, "default", "checkout", "shop").await.ok();
}

#[actix_web::test]
async fn what_is_not_there_or_not_understood_is_told() {
    let server = with_shop().await;
    for (from, flag, to, words) in [
        ("default", "checkout", "7", "There is no project \"7\""),
        (
            "default",
            "checkout",
            "nowhere",
            "There is no project \"nowhere\"",
        ),
        ("default", "nothing", "shop", "nothing"),
        ("shop", "checkout", "default", "in project \"default\""),
        ("nowhere", "checkout", "shop", "nowhere"),
    ] {
        let answer = moved(&server, from, flag, to).await;
        told(&answer, StatusCode::NOT_FOUND, "NotFoundError", words);
    }
    for body in [
        json!({}),
        json!({ "newProjectId": null }),
        json!({ "newProjectId": "" }),
        json!({ "newProjectID": "shop" }),
        json!({ "newProjectId": "shop", "more": 1 }),
        json!([]),
    ] {
        let answer = server.post(&path("default", "checkout"), body).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    server.get(&format!("{FEATURES}/checkout")).await.ok();
}
