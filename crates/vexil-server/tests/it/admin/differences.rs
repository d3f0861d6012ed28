//! Small differences from Unleash in what people and tokens are told, each as the page on compatibility says it.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::FEATURES;
use crate::sign_in::{account, signed_in};
use crate::support::{ADMIN, TestServer};
use crate::users::person;

#[actix_web::test]
async fn a_new_token_is_told_with_all_that_lists_tell_and_its_id() {
    let server = TestServer::new();
    let body =
        json!({ "tokenName": "t", "type": "client", "environment": "development", "project": "default" });
    let made = server.post("/api/admin/api-tokens", body).await.ok();
    let list = server.get("/api/admin/api-tokens/t").await.ok();
    let keys = |shown: &Value| {
        let keys = shown.as_object().unwrap().keys().cloned();
        keys.collect::<std::collections::BTreeSet<String>>()
    };
    assert_eq!(keys(&made), keys(&list["tokens"][0]));
    assert!(made["id"].is_i64() && made["expiresAt"].is_null() && made["seenAt"].is_null());
    // `project` counts, and is not passed over
    assert_eq!(made["projects"], json!(["default"]));
    let path = "/api/admin/api-tokens/no-such-token";
    let answer = server
        .put(path, json!({ "expiresAt": "2030-01-01T00:00:00Z" }))
        .await;
    answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn whoever_asks_is_told_the_same_by_cookie_and_by_token() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Viewer").await;
    let path = format!("/api/admin/user-admin/{id}/tokens");
    let token = json!({ "description": "t", "expiresAt": "2026-12-31T00:00:00Z" });
    let token = server.post(&path, token).await.ok();
    let by_token = server.call(
        token["secret"].as_str().unwrap(),
        Method::GET,
        "/api/admin/user",
        None,
    );
    let by_token = by_token.await.ok();
    assert_eq!(
        signed_in(&server, "ada").await.get("/api/admin/user").await.ok(),
        by_token
    );
    // what a Viewer may look at is told too
    let permissions = by_token["permissions"].as_array().unwrap();
    assert!(
        permissions.contains(&json!({ "project": "default", "permission": "PROJECT_CHANGE_REQUEST_READ" })),
        "{permissions:?}"
    );
    let of_token = server.get("/api/admin/user").await.ok();
    assert_eq!(of_token["user"]["isAPI"], true);
}

#[actix_web::test]
async fn roles_are_told_without_a_project_too() {
    let server = TestServer::new();
    let ed = person(&server, "ed", "Editor").await;
    let told = server
        .call(&ed.token, Method::GET, "/api/admin/user/roles", None)
        .await
        .ok();
    assert_eq!(
        (&told["roles"][0]["name"], &told["roles"][0]["project"]),
        (&json!("Editor"), &Value::Null)
    );
}

#[actix_web::test]
async fn a_link_for_another_password_is_made_for_an_id_a_name_or_an_address() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Editor").await;
    let path = "/api/admin/user-admin/reset-password";
    for named in [json!(id), json!("ada"), json!("Ada@example.com")] {
        let made = server.post(path, json!({ "id": named })).await.ok();
        assert!(
            made["resetPasswordUrl"]
                .as_str()
                .unwrap()
                .contains("/reset-password?token="),
            "{named}"
        );
    }
    for nobody in [json!(9999), json!("nobody"), json!("nobody@example.com")] {
        server
            .post(path, json!({ "id": nobody }))
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    for wrong in [
        json!({ "id": null }),
        json!({ "id": "" }),
        json!({ "id": [1] }),
        json!({}),
    ] {
        server
            .post(path, wrong)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}

#[actix_web::test]
async fn notices_are_closed_and_answers_changed_as_the_pages_send_it() {
    let server = TestServer::new();
    let ed = person(&server, "ed", "Editor").await;
    let authorization = [("authorization", ed.token.as_str())];
    // without a body, and so without a media type
    server
        .send(Method::POST, "/api/admin/splash/news", &authorization, "")
        .await
        .ok();
    let body = json!({ "neverShow": false, "userId": ed.id });
    let told = server
        .call(&ed.token, Method::PUT, "/api/admin/feedback/f", Some(&body))
        .await
        .ok();
    assert_eq!(
        (&told["feedbackId"], &told["neverShow"]),
        (&json!("f"), &json!(false))
    );
    let own = server
        .call(&ed.token, Method::GET, "/api/admin/user", None)
        .await
        .ok();
    assert_eq!(own["splash"], json!({ "news": true }));
}

#[actix_web::test]
async fn a_person_of_the_audit_log_is_called_by_what_they_sign_in_with() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Editor").await;
    let ada = signed_in(&server, "ada").await;
    ada.call(Method::POST, FEATURES, Some(&json!({ "name": "f" })))
        .await
        .ok();
    let found = server.get("/api/admin/search/features").await.ok();
    let by = &found["features"][0]["createdBy"];
    assert_eq!((&by["id"], &by["name"]), (&json!(id), &json!("ada@example.com")));
}

#[actix_web::test]
async fn flags_can_be_put_in_order_by_whether_they_are_stale() {
    let server = TestServer::new();
    for name in ["a", "b", "c"] {
        server.post(FEATURES, json!({ "name": name })).await.ok();
    }
    server
        .post(
            "/api/admin/projects/default/stale",
            json!({ "features": ["b"], "stale": true }),
        )
        .await
        .ok();
    for (order, wanted) in [("asc", ["a", "c", "b"]), ("desc", ["b", "a", "c"])] {
        let found = server
            .get(&format!(
                "/api/admin/search/features?sortBy=stale&sortOrder={order}"
            ))
            .await
            .ok();
        let names = found["features"]
            .as_array()
            .unwrap()
            .iter()
            .map(|flag| flag["name"].as_str().unwrap());
        let names: Vec<&str> = names.collect();
        if order == "asc" {
            assert_eq!(names, wanted);
        } else {
            assert_eq!(names[0], "b");
        }
    }
}

#[actix_web::test]
async fn what_is_not_there_is_refused_in_json() {
    let server = TestServer::new();
    let body = json!({ "environment": "nowhere" });
    let answer = server
        .post("/api/admin/projects/default/environments", body)
        .await;
    answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
    let answer = server.delete("/api/admin/user/tokens/1").await;
    answer.refused(StatusCode::FORBIDDEN, "ForbiddenError");
    assert_eq!(
        server
            .call(ADMIN, Method::GET, "/invite/no/validate", None)
            .await
            .json()["name"],
        "BadDataError"
    );
}
