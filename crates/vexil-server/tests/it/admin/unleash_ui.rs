//! What Unleash's own pages, and Terraform, ask and send.

use actix_web::http::StatusCode;
use serde_json::json;

use super::FEATURES;
use crate::roles::call;
use crate::support::TestServer;
use crate::users::person;
use actix_web::http::Method;

#[actix_web::test]
async fn the_configuration_has_what_the_pages_read() {
    let server = TestServer::new();
    let plain = server.get("/api/admin/ui-config").await.ok();
    for limit in [
        "segments",
        "projects",
        "apiTokens",
        "environments",
        "featureFlags",
    ] {
        assert!(plain["resourceLimits"][limit].is_u64(), "{limit}: {plain}");
    }
    assert_eq!(
        (&plain["unleashUrl"], &plain["disablePasswordAuth"]),
        (&json!("http://localhost"), &json!(false))
    );
    assert_eq!(plain["versionInfo"]["current"]["enterprise"], "");
    assert!(
        plain["version"].as_str().unwrap().starts_with("8.2.0+vexil."),
        "{plain}"
    );
    let app = server.app().clone().with_unleash_ui(true);
    let server = server.with_app(app);
    let theirs = server.get("/api/admin/ui-config").await.ok();
    assert_eq!(
        (&theirs["environment"], &theirs["flags"]["EEA"]),
        (&json!("Enterprise"), &json!(true))
    );
}

#[actix_web::test]
async fn nobody_is_told_how_to_sign_in() {
    let server = TestServer::new();
    let answer = server.send(Method::GET, "/api/admin/user", &[], "").await;
    let body = answer.refused(StatusCode::UNAUTHORIZED, "AuthenticationRequired");
    let told = (&body["path"], &body["type"], &body["defaultHidden"]);
    assert_eq!(
        told,
        (&json!("/auth/simple/login"), &json!("password"), &json!(false))
    );
}

#[actix_web::test]
async fn a_project_without_an_id_gets_one_from_its_name() {
    let server = TestServer::new();
    for (name, id) in [
        ("Web Shop!", "web-shop"),
        ("Web  shop", "web-shop-2"),
        ("Größe", "gr-e"),
        ("…", "project"),
    ] {
        let made = server.post("/api/admin/projects", json!({ "name": name })).await;
        assert_eq!((made.status, &made.json()["id"]), (201, &json!(id)), "{name}");
        assert!(made.json().get("description").is_none());
    }
    let answer = server
        .post("/api/admin/projects", json!({ "name": "x", "id": null }))
        .await;
    answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn the_context_of_a_project_is_that_of_the_instance() {
    let server = TestServer::new();
    let path = "/api/admin/projects/default/context";
    assert_eq!(server.get(path).await.ok(), json!([]));
    let all = server.get("/api/admin/context").await.ok();
    assert_eq!(server.get(&format!("{path}?include=root")).await.ok(), all);
    server
        .get(&format!("{path}?include=x"))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn a_name_for_an_environment_is_tried() {
    let server = TestServer::new();
    let path = "/api/admin/environments/validate";
    server.post(path, json!({ "name": "qa" })).await.ok();
    server
        .post(path, json!({ "name": "production" }))
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    server
        .post(path, json!({ "name": "q a" }))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn the_settings_of_a_project_count() {
    let server = TestServer::new();
    let path = "/api/admin/projects/default/settings";
    let body = json!({
        "mode": "protected", "featureLimit": 2,
        "featureNaming": { "pattern": "shop-.+", "example": "shop-cart", "description": "d" },
        "linkTemplates": [{ "title": "t", "urlTemplate": "https://example.com/{{feature}}" }],
    });
    server.put(path, body).await.ok();
    let shown = server.get("/api/admin/projects/default/overview").await.ok();
    assert_eq!(
        (&shown["mode"], &shown["featureLimit"]),
        (&json!("protected"), &json!(2))
    );
    assert_eq!(shown["featureNaming"]["pattern"], "shop-.+");
    assert_eq!(
        shown["linkTemplates"][0]["urlTemplate"],
        "https://example.com/{{feature}}"
    );
    // root roles only look where a project is protected
    let ed = person(&server, "ed", "Editor").await;
    let refused = call(&server, &ed, Method::POST, FEATURES, json!({ "name": "shop-a" })).await;
    refused.refused(StatusCode::FORBIDDEN, "PermissionError");
    let named = server.post(FEATURES, json!({ "name": "cart" })).await;
    let body = named.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        body["message"]
            .as_str()
            .unwrap()
            .contains("A name like `shop-cart` would do."),
        "{body}"
    );
    for name in ["shop-a", "shop-b"] {
        server.post(FEATURES, json!({ "name": name })).await.ok();
    }
    let third = server.post(FEATURES, json!({ "name": "shop-c" })).await;
    third.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    server
        .put(path, json!({ "featureLimit": null, "featureNaming": null }))
        .await
        .ok();
    server.post(FEATURES, json!({ "name": "anything" })).await.ok();
    for body in [
        json!({ "mode": "private" }),
        json!({ "mode": "x" }),
        json!({ "featureLimit": -1 }),
        json!({ "featureNaming": { "pattern": "(" } }),
        json!({ "featureNaming": { "pattern": "a+", "example": "b" } }),
        json!({ "featureNaming": { "pattern": "(a{1000}){1000}" } }),
        json!({ "modus": "open" }),
    ] {
        server
            .put(path, body.clone())
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}
