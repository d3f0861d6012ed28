//! Which members documents have, where Unleash's have others, or none.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, add_strategy, server_with};
use crate::sign_in::{account, signed_in, try_to_sign_in};
use crate::support::{ADMIN, CLIENT, PRODUCTION_CLIENT, TestServer};
use crate::users::person;

fn keys(shown: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[actix_web::test]
async fn whoever_has_no_name_is_shown_without_one() {
    let server = TestServer::new();
    person(&server, "ed", "Admin").await;
    for (path, list) in [
        ("/api/admin/user-admin/search?q=ed", None),
        ("/api/admin/user-admin/search?q=", None),
        ("/api/admin/user-admin/access", Some("users")),
        ("/api/admin/user-admin", Some("users")),
        ("/api/admin/personal-dashboard", Some("admins")),
    ] {
        let told = server.get(path).await.ok();
        let one = match list {
            Some(list) => &told[list][0],
            None => &told[0],
        };
        assert_eq!(one["username"], "ed", "{path}");
        let keys = keys(one);
        assert!(
            !keys.contains(&"name") && !keys.contains(&"email"),
            "{path} {keys:?}"
        );
    }
}

#[actix_web::test]
async fn whoever_is_found_is_shown_with_when_they_were_last_seen() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let found = async || server.get("/api/admin/user-admin/search?q=ada").await.ok()[0].clone();
    assert_eq!(found().await["seenAt"], Value::Null);
    signed_in(&server, "ada").await.get("/api/admin/user").await.ok();
    let found = found().await;
    let expected = [
        "accountType",
        "companyRole",
        "email",
        "id",
        "imageUrl",
        "productUpdatesEmailConsent",
        "scimId",
        "seatType",
        "seenAt",
        "username",
    ];
    assert_eq!(keys(&found), expected);
}

#[actix_web::test]
async fn an_empty_password_is_told_apart_from_a_weak_one() {
    let server = TestServer::new();
    for path in [
        "/api/admin/user-admin/validate-password",
        "/auth/reset/validate-password",
    ] {
        let answer = server.post(path, json!({ "password": "" })).await;
        answer.refused(StatusCode::BAD_REQUEST, "PasswordUndefinedError");
        let answer = server.post(path, json!({ "password": "abc" })).await;
        answer.refused(StatusCode::BAD_REQUEST, "OwaspValidationError");
    }
}

#[actix_web::test]
async fn a_token_has_no_personal_tokens_and_is_told_so() {
    let server = TestServer::new();
    let wanted = json!({ "description": "x", "expiresAt": "2030-01-01T00:00:00Z" });
    let answer = server.post("/api/admin/user/tokens", wanted).await;
    answer.refused(StatusCode::FORBIDDEN, "ForbiddenError");
}

#[actix_web::test]
async fn a_cookie_alone_changes_nothing() {
    let server = TestServer::new();
    account(&server, "ada", "Editor").await;
    let browser = signed_in(&server, "ada").await;
    // neither does a page of this server say that it asks, nor is there a body that no form can send
    let answer = browser
        .send(Method::DELETE, "/api/admin/user/tokens/1", &[], "")
        .await;
    answer.refused(StatusCode::FORBIDDEN, "PermissionError");
}

#[actix_web::test]
async fn the_sessions_of_whoever_signs_in_are_counted() {
    let server = TestServer::new();
    for name in ["ada", "bob"] {
        account(&server, name, "Viewer").await;
    }
    for (name, count) in [("ada", 1), ("bob", 1), ("ada", 2)] {
        let told = try_to_sign_in(&server, name, crate::sign_in::PASSWORD).await.ok();
        assert_eq!(told["activeSessions"], count, "{name}");
    }
}

#[actix_web::test]
async fn a_profile_names_the_projects_and_no_subscription() {
    let server = TestServer::new();
    for (name, role) in [("ada", "Admin"), ("ed", "Editor"), ("vic", "Viewer")] {
        let who = person(&server, name, role).await;
        let told = server
            .call(&who.token, Method::GET, "/api/admin/user/profile", None)
            .await
            .ok();
        assert_eq!(
            (&told["projects"], &told["subscriptions"]),
            (&json!(["default"]), &json!([])),
            "{name}"
        );
    }
}

