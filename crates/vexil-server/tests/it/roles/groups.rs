//! Groups of people.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{MEMBER, group, may_create};
use crate::support::TestServer;
use crate::users::person;

#[actix_web::test]
async fn members_have_what_their_group_has_for_as_long_as_they_are_in_it() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    let bob = person(&server, "bob", "Viewer").await;
    let team = group(&server, "team", &[&ada]).await;
    let path = format!("/api/admin/projects/default/groups/{team}/roles");
    server.put(&path, json!({ "roles": [MEMBER] })).await.ok();
    assert!(may_create(&server, &ada, "a").await);
    assert!(!may_create(&server, &bob, "b").await);
    let one = format!("/api/admin/groups/{team}");
    server
        .put(&one, json!({ "name": "team", "users": [{ "id": bob.id }] }))
        .await
        .ok();
    assert!(!may_create(&server, &ada, "c").await);
    assert!(may_create(&server, &bob, "d").await);
    let shown = server.get(&one).await.ok();
    assert_eq!(shown["users"][0]["user"]["id"], bob.id);
    assert_eq!(shown["projects"], json!(["default"]));
    server.delete(&one).await.ok();
    assert!(!may_create(&server, &bob, "e").await);
    let events = server.get("/api/admin/events").await.text;
    for kind in [
        "group-created",
        "group-updated",
        "group-deleted",
        "project-access-updated",
    ] {
        assert!(events.contains(kind), "{kind}: {events}");
    }
}

#[actix_web::test]
async fn a_group_may_have_a_root_role() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    assert!(!may_create(&server, &ada, "a").await);
    let body = json!({ "name": "editors", "rootRole": "Editor", "users": [ada.id], "mappingsSSO": ["eds"] });
    let made = server.post("/api/admin/groups", body).await.ok();
    assert_eq!(
        (&made["rootRole"], &made["mappingsSSO"]),
        (&json!(2), &json!(["eds"]))
    );
    assert!(may_create(&server, &ada, "b").await);
}

#[actix_web::test]
async fn what_is_wrong_with_a_group_is_told() {
    let server = TestServer::new();
    group(&server, "team", &[]).await;
    let twice = server.post("/api/admin/groups", json!({ "name": "team" })).await;
    twice.refused(StatusCode::CONFLICT, "NameExistsError");
    for body in [
        json!({}),
        json!({ "name": "" }),
        json!({ "name": "a", "users": [77] }),
        json!({ "name": "a", "users": [{ "user": {} }] }),
        json!({ "name": "a", "rootRole": 4 }),
    ] {
        let answer = server.post("/api/admin/groups", body).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}
