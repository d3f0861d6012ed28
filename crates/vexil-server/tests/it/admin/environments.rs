//! Environments.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{FEATURES, event_types, places, server_with};
use crate::support::TestServer;

const ENVIRONMENTS: &str = "/api/admin/environments";

#[actix_web::test]
async fn two_environments_are_there_from_the_start() {
    let server = server_with("checkout").await;
    server
        .post(
            &format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        )
        .await
        .ok();
    let list = server.get(ENVIRONMENTS).await.ok();
    let development = json!({
        "name": "development", "type": "development", "sortOrder": 2, "enabled": true, "protected": false,
        "requiredApprovals": null, "projectCount": 1, "apiTokenCount": 2, "enabledToggleCount": 1,
    });
    assert_eq!(list["environments"][0], development);
    assert_eq!(list["environments"][1]["name"], "production");
    let one = server.get("/api/admin/environments/production").await.ok();
    assert_eq!(one["type"], "production");
    server
        .get("/api/admin/environments/nope")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let seen = server.get("/api/admin/environments/project/default").await.ok()["environments"][0].clone();
    assert_eq!(
        (
            &seen["visible"],
            &seen["projectApiTokenCount"],
            &seen["projectEnabledToggleCount"]
        ),
        (&json!(true), &json!(2), &json!(1))
    );
    assert_eq!(seen.get("defaultStrategy"), None);
    let strategy = json!({ "name": "flexibleRollout", "parameters": { "rollout": "10" }, "constraints": [] });
    let path = "/api/admin/projects/default/environments/development/default-strategy";
    server.post(path, strategy).await.ok();
    let seen = server.get("/api/admin/environments/project/default").await.ok()["environments"][0].clone();
    let overview = server.get("/api/admin/projects/default/overview").await.ok();
    assert_eq!(seen["defaultStrategy"]["parameters"]["rollout"], "10");
    assert_eq!(
        seen["defaultStrategy"],
        overview["environments"][0]["defaultStrategy"]
    );
    let missing = server.get("/api/admin/environments/project/nope").await;
    assert_eq!(missing.status, 404);
}

#[actix_web::test]
async fn an_environment_is_created_edited_and_removed_with_everything_in_it() {
    let server = server_with("checkout").await;
    let body = json!({ "name": "staging", "type": "preproduction", "requiredApprovals": 2 });
    let created = server.post(ENVIRONMENTS, body.clone()).await;
    assert_eq!(created.status, 201);
    let expected = json!({
        "name": "staging", "type": "preproduction", "sortOrder": 4, "enabled": true, "protected": false,
        "requiredApprovals": 2,
    });
    assert_eq!(created.json(), expected);
    server
        .post(ENVIRONMENTS, body)
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    let update = "/api/admin/environments/update/staging";
    let edited = server
        .put(update, json!({ "sortOrder": 1, "requiredApprovals": null }))
        .await
        .ok();
    assert_eq!(
        (&edited["type"], &edited["sortOrder"]),
        (&json!("preproduction"), &json!(1))
    );
    assert_eq!(edited["requiredApprovals"], json!(null));
    server
        .put("/api/admin/environments/update/nope", json!({}))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");

    server
        .post(
            "/api/admin/projects/default/environments",
            json!({ "environment": "staging" }),
        )
        .await
        .ok();
    server
        .post(&format!("{FEATURES}/checkout/environments/staging/on"), json!({}))
        .await
        .ok();
    let token = json!({ "tokenName": "t", "type": "client", "environment": "staging" });
    let secret = server.post("/api/admin/api-tokens", token).await.ok()["secret"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(server.delete("/api/admin/environments/staging").await.status, 200);
    server
        .delete("/api/admin/environments/staging")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let names = server.get(&format!("{FEATURES}/checkout")).await.ok()["environments"].clone();
    assert_eq!(names.as_array().unwrap().len(), 2);
    let gone = server
        .call(
            &secret,
            actix_web::http::Method::GET,
            "/api/client/features",
            None,
        )
        .await;
    assert_eq!(gone.status, 401);
    assert!(
        event_types(&server)
            .await
            .contains(&"environment-deleted".to_owned())
    );
}

#[actix_web::test]
async fn environments_are_put_in_order_all_or_none() {
    let server = TestServer::new();
    let path = "/api/admin/environments/sort-order";
    let refused = server.put(path, json!({ "production": 1, "nope": 2 })).await;
    refused.refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(
        server.get(ENVIRONMENTS).await.ok()["environments"][0]["name"],
        "development"
    );
    assert_eq!(server.put(path, json!({ "production": 1 })).await.status, 200);
    assert_eq!(
        server.get(ENVIRONMENTS).await.ok()["environments"][0]["name"],
        "production"
    );
    let refusal = server
        .put(path, json!({ "production": "x" }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/production"]);
}

#[actix_web::test]
async fn an_environment_is_taken_out_of_use_and_into_it_again() {
    let server = TestServer::new();
    for (switch, enabled) in [("off", false), ("on", true)] {
        assert_eq!(
            server
                .post(&format!("{ENVIRONMENTS}/production/{switch}"), json!({}))
                .await
                .status,
            204
        );
        assert_eq!(
            server.get("/api/admin/environments/production").await.ok()["enabled"],
            enabled
        );
        let missing = server
            .post(&format!("{ENVIRONMENTS}/nope/{switch}"), json!({}))
            .await;
        missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
}

#[actix_web::test]
async fn what_is_wrong_with_an_environment_is_told() {
    let server = TestServer::new();
    let body = json!({ "name": "a b", "sortOrder": "x", "enabled": 5, "requiredApprovals": 0 });
    let refusal = server
        .post(ENVIRONMENTS, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let mut found = places(&refusal);
    found.sort_unstable();
    let expected = [
        "/body/enabled",
        "/body/name",
        "/body/requiredApprovals",
        "/body/sortOrder",
        "/body/type",
    ];
    assert_eq!(found, expected);
}

#[actix_web::test]
async fn what_cannot_be_said_of_an_environment_is_refused() {
    let server = TestServer::new();
    for protected in [true, false] {
        let body = json!({ "name": "qa", "type": "test", "protected": protected });
        let created = server.post(ENVIRONMENTS, body.clone()).await;
        let updated = server
            .put(
                &format!("{ENVIRONMENTS}/update/development"),
                json!({ "type": "test", "protected": protected }),
            )
            .await;
        if protected {
            created.refused(StatusCode::BAD_REQUEST, "BadDataError");
            updated.refused(StatusCode::BAD_REQUEST, "BadDataError");
        } else {
            created.ok();
            updated.ok();
        }
    }
}
