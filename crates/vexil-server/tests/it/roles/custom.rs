//! Custom roles.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{call, give, may_create, role};
use crate::support::{TestServer, places};
use crate::users::person;

#[actix_web::test]
async fn a_role_is_made_changed_and_removed_and_the_log_tells() {
    let server = TestServer::new();
    let body = json!({
        "name": "Releaser", "description": "d", "type": "custom",
        "permissions": [
            { "name": "CREATE_FEATURE" },
            { "name": "UPDATE_FEATURE_ENVIRONMENT", "environment": "production" },
        ],
    });
    let made = server.post("/api/admin/roles", body).await;
    assert_eq!(made.status, 201);
    let made = made.json();
    assert!(made["id"].as_i64().unwrap() > 100);
    let names: Vec<_> = made["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].clone())
        .collect();
    assert_eq!(
        json!(names),
        json!(["CREATE_FEATURE", "UPDATE_FEATURE_ENVIRONMENT"])
    );
    assert_eq!(made["permissions"][1]["environment"], "production");
    let one = format!("/api/admin/roles/{}", made["id"]);
    assert_eq!(server.get(&one).await.ok(), made);
    let body = json!({ "name": "releaser" });
    server
        .post("/api/admin/roles/validate", body)
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    let changed = json!({ "name": "Releaser", "permissions": [{ "name": "CREATE_FEATURE" }] });
    assert_eq!(
        server.put(&one, changed).await.ok()["permissions"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    server.delete(&one).await.ok();
    server
        .get(&one)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let events = server.get("/api/admin/events").await.text;
    for kind in ["role-created", "role-updated", "role-deleted"] {
        assert!(events.contains(kind), "{kind}: {events}");
    }
}

#[actix_web::test]
async fn the_built_in_roles_stay_as_they_are() {
    let server = TestServer::new();
    for id in 1..=5 {
        let one = format!("/api/admin/roles/{id}");
        let body = json!({ "name": "Mine", "permissions": [] });
        let answer = server.put(&one, body).await;
        answer.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
        let answer = server.delete(&one).await;
        answer.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    }
}

#[actix_web::test]
async fn a_role_holds_only_what_counts_where_it_is_given() {
    let server = TestServer::new();
    for (kind, permission) in [
        ("custom", json!({ "name": "CREATE_PROJECT" })),
        ("root-custom", json!({ "name": "CREATE_FEATURE" })),
        ("root-custom", json!({ "name": "ADMIN" })),
        ("custom", json!({ "name": "FLY" })),
        (
            "custom",
            json!({ "name": "APPROVE_CHANGE_REQUEST", "environment": "nowhere" }),
        ),
    ] {
        let body = json!({ "name": "r", "type": kind, "permissions": [permission] });
        let answer = server.post("/api/admin/roles", body).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}

#[actix_web::test]
async fn a_role_that_somebody_has_is_not_removed() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    let maker = role(&server, "Maker", json!([{ "name": "CREATE_FEATURE" }])).await;
    give(&server, &ada, &[maker]).await;
    let one = format!("/api/admin/roles/{maker}");
    let answer = server.delete(&one).await;
    answer.refused(StatusCode::BAD_REQUEST, "RoleInUseError");
    assert!(may_create(&server, &ada, "a").await);
    give(&server, &ada, &[]).await;
    assert!(!may_create(&server, &ada, "b").await);
    server.delete(&one).await.ok();
}

#[actix_web::test]
async fn a_custom_root_role_counts_everywhere_and_for_nothing_else() {
    let server = TestServer::new();
    let body =
        json!({ "name": "Founder", "type": "root-custom", "permissions": [{ "name": "CREATE_PROJECT" }] });
    let made = server.post("/api/admin/roles", body).await.ok();
    let body = json!({ "username": "eve", "rootRole": made["id"] });
    server.post("/api/admin/user-admin", body).await.ok();
    let grace = person(&server, "grace", "Founder").await;
    let project = json!({ "id": "hers", "name": "Hers" });
    let path = "/api/admin/projects";
    assert_eq!(
        call(&server, &grace, Method::POST, path, project).await.status,
        201
    );
    assert!(!may_create(&server, &grace, "a").await);
    // whoever makes a project owns it
    let flag = json!({ "name": "mine" });
    let path = "/api/admin/projects/hers/features";
    assert_eq!(call(&server, &grace, Method::POST, path, flag).await.status, 201);
}

#[actix_web::test]
async fn permissions_are_listed_by_where_they_count() {
    let server = TestServer::new();
    let listed = server.get("/api/admin/permissions").await.ok();
    let names = |list: &serde_json::Value| -> Vec<String> {
        let items = list.as_array().unwrap().iter();
        items.map(|it| it["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names(&listed["permissions"]["root"]).contains(&"CREATE_PROJECT".to_owned()));
    assert!(!names(&listed["permissions"]["root"]).contains(&"ADMIN".to_owned()));
    assert!(names(&listed["permissions"]["project"]).contains(&"CREATE_FEATURE".to_owned()));
    let environments = listed["permissions"]["environments"].as_array().unwrap();
    assert_eq!(environments[0]["name"], "development");
    assert!(names(&environments[1]["permissions"]).contains(&"APPROVE_CHANGE_REQUEST".to_owned()));
}

/// Left out of what is kept, the environment would make of a right for one place a right for all.
#[actix_web::test]
async fn what_counts_in_all_environments_at_once_is_not_given_for_one() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    let listed = server.get("/api/admin/permissions").await.ok();
    let permissions = &listed["permissions"];
    let of_project = permissions["project"].as_array().unwrap().iter();
    let by_environment = permissions["environments"][0]["permissions"]
        .as_array()
        .unwrap()
        .iter();
    let all = of_project
        .map(|it| (&it["name"], 400))
        .chain(by_environment.map(|it| (&it["name"], 200)));
    let (mut refused, mut given) = (0, 0);
    for (name, expected) in all {
        let path = format!("/api/admin/projects/default/access/users/{}", ada.id);
        let grants = json!({ "permissions": [{ "permission": name, "environment": "development" }] });
        let granted = server.put(&path, grants).await;
        assert_eq!(granted.status, expected, "{name}: {}", granted.text);
        let held = json!([{ "name": name, "environment": "development" }]);
        let body = json!({ "name": name, "type": "custom", "permissions": held });
        let made = server.post("/api/admin/roles", body).await;
        if expected == 200 {
            assert_eq!(
                made.ok()["permissions"][0]["environment"],
                "development",
                "{name}"
            );
            given += 1;
        } else {
            let told = made.refused(StatusCode::BAD_REQUEST, "BadDataError");
            assert_eq!(places(&told), ["/body/permissions/0/environment"], "{name}");
            assert!(
                granted.text.contains("leave the environment out"),
                "{}",
                granted.text
            );
            refused += 1;
        }
    }
    assert!(refused > 10 && given > 5, "{refused} {given}");
}