#[actix_web::test]
async fn nobody_came_by_scim_so_nobody_goes() {
    let server = TestServer::new();
    person(&server, "ed", "Editor").await;
    server.delete("/api/admin/user-admin/scim-users").await.ok();
    let told = server.get("/api/admin/user-admin").await.ok();
    assert_eq!(told["users"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_link_for_a_password_says_whom_it_is_for_and_not_who_made_it() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let made = server
        .post("/api/admin/user-admin/reset-password", json!({ "id": "ada" }))
        .await
        .ok();
    let url = made["resetPasswordUrl"].as_str().unwrap();
    let secret = url.split_once("token=").unwrap().1;
    let told = server
        .get(&format!("/auth/reset/validate?token={secret}"))
        .await
        .ok();
    assert_eq!(
        (&told["username"], &told["createdBy"]),
        (&json!("ada"), &json!(""))
    );
}

#[actix_web::test]
async fn an_edited_link_for_signing_up_is_told_whole() {
    let server = TestServer::new();
    let path = "/api/admin/invite-link/tokens";
    let wanted = json!({ "name": "team", "expiresAt": "2026-12-20T00:00:00Z" });
    let made = server.post(path, wanted).await.ok();
    let secret = made["secret"].as_str().unwrap();
    assert_eq!(made["role"], json!({ "id": 3, "name": "Viewer", "type": "root" }));
    let user = json!({ "username": "bob", "email": "bob@example.com", "password": "Xy7!pqRstuvw9" });
    server
        .send(
            Method::POST,
            &format!("/invite/{secret}/signup"),
            &[("content-type", "application/json")],
            user.to_string(),
        )
        .await
        .ok();
    let edited = server
        .put(&format!("{path}/{secret}"), json!({ "enabled": false }))
        .await
        .ok();
    assert_eq!(edited["role"], made["role"]);
    assert_eq!(keys(&edited["users"][0]), ["email", "id", "username"]);
    assert_eq!(edited["users"][0]["username"], "bob");
}

#[actix_web::test]
async fn only_people_are_told_what_is_a_favourite() {
    let server = TestServer::new();
    let path = "/api/admin/projects";
    let ed = person(&server, "ed", "Editor").await;
    let told = |answer: Value| answer["projects"][0].get("favorite").cloned();
    assert_eq!(
        told(server.call(&ed.token, Method::GET, path, None).await.ok()),
        Some(json!(false))
    );
    assert_eq!(told(server.call(ADMIN, Method::GET, path, None).await.ok()), None);
}

#[actix_web::test]
async fn an_overview_names_its_project_and_shows_default_strategies_whole() {
    let server = TestServer::new();
    let strategy = json!({ "name": "flexibleRollout", "parameters": { "rollout": "50", "stickiness": "userId", "groupId": "g" } });
    let path = "/api/admin/projects/default/environments/development/default-strategy";
    server.post(path, strategy).await.ok();
    let told = server.get("/api/admin/projects/default/overview").await.ok();
    assert_eq!(told["id"], "default");
    let shown = &told["environments"][0]["defaultStrategy"];
    for member in ["id", "disabled", "sortOrder", "variants", "segments"] {
        assert!(shown.get(member).is_some(), "{member} {shown}");
    }
}

#[actix_web::test]
async fn flags_and_strategies_in_lists_say_where_they_belong() {
    let server = server_with("f").await;
    let listed = server.get(FEATURES).await.ok()["features"][0].clone();
    assert_eq!(
        (&listed["project"], &listed["archived"]),
        (&json!("default"), &json!(false))
    );
    add_strategy(&server, "f", json!({ "name": "default" })).await;
    let shown = super::in_development(&server, "f").await;
    assert_eq!(shown["strategies"][0]["segments"], json!([]));
}

#[actix_web::test]
async fn a_flag_tells_how_far_it_has_come() {
    let server = server_with("f").await;
    let read = async || server.get(&format!("{FEATURES}/f")).await.ok();
    let told = read().await;
    assert_eq!(
        told["lifecycle"],
        json!({ "stage": "initial", "enteredStageAt": "2026-11-27T12:30:20.000Z" })
    );
    assert!(told.get("favorite").is_none());
    let report = json!({ "appName": "web", "bucket": {
        "start": "2026-11-27T12:29:00Z", "stop": "2026-11-27T12:30:00Z", "toggles": { "f": { "yes": 1, "no": 0 } } } });
    for (token, stage) in [(CLIENT, "pre-live"), (PRODUCTION_CLIENT, "live")] {
        server
            .call(token, Method::POST, "/api/client/metrics", Some(&report))
            .await
            .ok();
        assert_eq!(read().await["lifecycle"]["stage"], stage);
    }
    let ed = person(&server, "ed", "Editor").await;
    let told = server
        .call(&ed.token, Method::GET, &format!("{FEATURES}/f"), None)
        .await;
    assert_eq!(told.ok()["favorite"], false);
}

#[actix_web::test]
async fn found_events_say_in_words_what_happened() {
    let server = server_with("f").await;
    let found = server
        .get("/api/admin/search/events?type=IS:feature-created")
        .await
        .ok();
    let event = &found["events"][0];
    assert_eq!(
        (&event["label"], &event["summary"], &event["type"]),
        (
            &json!("Feature created"),
            &json!("**admin-1**: feature-created of **f**"),
            &json!("feature-created")
        )
    );
    // what is not part of a change request belongs to no group
    assert!(event.get("groupId").is_none() && event.get("groupType").is_none());
}

#[actix_web::test]
async fn the_bound_of_the_playground_is_told_with_the_other_bounds() {
    let server = TestServer::new();
    let told = server.get("/api/admin/ui-config").await.ok();
    assert_eq!(
        (&told["name"], &told["resourceLimits"]["playgroundEvaluations"]),
        (&json!("Vexil"), &json!(250_000))
    );
}

#[actix_web::test]
async fn every_built_in_role_says_what_it_is_for() {
    let server = TestServer::new();
    let told = server.get("/api/admin/roles").await.ok();
    let roles = told["roles"].as_array().unwrap();
    assert_eq!(roles.len(), 5);
    for role in roles {
        assert!(role["description"].as_str().unwrap().ends_with('.'), "{role}");
    }
}

#[actix_web::test]
async fn built_in_fields_were_always_there_and_users_are_offered_for_stickiness() {
    let server = TestServer::new();
    let told = server.get("/api/admin/context/userId").await.ok();
    assert_eq!(
        (&told["stickiness"], &told["createdAt"]),
        (&json!(true), &Value::Null)
    );
}
