//! Projects, and the environments they use.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{FEATURES, event_types, places, server_with};
use crate::support::TestServer;

const PROJECTS: &str = "/api/admin/projects";

#[actix_web::test]
async fn the_default_project_is_there_from_the_start() {
    let server = server_with("checkout").await;
    let list = server.get(PROJECTS).await.ok();
    assert_eq!(list["version"], 1);
    let project = &list["projects"][0];
    assert_eq!(
        (&project["id"], &project["name"], &project["featureCount"]),
        (&json!("default"), &json!("Default"), &json!(1))
    );
    let overview = server.get("/api/admin/projects/default/overview").await.ok();
    assert_eq!(
        overview["environments"],
        json!([{ "environment": "development" }, { "environment": "production" }])
    );
    assert_eq!(
        overview["featureTypeCounts"],
        json!([{ "type": "release", "count": 1 }])
    );
    assert_eq!(server.get("/api/admin/projects/default").await.ok(), overview);
    server
        .get("/api/admin/projects/nope/overview")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_project_is_created_edited_and_removed_once_it_is_empty() {
    let server = TestServer::new();
    let rules = json!([{ "name": "production", "requiredApprovals": 99 }]);
    let body = json!({ "id": "shop", "name": "Shop", "defaultStickiness": "userId", "changeRequestEnvironments": rules });
    let created = server.post(PROJECTS, body.clone()).await;
    assert_eq!(created.status, 201);
    assert_eq!(
        created.json()["environments"],
        json!(["development", "production"])
    );
    assert_eq!(
        created.json()["changeRequestEnvironments"],
        json!([{ "name": "production", "requiredApprovals": 10 }])
    );
    server
        .post(PROJECTS, body)
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");

    let path = "/api/admin/projects/shop";
    server
        .put(path, json!({ "name": "New", "description": "d" }))
        .await
        .ok();
    let overview = server.get(path).await.ok();
    assert_eq!(
        (&overview["name"], &overview["description"]),
        (&json!("New"), &json!("d"))
    );
    assert_eq!(overview["defaultStickiness"], "userId");
    server
        .post("/api/admin/projects/shop/features", json!({ "name": "checkout" }))
        .await
        .ok();
    server
        .delete(path)
        .await
        .refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    server
        .delete("/api/admin/projects/shop/features/checkout")
        .await
        .ok();
    assert_eq!(server.delete(path).await.status, 200);
    server
        .delete(path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let types = event_types(&server).await;
    let of_projects: Vec<&String> = types.iter().filter(|kind| kind.starts_with("project-")).collect();
    // the first one is that of the default project, which every instance has
    assert_eq!(
        of_projects,
        [
            "project-created",
            "project-created",
            "project-updated",
            "project-deleted"
        ]
    );
    let default = server.delete("/api/admin/projects/default").await;
    default.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    assert_eq!(
        server.post(FEATURES, json!({ "name": "checkout" })).await.status,
        201
    );
}

#[actix_web::test]
async fn what_is_wrong_with_a_project_is_told() {
    let server = TestServer::new();
    let body = json!({ "id": "a b", "name": "", "environments": 5 });
    let refusal = server
        .post(PROJECTS, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/id", "/body/name", "/body/environments"]);
    for body in [
        json!({ "id": "x", "name": "X", "environments": ["nope"] }),
        json!({ "id": "x", "name": "X", "environments": ["development"], "changeRequestEnvironments": [{ "name": "production" }] }),
    ] {
        server
            .post(PROJECTS, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    server
        .put("/api/admin/projects/default", json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    server
        .put("/api/admin/projects/nope", json!({ "name": "x" }))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_project_starts_and_stops_using_environments() {
    let server = server_with("checkout").await;
    let all = "/api/admin/projects/default/environments";
    server
        .post(
            &format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        )
        .await
        .ok();
    assert_eq!(server.delete(&format!("{all}/development")).await.status, 200);
    assert_eq!(server.delete(&format!("{all}/development")).await.status, 200);
    let names = server.get(&format!("{FEATURES}/checkout")).await.ok()["environments"].clone();
    assert_eq!(names.as_array().unwrap().len(), 1);
    let off = server
        .post(
            &format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        )
        .await;
    off.refused(StatusCode::NOT_FOUND, "NotFoundError");

    let back = json!({ "environment": "development", "changeRequestsEnabled": true });
    assert_eq!(server.post(all, back.clone()).await.status, 200);
    server
        .post(all, back)
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    let settings = super::in_development(&server, "checkout").await;
    assert_eq!(settings["enabled"], false);
    assert_eq!(settings["strategies"].as_array().unwrap().len(), 1);
    server
        .post(all, json!({ "environment": "nope" }))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .post(all, json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    server
        .delete("/api/admin/projects/nope/environments/x")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn flags_that_are_switched_on_get_the_projects_default_strategy() {
    let server = server_with("checkout").await;
    let path = "/api/admin/projects/default/environments/development/default-strategy";
    let strategy =
        json!({ "name": "flexibleRollout", "parameters": { "rollout": "50", "stickiness": "userId" } });
    server.post(path, strategy).await.ok();
    server
        .post(
            &format!("{FEATURES}/checkout/environments/development/on"),
            json!({}),
        )
        .await
        .ok();
    let added = super::in_development(&server, "checkout").await["strategies"][0]["parameters"].clone();
    assert_eq!(
        added,
        json!({ "rollout": "50", "stickiness": "userId", "groupId": "checkout" })
    );
    for strategy in [
        json!({ "name": "nope" }),
        json!({}),
        json!({ "name": "flexibleRollout", "parameters": { "rollout": "500" } }),
    ] {
        server
            .post(path, strategy)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    let nowhere = "/api/admin/projects/default/environments/nope/default-strategy";
    server
        .post(nowhere, json!({ "name": "default" }))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn the_rules_of_an_environment_are_kept_while_the_project_does_not_use_it() {
    let server = TestServer::new();
    let here = "/api/admin/projects/default/environments";
    let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 2 });
    let path = format!("{here}/production/change-requests/config");
    server.put(&path, rule).await.ok();
    let strategy = json!({ "name": "flexibleRollout", "parameters": { "rollout": "7" } });
    let path = format!("{here}/production/default-strategy");
    server.post(&path, strategy).await.ok();
    let config = "/api/admin/projects/default/change-requests/config";
    let before = server.get(config).await.ok();
    let project = server.app().serving().snapshot.projects["default"].clone();
    server.delete(&format!("{here}/production")).await.ok();
    assert_ne!(server.get(config).await.ok(), before);
    let back = json!({ "environment": "production", "changeRequestsEnabled": false });
    server.post(here, back).await.ok();
    assert_eq!(server.get(config).await.ok(), before);
    assert_eq!(server.app().serving().snapshot.projects["default"], project);
}

#[actix_web::test]
async fn an_environment_that_is_removed_takes_its_rules_with_it_where_it_was_left() {
    let server = TestServer::new();
    let qa = json!({ "name": "qa", "type": "test" });
    let here = "/api/admin/projects/default/environments";
    server.post("/api/admin/environments", qa.clone()).await.ok();
    let used = json!({ "environment": "qa", "changeRequestsEnabled": true });
    server.post(here, used).await.ok();
    server.delete(&format!("{here}/qa")).await.ok();
    server.delete("/api/admin/environments/qa").await.ok();
    server.post("/api/admin/environments", qa).await.ok();
    server.post(here, json!({ "environment": "qa" })).await.ok();
    let project = server.app().serving().snapshot.projects["default"].clone();
    assert_eq!(
        project.environments["qa"],
        vexil_domain::ProjectEnvironment::default()
    );
}

#[actix_web::test]
async fn what_is_said_of_a_project_counts_when_it_is_made_and_when_it_is_edited() {
    let server = TestServer::new();
    let naming = json!({ "pattern": "[a-z]+", "example": "abc", "description": null });
    let body = json!({
        "id": "bank", "name": "Bank", "mode": "protected", "featureLimit": 5, "featureNaming": naming,
        "defaultStickiness": "sessionId",
    });
    let created = server.post("/api/admin/projects", body).await;
    assert_eq!(
        (created.status, &created.json()["mode"]),
        (201, &json!("protected"))
    );
    assert_eq!(created.json()["defaultStickiness"], "sessionId");
    let path = "/api/admin/projects/bank";
    let told = server.get(path).await.ok();
    assert_eq!(
        (
            &told["mode"],
            &told["featureLimit"],
            &told["featureNaming"]["pattern"]
        ),
        (&json!("protected"), &json!(5), &json!("[a-z]+"))
    );
    // what is not said stays, and a document may be sent back as it is
    server.put(path, json!({ "name": "Other" })).await.ok();
    let renamed = server.get(path).await.ok();
    assert_eq!(
        (&renamed["name"], &renamed["mode"]),
        (&json!("Other"), &json!("protected"))
    );
    server
        .put(
            path,
            json!({ "name": "Other", "mode": "open", "featureLimit": null }),
        )
        .await
        .ok();
    let opened = server.get(path).await.ok();
    assert_eq!(
        (&opened["mode"], &opened["featureLimit"]),
        (&json!("open"), &json!(null))
    );
    assert_eq!(opened["defaultStickiness"], "sessionId");
    for body in [
        json!({ "id": "x", "name": "X", "mode": "private" }),
        json!({ "id": "x", "name": "X", "featureLimit": -1 }),
        json!({ "id": "x", "name": "X", "featureNaming": { "pattern": "(" } }),
    ] {
        let answer = server.post("/api/admin/projects", body.clone()).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        let answer = server.put(path, body).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    let missing = server.get("/api/admin/projects/x").await;
    missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
}

/// Who sends these would believe that production is protected from now on.
#[actix_web::test]
async fn what_an_edit_of_a_project_does_not_change_is_refused_unless_it_is_so() {
    let server = TestServer::new();
    let shop = json!({ "id": "shop", "name": "Shop", "environments": ["development", "production"],
        "changeRequestEnvironments": [{ "name": "production", "requiredApprovals": 2 }] });
    server.post("/api/admin/projects", shop.clone()).await.ok();
    server.put("/api/admin/projects/shop", shop).await.ok();
    for (name, other, word) in [
        ("id", json!("bank"), "id of a project"),
        ("environments", json!(["development"]), "environments"),
        ("environments", json!([]), "environments"),
        (
            "changeRequestEnvironments",
            json!([{ "name": "development" }]),
            "change requests",
        ),
        (
            "changeRequestEnvironments",
            json!([{ "name": "prodction" }]),
            "change requests",
        ),
        (
            "changeRequestEnvironments",
            json!([{ "name": "production", "requiredApprovals": 3 }]),
            "change requests",
        ),
    ] {
        let body = json!({ "name": "Other", name: other });
        let refused = server.put("/api/admin/projects/shop", body).await;
        let refused = refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert!(refused.to_string().contains(word), "{name} {other}: {refused}");
    }
    let shown = server.get("/api/admin/projects/shop").await.ok();
    assert_eq!(shown["name"], "Shop");
}
