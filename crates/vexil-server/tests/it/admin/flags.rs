//! Flags: created, read, edited, cloned.

use actix_web::http::StatusCode;
use serde_json::json;
use time::Duration;

use super::{FEATURES, add_strategy, event_types, in_development, places, server_with};
use crate::support::{CLIENT, START, TestServer};

#[actix_web::test]
async fn a_created_flag_is_off_everywhere_and_can_be_read_back() {
    let server = TestServer::new();
    let body =
        json!({ "name": "checkout", "type": "experiment", "description": "d", "impressionData": true });
    let created = server.post(FEATURES, body).await;
    assert_eq!(created.status, 201);
    let expected = json!({
        "name": "checkout", "type": "experiment", "description": "d", "impressionData": true, "project": "default",
        "stale": false, "archived": false, "createdAt": "2026-11-27T12:30:20.000Z",
    });
    assert_eq!(created.json(), expected);

    let detail = server.get(&format!("{FEATURES}/checkout")).await.ok();
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(detail[key], *value, "{key}");
    }
    let environments: Vec<_> = detail["environments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(environments, ["development", "production"]);
    let development = json!({
        "name": "development", "type": "development", "sortOrder": 2, "enabled": false, "strategies": [],
        "lastSeenAt": null, "yes": 0, "no": 0,
    });
    assert_eq!(detail["environments"][0], development);
    assert_eq!(detail["dependencies"], json!([]));
    assert_eq!(detail["children"], json!([]));
    assert_eq!(
        detail["createdBy"],
        json!({ "id": -1001, "name": "admin-1", "imageUrl": "" })
    );
    assert_eq!(event_types(&server).await.last().unwrap(), "feature-created");
}

#[actix_web::test]
async fn a_flag_is_listed_with_its_environments_until_it_is_archived() {
    let server = server_with("a").await;
    server.post(FEATURES, json!({ "name": "b" })).await.ok();
    server
        .post(&format!("{FEATURES}/b/environments/development/on"), json!({}))
        .await
        .ok();
    server.delete(&format!("{FEATURES}/a")).await.ok();
    let list = server.get(FEATURES).await.ok();
    assert_eq!(list["version"], 2);
    let features = list["features"].as_array().unwrap();
    assert_eq!(features.len(), 1);
    assert_eq!(features[0]["name"], "b");
    let development = &features[0]["environments"][0];
    assert_eq!(development["enabled"], true);
    assert_eq!(development["hasStrategies"], true);
    assert_eq!(development["hasEnabledStrategies"], true);
    assert_eq!(server.get("/api/admin/projects/nope/features").await.status, 404);
}

