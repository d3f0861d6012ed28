//! Custom roles, groups, and who has which roles in projects.

mod custom;
mod giving;
mod groups;
mod ties;

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::support::{Answer, TestServer};
use crate::users::Person;

/// The roles of a project that every instance has.
pub const OWNER: i64 = 4;
pub const MEMBER: i64 = 5;

/// A custom role for projects.
pub async fn role(server: &TestServer, name: &str, permissions: Value) -> i64 {
    let body = json!({ "name": name, "type": "custom", "permissions": permissions });
    let made = server.post("/api/admin/roles", body).await.ok();
    made["id"].as_i64().unwrap()
}

pub async fn group(server: &TestServer, name: &str, members: &[&Person]) -> i64 {
    let members: Vec<Value> = members
        .iter()
        .map(|one| json!({ "user": { "id": one.id } }))
        .collect();
    let body = json!({ "name": name, "users": members });
    let made = server.post("/api/admin/groups", body).await.ok();
    made["id"].as_i64().unwrap()
}

/// Gives somebody exactly these roles in the default project.
pub async fn give(server: &TestServer, who: &Person, roles: &[i64]) {
    let path = format!("/api/admin/projects/default/users/{}/roles", who.id);
    server.put(&path, json!({ "roles": roles })).await.ok();
}

pub async fn call(server: &TestServer, who: &Person, method: Method, path: &str, body: Value) -> Answer {
    server.call(&who.token, method, path, Some(&body)).await
}

/// Whether somebody may create a flag in the default project.
pub async fn may_create(server: &TestServer, who: &Person, flag: &str) -> bool {
    let path = "/api/admin/projects/default/features";
    match call(server, who, Method::POST, path, json!({ "name": flag }))
        .await
        .status
    {
        201 => true,
        403 => false,
        other => panic!("{other}"),
    }
}
