//! Variants of a flag itself.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, event_types, server_with};
use crate::support::{TestServer, places};
use crate::users::{grant, person};

const HERE: &str = "/api/admin/projects/default/features/checkout/environments/development/variants";
const ALL: &str = "/api/admin/projects/default/features/checkout/variants-batch";

fn variants(names: &[&str]) -> Value {
    let variant =
        |name: &&str| json!({ "name": name, "weight": 1, "weightType": "variable", "stickiness": "default" });
    names.iter().map(variant).collect()
}

fn names(answer: &Value) -> Vec<&str> {
    let variants = answer["variants"].as_array().unwrap().iter();
    variants
        .map(|variant| variant["name"].as_str().unwrap())
        .collect()
}

async fn with_variants() -> TestServer {
    let server = server_with("checkout").await;
    let form = json!({ "environments": ["development", "production"], "variants": variants(&["a", "b"]) });
    assert_eq!(names(&server.put(ALL, form).await.ok()), ["a", "b"]);
    server
}

#[actix_web::test]
async fn a_flag_without_variants_gets_some_only_where_several_environments_are_set_at_once() {
    let server = server_with("checkout").await;
    for sent in [
        server.put(HERE, variants(&["a"])).await,
        server.put(HERE, json!([])).await,
        server
            .patch(
                HERE,
                json!([{ "op": "add", "path": "/-", "value": variants(&["a"])[0] }]),
            )
            .await,
    ] {
        sent.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    }
    let form = json!({ "environments": ["production"], "variants": variants(&["a", "b"]) });
    let answer = server.put(ALL, form).await.ok();
    assert_eq!(answer["version"], 1);
    // weights are settled as everywhere
    assert_eq!(
        (&answer["variants"][0]["weight"], &answer["variants"][1]["weight"]),
        (&json!(500), &json!(500))
    );
    assert_eq!(names(&server.get(HERE).await.ok()), [""; 0]);
    assert_eq!(names(&server.put(HERE, variants(&["c"])).await.ok()), ["c"]);
    assert_eq!(names(&server.get(HERE).await.ok()), ["c"]);
    assert_eq!(
        event_types(&server).await.last().map(String::as_str),
        Some("feature-environment-variants-updated")
    );
}

#[actix_web::test]
async fn variants_are_edited_by_a_patch_of_their_list() {
    let server = with_variants().await;
    let patch = json!([
        { "op": "add", "path": "/-", "value": variants(&["c"])[0] },
        { "op": "remove", "path": "/0" },
        { "op": "replace", "path": "/0/name", "value": "z" },
    ]);
    assert_eq!(names(&server.patch(HERE, patch).await.ok()), ["c", "z"]);
    for (patch, status) in [
        (json!([{ "op": "remove", "path": "/9" }]), 400),
        (json!([{ "op": "test", "path": "/0/name", "value": "q" }]), 409),
        (json!([{ "op": "replace", "path": "/1/name", "value": "c" }]), 400),
        (
            json!([{ "op": "add", "path": "/0/onlyFor", "value": ["me"] }]),
            400,
        ),
        (json!([{ "op": "replace", "path": "", "value": {} }]), 400),
        (json!({}), 400),
    ] {
        let refused = server.patch(HERE, patch.clone()).await;
        assert_eq!(refused.status, status, "{patch}: {}", refused.text);
    }
    assert_eq!(names(&server.get(HERE).await.ok()), ["c", "z"]);
}

