//! What a provider tells only to who asks with the access token.

use actix_web::http::StatusCode;
use serde_json::json;

use super::issuer::CLIENT;
use super::{Scene, refused};
use crate::sign_in::browser;
use crate::support::START;

/// As OpenID Connect has it: what a scope asks for is told to who asks with the access token.
#[actix_web::test]
async fn what_the_token_does_not_say_is_asked_for() {
    let scene = Scene::new();
    let mut away = scene.leave().await;
    let now = START.unix_timestamp();
    away.plan.claims = json!({
        "iss": scene.issuer.address, "aud": CLIENT, "sub": "bo-1", "nonce": away.plan.claims["nonce"], "iat": now, "exp": now + 300,
    });
    away.plan.told = json!({
        "sub": "bo-1", "email": "bo@example.com", "email_verified": true, "preferred_username": "bo", "name": "Bo", "groups": ["devs"],
    });
    let body = json!({ "name": "team", "rootRole": "Editor", "mappingsSSO": ["devs"] });
    scene.server.post("/api/admin/groups", body).await.ok();
    let mut other = scene.leave().await;
    let nonce = other.plan.claims["nonce"].clone();
    other.plan.claims = away.plan.claims.clone();
    other.plan.claims["nonce"] = nonce;
    other.plan.told = json!({ "sub": "ada-1", "email": "ada@example.com", "email_verified": true });
    refused(&scene.come_back(&other).await, StatusCode::UNAUTHORIZED);
    let answer = scene.come_back(&away).await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    let own = browser(&scene.server, &answer).get("/api/admin/user").await.ok();
    let shown = (
        &own["user"]["username"],
        &own["user"]["email"],
        &own["user"]["name"],
    );
    assert_eq!(shown, (&json!("bo"), &json!("bo@example.com"), &json!("Bo")));
    let may = own["permissions"].as_array().unwrap();
    assert!(
        may.iter().any(|it| it["permission"] == "CREATE_PROJECT"),
        "{may:?}"
    );
}