#[actix_web::test]
async fn a_name_is_taken_once_archived_flags_included() {
    let server = server_with("checkout").await;
    server
        .post(FEATURES, json!({ "name": "checkout" }))
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    server.delete(&format!("{FEATURES}/checkout")).await.ok();
    server
        .post(FEATURES, json!({ "name": "checkout" }))
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    let validate = "/api/admin/features/validate";
    server
        .post(validate, json!({ "name": "checkout" }))
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    assert_eq!(server.post(validate, json!({ "name": "free" })).await.status, 200);
    server
        .post(validate, json!({ "name": "not free" }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn what_is_wrong_with_a_new_flag_is_told_all_at_once() {
    let server = TestServer::new();
    let body = json!({ "name": "a b", "type": "nope", "impressionData": "maybe", "description": {} });
    let refusal = server
        .post(FEATURES, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(
        places(&refusal),
        [
            "/body/name",
            "/body/type",
            "/body/description",
            "/body/impressionData"
        ]
    );
    for name in [
        json!(""),
        json!("."),
        json!(".."),
        json!("ü"),
        json!("x".repeat(101)),
        json!(null),
        json!([]),
    ] {
        let refusal = server.post(FEATURES, json!({ "name": name })).await;
        let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), ["/body/name"], "{name}");
    }
    assert_eq!(server.get(FEATURES).await.ok()["features"], json!([]));
}

#[actix_web::test]
async fn a_flag_of_another_project_is_not_found_and_its_project_is_named() {
    let server = server_with("checkout").await;
    let nowhere = server
        .post("/api/admin/projects/nope/features", json!({ "name": "x" }))
        .await;
    nowhere.refused(StatusCode::NOT_FOUND, "NotFoundError");
    let elsewhere = server.get("/api/admin/projects/nope/features/checkout").await;
    let refusal = elsewhere.refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert!(
        refusal["message"]
            .as_str()
            .unwrap()
            .contains("in project \"default\""),
        "{refusal}"
    );
    server
        .get(&format!("{FEATURES}/nope"))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_put_replaces_what_a_flag_says_of_itself() {
    let server = server_with("checkout").await;
    let path = format!("{FEATURES}/checkout");
    let body = json!({ "name": "checkout", "type": "permission", "description": "new", "stale": true, "impressionData": true });
    let edited = server.put(&path, body).await.ok();
    assert_eq!(edited["type"], "permission");
    assert_eq!(edited["description"], "new");
    assert_eq!(edited["stale"], true);
    assert_eq!(edited["impressionData"], true);
    let types = event_types(&server).await;
    assert_eq!(
        types[types.len() - 2..],
        ["feature-metadata-updated", "feature-stale-on"]
    );
    let emptied = server.put(&path, json!({})).await.ok();
    assert_eq!(emptied["type"], "release");
    assert_eq!(emptied["description"], json!(null));
    assert_eq!(emptied["stale"], false);

    server
        .put(&path, json!({ "name": "other" }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let refusal = server.put(&path, json!({ "type": "nope", "stale": "x" })).await;
    let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/type", "/body/stale"]);
    server
        .put(&format!("{FEATURES}/nope"), json!({}))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn flags_are_marked_stale_together() {
    let server = server_with("a").await;
    server.post(FEATURES, json!({ "name": "b" })).await.ok();
    let path = "/api/admin/projects/default/stale";
    let answer = server
        .post(path, json!({ "features": ["a", "b", "nope"], "stale": true }))
        .await;
    assert_eq!(answer.status, 202);
    for name in ["a", "b"] {
        assert_eq!(
            server.get(&format!("{FEATURES}/{name}")).await.ok()["stale"],
            true
        );
    }
    let refusal = server.post(path, json!({ "features": "a" })).await;
    let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/features", "/body/stale"]);
}

#[actix_web::test]
async fn a_clone_has_the_same_strategies_under_new_ids_and_is_off() {
    let server = server_with("old").await;
    let rollout = json!({ "name": "flexibleRollout", "parameters": { "rollout": "20", "stickiness": "userId", "groupId": "old" } });
    let id = add_strategy(&server, "old", rollout).await;
    add_strategy(
        &server,
        "old",
        json!({ "name": "flexibleRollout", "parameters": { "groupId": "shared" } }),
    )
    .await;
    server
        .post(&format!("{FEATURES}/old/environments/development/on"), json!({}))
        .await
        .ok();
    let clone = format!("{FEATURES}/old/clone");
    assert_eq!(server.post(&clone, json!({ "name": "new" })).await.status, 201);
    let settings = in_development(&server, "new").await;
    assert_eq!(settings["enabled"], false);
    let groups: Vec<_> = settings["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["parameters"]["groupId"])
        .collect();
    assert_eq!(groups, ["new", "new"]);
    assert_ne!(settings["strategies"][0]["id"], json!(id));

    server
        .post(&clone, json!({ "name": "kept", "replaceGroupId": false }))
        .await
        .ok();
    assert_eq!(
        in_development(&server, "kept").await["strategies"][0]["parameters"]["groupId"],
        "old"
    );
    server
        .post(&clone, json!({ "name": "new" }))
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    server
        .post(&clone, json!({ "name": "a b" }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let missing = server
        .post(&format!("{FEATURES}/nope/clone"), json!({ "name": "x" }))
        .await;
    missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_flag_tells_how_it_was_used_in_the_last_hour_and_when_last() {
    let server = server_with("checkout").await;
    let report = json!({ "appName": "shop", "bucket": {
        "start": "2026-11-27T12:20:00Z", "stop": "2026-11-27T12:25:00Z",
        "toggles": { "checkout": { "yes": 3, "no": 2 } } } });
    let sent = server
        .call(
            CLIENT,
            actix_web::http::Method::POST,
            "/api/client/metrics",
            Some(&report),
        )
        .await;
    assert_eq!(sent.status, 202);
    let path = format!("{FEATURES}/checkout");
    let development = server.get(&path).await.ok()["environments"][0].clone();
    assert_eq!(development["lastSeenAt"], "2026-11-27T12:25:00.000Z");
    assert_eq!((&development["yes"], &development["no"]), (&json!(3), &json!(2)));
    let production = server.get(&path).await.ok()["environments"][1].clone();
    assert_eq!(production["lastSeenAt"], json!(null));
    let listed = server.get(FEATURES).await.ok()["features"][0]["environments"][0]["lastSeenAt"].clone();
    assert_eq!(listed, "2026-11-27T12:25:00.000Z");

    server.set_time(START + Duration::hours(2));
    let later = server.get(&path).await.ok()["environments"][0].clone();
    assert_eq!(later["lastSeenAt"], "2026-11-27T12:25:00.000Z");
    assert_eq!((&later["yes"], &later["no"]), (&json!(0), &json!(0)));
}

#[actix_web::test]
async fn the_flags_own_variants_are_shown_where_they_are_asked_for() {
    let server = server_with("checkout").await;
    let path = format!("{FEATURES}/checkout");
    assert!(
        server.get(&path).await.ok()["environments"][0]
            .get("variants")
            .is_none()
    );
    let asked = server.get(&format!("{path}?variantEnvironments=true")).await.ok();
    assert_eq!(asked["environments"][0]["variants"], json!([]));
    let variants = server
        .get(&format!("{path}/environments/development/variants"))
        .await
        .ok();
    assert_eq!(variants, json!({ "version": 1, "variants": [] }));
}

#[actix_web::test]
async fn a_flag_may_be_stale_or_archived_from_the_beginning() {
    let server = TestServer::new();
    let stale = server
        .post(FEATURES, json!({ "name": "old", "stale": true }))
        .await;
    assert_eq!((stale.status, &stale.json()["stale"]), (201, &json!(true)));
    assert_eq!(server.get(&format!("{FEATURES}/old")).await.ok()["stale"], true);
    let archived = server
        .post(FEATURES, json!({ "name": "gone", "archived": true }))
        .await;
    assert_eq!(
        (archived.status, &archived.json()["archived"]),
        (201, &json!(true))
    );
    let gone = server.get(&format!("{FEATURES}/gone")).await;
    gone.refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .post("/api/admin/archive/revive/gone", json!({}))
        .await
        .ok();
    server.get(&format!("{FEATURES}/gone")).await.ok();
    let wrong = server
        .post(FEATURES, json!({ "name": "x", "stale": "yes" }))
        .await;
    wrong.refused(StatusCode::BAD_REQUEST, "BadDataError");
}
