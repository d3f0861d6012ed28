//! Maintenance: nothing is changed through the administration API while it is on.

use actix_web::http::{Method, StatusCode};
use serde_json::json;
use vexil_server::all_routes;

use super::{FEATURES, event_types, server_with};
use crate::support::{ADMIN, CLIENT, places};
use crate::users::person;

const MAINTENANCE: &str = "/api/admin/maintenance";

#[actix_web::test]
async fn in_maintenance_every_route_that_writes_is_refused_and_all_that_read_go_on() {
    let server = server_with("f").await;
    let viewer = person(&server, "vic", "Viewer").await;
    for _ in 0..2 {
        let answer = server.post(MAINTENANCE, json!({ "enabled": true })).await;
        assert_eq!(answer.status, 204);
    }
    // whoever may not switch it is told so, and where it is on
    let off = json!({ "enabled": false });
    let by_viewer = server.call(&viewer.token, Method::POST, MAINTENANCE, Some(&off));
    by_viewer.await.refused(StatusCode::FORBIDDEN, "PermissionError");
    for node in [&server, &server.another()] {
        assert_eq!(node.get(MAINTENANCE).await.ok(), json!({ "enabled": true }));
        assert_eq!(
            node.get("/api/admin/ui-config").await.ok()["maintenanceMode"],
            true
        );
    }
    let before = event_types(&server).await;
    let mut refused = 0;
    for route in all_routes() {
        if !route.path.starts_with("/api/admin")
            || route.path == MAINTENANCE
            || route.path.ends_with("/stream")
        {
            continue;
        }
        let path = route
            .path
            .replace("{project}", "default")
            .replace("{feature}", "f");
        let path = path.replace("{id}", "1").replace('{', "no-").replace('}', "");
        let body = json!({});
        let reads = route.method == Method::GET;
        let answer = server
            .call(ADMIN, route.method.clone(), &path, (!reads).then_some(&body))
            .await;
        let is_question = route.path.starts_with("/api/admin/playground");
        let name = format!("{} {}: {}", route.method, route.path, answer.text);
        assert_eq!(answer.status == 503, !reads && !is_question, "{name}");
        if answer.status == 503 {
            answer.refused(StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailableError");
            refused += 1;
        }
    }
    assert!(refused > 100, "{refused}");
    assert_eq!(event_types(&server).await, before, "nothing was changed");
    // SDKs go on
    let report = json!({ "appName": "web", "bucket": {
        "start": "2026-11-27T12:29:00Z", "stop": "2026-11-27T12:30:00Z", "toggles": { "f": { "yes": 1, "no": 0 } } } });
    let sent = server.call(CLIENT, Method::POST, "/api/client/metrics", Some(&report));
    assert_eq!(sent.await.status, 202);
    server
        .call(CLIENT, Method::GET, "/api/client/features", None)
        .await
        .ok();
    assert_eq!(
        server.post(MAINTENANCE, json!({ "enabled": false })).await.status,
        204
    );
    server.post(FEATURES, json!({ "name": "g" })).await.ok();
    assert_eq!(
        event_types(&server).await[before.len()..],
        ["setting-updated", "feature-created"]
    );
}

#[actix_web::test]
async fn whether_maintenance_is_on_is_yes_or_no() {
    let server = server_with("f").await;
    for body in [json!({}), json!({ "enabled": "yes" }), json!({ "enabled": null })] {
        let refusal = server.post(MAINTENANCE, body).await;
        let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), ["/body/enabled"]);
    }
    assert_eq!(server.get(MAINTENANCE).await.ok(), json!({ "enabled": false }));
}