#[actix_web::test]
async fn variants_that_are_not_in_order_are_refused_with_their_place() {
    let server = with_variants().await;
    for (sent, place) in [
        (
            json!([{ "name": "a", "weight": 1, "onlyFor": [] }]),
            "/body/0/onlyFor",
        ),
        (json!([{ "name": "a", "weight": 1001 }]), "/body/0/weight"),
        (json!([{ "weight": 1 }]), "/body/0/name"),
        (json!({ "a": 1 }), "/body"),
    ] {
        let refused = server.put(HERE, sent.clone()).await;
        let refused = refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refused), [place], "{sent}");
    }
    let twice = server.put(HERE, variants(&["a", "a"])).await;
    twice.refused(StatusCode::BAD_REQUEST, "BadDataError");
    for (form, status) in [
        (json!({ "variants": variants(&["c"]) }), 400),
        (json!({ "environments": ["development"] }), 400),
        (json!({ "environments": [], "variants": variants(&["c"]) }), 400),
        (
            json!({ "environments": ["nowhere"], "variants": variants(&["c"]) }),
            404,
        ),
        // all or none
        (
            json!({ "environments": ["development", "nowhere"], "variants": variants(&["c"]) }),
            404,
        ),
    ] {
        assert_eq!(server.put(ALL, form.clone()).await.status, status, "{form}");
    }
    assert_eq!(names(&server.get(HERE).await.ok()), ["a", "b"]);
    let form = json!({ "environments": ["development", "development"], "variants": [] });
    assert_eq!(names(&server.put(ALL, form).await.ok()), [""; 0]);
    let missing = format!("{FEATURES}/nobody/variants-batch");
    let form = json!({ "environments": ["development"], "variants": [] });
    let refused = server.put(&missing, form).await;
    refused.refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn variants_are_changed_by_whoever_may_in_each_of_the_environments() {
    let server = with_variants().await;
    let somebody = person(&server, "somebody", "Viewer").await;
    let call = |path: &'static str, method: Method, body: Value| {
        let (server, token) = (&server, &somebody.token);
        async move { server.call(token, method, path, Some(&body)).await.status }
    };
    let both = || json!({ "environments": ["development", "production"], "variants": variants(&["c"]) });
    let one = || json!({ "environments": ["development"], "variants": variants(&["c"]) });
    for (environments, allowed) in [
        (vec![], [403, 403, 403, 403]),
        (vec!["development"], [200, 200, 200, 403]),
        (vec!["production"], [403, 403, 403, 403]),
        (vec!["development", "production"], [200, 200, 200, 200]),
    ] {
        let held: Vec<(&str, Option<&str>)> = environments
            .iter()
            .map(|name| ("UPDATE_FEATURE_ENVIRONMENT_VARIANTS", Some(*name)))
            .collect();
        grant(&server, &somebody, &held).await;
        let answers = [
            call(HERE, Method::PUT, variants(&["c"])).await,
            call(HERE, Method::PATCH, json!([])).await,
            call(ALL, Method::PUT, one()).await,
            call(ALL, Method::PUT, both()).await,
        ];
        assert_eq!(answers, allowed, "{environments:?}");
    }
}

#[actix_web::test]
async fn variants_in_a_protected_environment_are_changed_by_whoever_may_skip_alone() {
    let server = with_variants().await;
    let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 1 });
    let path = "/api/admin/projects/default/environments/development/change-requests/config";
    server.put(path, rule).await.ok();
    let editor = person(&server, "editor", "Editor").await;
    let calls = [
        (Method::PUT, HERE, variants(&["c"])),
        (
            Method::PATCH,
            HERE,
            json!([{ "op": "replace", "path": "/0/name", "value": "d" }]),
        ),
        (
            Method::PUT,
            ALL,
            json!({ "environments": ["development", "production"], "variants": variants(&["e"]) }),
        ),
    ];
    for (method, path, body) in &calls {
        let refused = server.call(&editor.token, method.clone(), path, Some(body)).await;
        let refused = refused.refused(StatusCode::FORBIDDEN, "PermissionError");
        assert_eq!(refused["permissions"], json!(["SKIP_CHANGE_REQUEST"]));
        assert_eq!(names(&server.get(HERE).await.ok()), ["a", "b"]);
    }
    grant(&server, &editor, &[("SKIP_CHANGE_REQUEST", None)]).await;
    for (method, path, body) in &calls {
        server
            .call(&editor.token, method.clone(), path, Some(body))
            .await
            .ok();
    }
}
