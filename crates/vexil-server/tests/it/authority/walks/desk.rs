//! What the administrator of an instance does, by a token.

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::support::{ADMIN, Answer, AnyService, ask};
use crate::users::Person;

/// Asks as somebody with a token. The service is made once: making it takes longer than what it answers.
pub(crate) async fn by(
    service: &impl AnyService,
    token: &str,
    method: Method,
    path: &str,
    body: &Value,
) -> Answer {
    let headers = [("authorization", token), ("content-type", "application/json")];
    ask(service, method, path, &headers, body.to_string().into_bytes()).await
}

pub(crate) async fn post(service: &impl AnyService, path: &str, body: Value) -> Answer {
    by(service, ADMIN, Method::POST, path, &body).await
}

pub(crate) async fn put(service: &impl AnyService, path: &str, body: Value) -> Answer {
    by(service, ADMIN, Method::PUT, path, &body).await
}

pub(crate) async fn get(service: &impl AnyService, path: &str) -> Answer {
    ask(
        service,
        Method::GET,
        path,
        &[("authorization", ADMIN)],
        Vec::new(),
    )
    .await
}

/// Somebody with a personal token.
pub(crate) async fn person(service: &impl AnyService, name: &str, role: &str) -> Person {
    let made = post(
        service,
        "/api/admin/user-admin",
        json!({ "username": name, "rootRole": role }),
    )
    .await
    .ok();
    let id = made["id"].as_i64().unwrap();
    let token = json!({ "description": "test", "expiresAt": "2027-11-01T00:00:00Z" });
    let made = post(service, &format!("/api/admin/user-admin/{id}/tokens"), token)
        .await
        .ok();
    let token = made["secret"].as_str().unwrap().to_owned();
    Person { id, token }
}
