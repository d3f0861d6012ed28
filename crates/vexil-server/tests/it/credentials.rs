//! Credentials fail closed: what was revoked stays revoked, after a restart too, and whatever comes later under the
//! name of what it was for.

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_service::{InitialTokens, bootstrap};
use vexil_store::TokenKind;

use crate::support::{ADMIN, CLIENT, FRONTEND, START, TestServer};
use crate::users::person;

const INITIAL_ADMIN: &str = "*:*.second-admin";
const NEW_PASSWORD: &str = "Xy7!pqRstuvw9";
const FEATURES: &str = "/api/client/features";

fn initial() -> InitialTokens {
    let tokens = [
        (TokenKind::Admin, ADMIN),
        (TokenKind::Admin, INITIAL_ADMIN),
        (TokenKind::Client, CLIENT),
        (TokenKind::Frontend, FRONTEND),
    ];
    InitialTokens(tokens.map(|(kind, text)| (kind, text.to_owned())).into())
}

/// The secret, what it may ask for, how it is revoked, and how what it was for is made again.
struct Credential {
    name: &'static str,
    secret: String,
    asks: &'static str,
    revoke: (Method, String, Value),
    again: Option<(&'static str, Value)>,
}

async fn made(server: &TestServer, environment: &str) -> String {
    let body = json!({ "tokenName": "t", "type": "client", "environment": environment, "projects": ["*"] });
    let token = server.post("/api/admin/api-tokens", body).await.ok();
    token["secret"].as_str().unwrap().to_owned()
}

async fn credentials(server: &TestServer) -> Vec<Credential> {
    let qa = json!({ "name": "qa", "type": "test" });
    server.post("/api/admin/environments", qa.clone()).await.ok();
    let named = |secret: &str| {
        (
            Method::DELETE,
            format!("/api/admin/api-tokens/{secret}"),
            Value::Null,
        )
    };
    let token = |name, secret: String, asks| Credential {
        name,
        revoke: named(&secret),
        secret,
        asks,
        again: None,
    };
    let removed = person(server, "removed", "Admin").await;
    let ended = made(server, "development").await;
    vec![
        token("an initial token of an SDK", CLIENT.to_owned(), FEATURES),
        token("an initial token of a page", FRONTEND.to_owned(), "/api/frontend"),
        token(
            "an initial token of an administrator",
            INITIAL_ADMIN.to_owned(),
            "/api/admin/projects",
        ),
        token(
            "a token that was made",
            made(server, "development").await,
            FEATURES,
        ),
        Credential {
            name: "a token that was ended",
            revoke: (
                Method::PUT,
                format!("/api/admin/api-tokens/{ended}"),
                json!({ "expiresAt": "2026-11-27T12:00:00Z" }),
            ),
            secret: ended,
            asks: FEATURES,
            again: None,
        },
        Credential {
            name: "a token of an environment that is removed",
            secret: made(server, "qa").await,
            asks: FEATURES,
            revoke: (
                Method::DELETE,
                "/api/admin/environments/qa".to_owned(),
                Value::Null,
            ),
            again: Some(("/api/admin/environments", qa)),
        },
        Credential {
            name: "a token of somebody who is removed",
            secret: removed.token,
            asks: "/api/admin/projects",
            revoke: (
                Method::DELETE,
                format!("/api/admin/user-admin/{}", removed.id),
                Value::Null,
            ),
            again: Some((
                "/api/admin/user-admin",
                json!({ "username": "removed", "rootRole": "Admin" }),
            )),
        },
    ]
}

async fn status(server: &TestServer, credential: &Credential) -> u16 {
    server
        .call(&credential.secret, Method::GET, credential.asks, None)
        .await
        .status
}

#[actix_web::test]
async fn what_was_revoked_stays_revoked_after_a_restart_and_when_its_place_is_made_again() {
    let server = TestServer::new();
    bootstrap(server.app(), &initial()).unwrap();
    for credential in credentials(&server).await {
        let name = credential.name;
        assert_eq!(status(&server, &credential).await, 200, "{name}");
        let (method, path, body) = &credential.revoke;
        server.call(ADMIN, method.clone(), path, Some(body)).await.ok();
        assert_eq!(status(&server, &credential).await, 401, "{name}");
        let restarted = server.another();
        bootstrap(restarted.app(), &initial()).unwrap();
        assert_eq!(
            status(&restarted, &credential).await,
            401,
            "{name}, after a restart"
        );
        let validated = json!({ "tokens": [credential.secret] });
        let known = restarted.post("/edge/validate", validated).await.ok();
        assert_eq!(known["tokens"], json!([]), "{name}");
        if let Some((path, body)) = credential.again {
            restarted.post(path, body).await.ok();
            let credential = Credential {
                again: None,
                ..credential
            };
            assert_eq!(status(&restarted, &credential).await, 401, "{name}, made again");
        }
        server.app().follow().unwrap();
    }
}

#[actix_web::test]
async fn an_initial_token_that_is_new_is_added_at_the_next_start() {
    let server = TestServer::new();
    let restarted = server.another();
    let text = restarted.add_client_token("default:development.later");
    let asked = restarted.call(&text, Method::GET, FEATURES, None).await;
    assert_eq!(asked.status, 200);
    let events = restarted.get("/api/admin/events").await.ok();
    assert_eq!(events["events"][0]["type"], "api-token-created");
    let settings = events["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["type"] == "setting-updated");
    assert_eq!(
        settings.count(),
        0,
        "what is kept of initial tokens is no setting to people"
    );
}

#[actix_web::test]
async fn no_admin_token_is_made_again_once_there_was_one() {
    let server = TestServer::new();
    let root = person(&server, "root", "Admin").await;
    let path = format!("/api/admin/api-tokens/{ADMIN}");
    server.call(&root.token, Method::DELETE, &path, None).await.ok();
    let made = bootstrap(server.another().app(), &InitialTokens::default()).unwrap();
    assert_eq!(made, None);
    server.set_time(START);
}

#[actix_web::test]
async fn a_password_is_kept_only_as_its_hash() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    let path = format!("/api/admin/user-admin/{}/change-password", ada.id);
    server.post(&path, json!({ "password": NEW_PASSWORD })).await.ok();
    let kept = server
        .store
        .load()
        .unwrap()
        .users
        .values()
        .next()
        .unwrap()
        .password_hash
        .clone()
        .unwrap();
    assert!(
        kept.starts_with("$argon2id$") && !kept.contains(NEW_PASSWORD),
        "{kept}"
    );
}
