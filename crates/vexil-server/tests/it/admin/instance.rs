//! What the instance says of itself, and what constraints can be about.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{add_strategy, places, server_with};
use crate::support::TestServer;

#[actix_web::test]
async fn the_instance_tells_its_name_its_limits_and_who_asks() {
    let server = TestServer::new();
    let configuration = server.get("/api/admin/ui-config").await.ok();
    assert_eq!(configuration["name"], "Vexil");
    assert_eq!(configuration["resourceLimits"]["strategySegments"], 5);
    let user = server.get("/api/admin/user").await.ok();
    assert_eq!(user["user"]["username"], "admin-1");
    assert_eq!(user["permissions"], json!([{ "permission": "ADMIN" }]));
}

#[actix_web::test]
async fn context_fields_are_listed_with_their_uses() {
    let server = server_with("checkout").await;
    let constraint = |field: &str| json!({ "contextName": field, "operator": "IN", "values": ["a"] });
    let strategy = json!({ "name": "default", "constraints": [constraint("userId"), constraint("plan")] });
    let id = add_strategy(&server, "checkout", strategy).await;
    let fields = server.get("/api/admin/context").await.ok();
    let used: Vec<_> = fields
        .as_array()
        .unwrap()
        .iter()
        .map(|field| {
            (
                field["name"].as_str().unwrap(),
                field["usedInFeatures"].as_u64().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("appName", 0),
        ("currentTime", 0),
        ("environment", 0),
        ("remoteAddress", 0),
        ("sessionId", 0),
        ("userId", 1),
    ];
    assert_eq!(used, expected);
    assert_eq!(
        server.get("/api/admin/context/userId").await.ok()["name"],
        "userId"
    );
    server
        .get("/api/admin/context/USERID")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let uses = server.get("/api/admin/context/plan/strategies").await.ok();
    assert_eq!(uses["strategies"][0]["id"], json!(id));
    // a project can use the same, and has its own strategies
    server
        .post("/api/admin/projects", json!({ "id": "shop", "name": "Shop" }))
        .await
        .ok();
    let seen_from = async |project: &str, rest: &str| {
        server
            .get(&format!("/api/admin/projects/{project}/context/{rest}"))
            .await
    };
    for project in ["default", "shop"] {
        let field = seen_from(project, "userId").await.ok();
        assert_eq!(field, server.get("/api/admin/context/userId").await.ok());
    }
    assert_eq!(seen_from("default", "plan/strategies").await.ok(), uses);
    assert_eq!(
        seen_from("shop", "plan/strategies").await.ok(),
        json!({ "strategies": [] })
    );
    for (project, rest) in [
        ("default", "USERID"),
        ("nowhere", "userId"),
        ("nowhere", "plan/strategies"),
    ] {
        seen_from(project, rest)
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
}

#[actix_web::test]
async fn a_constraint_can_be_checked_before_it_is_used() {
    let server = TestServer::new();
    let path = "/api/admin/constraints/validate";
    let good = json!({ "contextName": "age", "operator": "NUM_EQ", "value": "1" });
    assert_eq!(server.post(path, good).await.status, 204);
    let refusal = server
        .post(
            path,
            json!({ "contextName": "age", "operator": "NUM_EQ", "value": "x" }),
        )
        .await;
    let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/value"]);
    let refusal = server
        .post(path, json!({}))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/body/contextName", "/body/operator"]);
}
