//! Who may give what to whom in a project.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{MEMBER, OWNER, call, give, group, may_create, role};
use crate::support::TestServer;
use crate::users::{Person, person};

const ACCESS: &str = "/api/admin/projects/default/access";

/// An owner of the default project who is nothing else.
async fn owner(server: &TestServer) -> Person {
    let owner = person(server, "owner", "Viewer").await;
    give(server, &owner, &[OWNER]).await;
    owner
}

#[actix_web::test]
async fn an_owner_gives_the_team_access_without_an_admin() {
    let server = TestServer::new();
    let owner = owner(&server).await;
    let ada = person(&server, "ada", "Viewer").await;
    let body = json!({ "roles": [MEMBER], "users": [ada.id], "groups": [] });
    call(&server, &owner, Method::POST, ACCESS, body).await.ok();
    assert!(may_create(&server, &ada, "a").await);
    let shown = call(&server, &owner, Method::GET, ACCESS, Value::Null).await.ok();
    let users = shown["users"].as_array().unwrap();
    let of_ada = users.iter().find(|user| user["id"] == ada.id).unwrap();
    assert_eq!(
        (&of_ada["roleId"], &of_ada["roles"]),
        (&json!(MEMBER), &json!([MEMBER]))
    );
    assert_eq!(shown["groups"], json!([]));
    let roles: Vec<_> = shown["roles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|role| role["name"].clone())
        .collect();
    assert_eq!(json!(roles), json!(["Owner", "Member"]));
    let path = format!("/api/admin/projects/default/users/{}/roles", ada.id);
    call(&server, &owner, Method::DELETE, &path, json!({})).await.ok();
    assert!(!may_create(&server, &ada, "b").await);
}

#[actix_web::test]
async fn the_whole_access_is_replaced_at_once() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    let bob = person(&server, "bob", "Viewer").await;
    let team = group(&server, "team", &[&bob]).await;
    give(&server, &ada, &[MEMBER]).await;
    let body = json!({ "roles": [
        { "id": OWNER, "users": [{ "id": bob.id }], "groups": [] },
        { "id": MEMBER, "users": [], "groups": [{ "id": team }] },
    ] });
    server.put(ACCESS, body).await.ok();
    let shown = server.get(ACCESS).await.ok();
    let users: Vec<_> = shown["users"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["id"], &it["roles"]))
        .collect();
    assert_eq!(json!(users), json!([[bob.id, [OWNER]]]));
    assert_eq!(shown["groups"][0]["roles"], json!([MEMBER]));
    assert_eq!(shown["groups"][0]["users"][0]["user"]["id"], bob.id);
    assert!(!may_create(&server, &ada, "a").await);
    // a body without the list takes nothing away
    let answer = server.put(ACCESS, json!({})).await;
    answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(server.get(ACCESS).await.ok(), shown);
}

#[actix_web::test]
async fn nobody_gives_what_they_do_not_have() {
    let server = TestServer::new();
    let owner = owner(&server).await;
    let ada = person(&server, "ada", "Viewer").await;
    let skipper = role(&server, "Skipper", json!([{ "name": "SKIP_CHANGE_REQUEST" }])).await;
    let body = json!({ "roles": [skipper], "users": [ada.id], "groups": [] });
    let answer = call(&server, &owner, Method::POST, ACCESS, body).await;
    let refused = answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    assert_eq!(refused["permissions"], json!(["SKIP_CHANGE_REQUEST"]));
    let path = format!("{ACCESS}/users/{}", ada.id);
    let body = json!({ "permissions": [{ "permission": "SKIP_CHANGE_REQUEST" }] });
    let answer = call(&server, &owner, Method::PUT, &path, body).await;
    answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    // an admin may
    let body = json!({ "roles": [skipper], "users": [ada.id], "groups": [] });
    server.post(ACCESS, body).await.ok();
}

#[actix_web::test]
async fn an_owner_lets_others_approve_and_never_themselves() {
    let server = TestServer::new();
    let owner = owner(&server).await;
    let ada = person(&server, "ada", "Viewer").await;
    let team = group(&server, "team", &[&owner, &ada]).await;
    let approver = role(&server, "Approver", json!([{ "name": "APPROVE_CHANGE_REQUEST" }])).await;
    for body in [
        json!({ "roles": [approver], "users": [owner.id], "groups": [] }),
        json!({ "roles": [approver], "users": [], "groups": [team] }),
        json!({ "roles": [approver], "users": [ada.id, owner.id], "groups": [] }),
    ] {
        let answer = call(&server, &owner, Method::POST, ACCESS, body).await;
        answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    }
    let path = format!("{ACCESS}/users/{}", owner.id);
    let grant = json!({ "permissions": [{ "permission": "APPROVE_CHANGE_REQUEST" }] });
    let answer = call(&server, &owner, Method::PUT, &path, grant).await;
    answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    let body = json!({ "roles": [approver], "users": [ada.id], "groups": [] });
    call(&server, &owner, Method::POST, ACCESS, body).await.ok();
}

#[actix_web::test]
async fn whoever_may_not_give_access_gives_none() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Editor").await;
    let body = json!({ "roles": [OWNER], "users": [ada.id], "groups": [] });
    let answer = call(&server, &ada, Method::POST, ACCESS, body).await;
    answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    let bob = person(&server, "bob", "Viewer").await;
    give(&server, &bob, &[MEMBER]).await;
    let path = format!("/api/admin/projects/default/users/{}/roles", bob.id);
    let answer = call(&server, &bob, Method::PUT, &path, json!({ "roles": [OWNER] })).await;
    answer.refused(StatusCode::FORBIDDEN, "PermissionError");
}

#[actix_web::test]
async fn what_is_not_there_is_not_given() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    for body in [
        json!({ "roles": [999], "users": [ada.id], "groups": [] }),
        json!({ "roles": [1], "users": [ada.id], "groups": [] }),
        json!({ "roles": [MEMBER], "users": [999], "groups": [] }),
        json!({ "roles": [MEMBER], "users": [], "groups": [999] }),
        json!({ "roles": ["x"], "users": [ada.id], "groups": [] }),
    ] {
        let answer = server.post(ACCESS, body).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    assert_eq!(server.get(ACCESS).await.ok()["users"], json!([]));
}
