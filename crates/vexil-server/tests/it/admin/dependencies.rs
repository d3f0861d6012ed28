//! Dependencies of flags on other flags.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{FEATURES, event_types, places, server_with};
use crate::support::TestServer;

async fn with_flags() -> TestServer {
    let server = server_with("child").await;
    for name in ["parent", "third"] {
        server.post(FEATURES, json!({ "name": name })).await.ok();
    }
    server
}

const CHILD: &str = "/api/admin/projects/default/features/child/dependencies";

#[actix_web::test]
async fn a_dependency_shows_on_both_sides_until_it_is_removed() {
    let server = with_flags().await;
    assert_eq!(
        server.get("/api/admin/projects/default/dependencies").await.ok(),
        json!(false)
    );
    assert_eq!(
        server
            .post(CHILD, json!({ "feature": "parent", "variants": ["blue"] }))
            .await
            .status,
        200
    );
    assert_eq!(
        server.get("/api/admin/projects/default/dependencies").await.ok(),
        json!(true)
    );
    let child = server.get(&format!("{FEATURES}/child")).await.ok();
    assert_eq!(
        child["dependencies"],
        json!([{ "feature": "parent", "enabled": true, "variants": ["blue"] }])
    );
    assert_eq!(
        server.get(&format!("{FEATURES}/parent")).await.ok()["children"],
        json!(["child"])
    );
    assert_eq!(
        event_types(&server).await.last().unwrap(),
        "feature-dependency-added"
    );

    assert_eq!(server.delete(&format!("{CHILD}/parent")).await.status, 200);
    assert_eq!(
        server.get(&format!("{FEATURES}/child")).await.ok()["dependencies"],
        json!([])
    );
    assert_eq!(
        event_types(&server).await.last().unwrap(),
        "feature-dependencies-removed"
    );
    server
        .delete(&format!("{CHILD}/parent"))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    server
        .delete(CHILD)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn another_parent_takes_the_place_of_the_first() {
    let server = with_flags().await;
    server.post(CHILD, json!({ "feature": "parent" })).await.ok();
    server
        .post(
            CHILD,
            json!({ "feature": "third", "enabled": false, "variants": ["x"] }),
        )
        .await
        .ok();
    let child = server.get(&format!("{FEATURES}/child")).await.ok();
    assert_eq!(
        child["dependencies"],
        json!([{ "feature": "third", "enabled": false, "variants": [] }])
    );
    assert_eq!(server.delete(CHILD).await.status, 200);
}

#[actix_web::test]
async fn a_dependency_that_makes_no_sense_is_refused() {
    let server = with_flags().await;
    server.post(FEATURES, json!({ "name": "gone" })).await.ok();
    server.delete(&format!("{FEATURES}/gone")).await.ok();
    for parent in ["child", "nope", "gone"] {
        let refused = server.post(CHILD, json!({ "feature": parent })).await;
        refused.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    }
    server.post(CHILD, json!({ "feature": "parent" })).await.ok();
    let chain = server
        .post(
            &format!("{FEATURES}/third/dependencies"),
            json!({ "feature": "child" }),
        )
        .await;
    chain.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    let chain = server
        .post(
            &format!("{FEATURES}/parent/dependencies"),
            json!({ "feature": "third" }),
        )
        .await;
    chain.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    let missing = server
        .post(
            &format!("{FEATURES}/nope/dependencies"),
            json!({ "feature": "parent" }),
        )
        .await;
    missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
    let refusal = server
        .post(CHILD, json!({ "enabled": "x", "variants": "y" }))
        .await;
    let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(
        places(&refusal),
        ["/body/feature", "/body/enabled", "/body/variants"]
    );
}

#[actix_web::test]
async fn the_flags_that_could_be_parents_are_offered_with_their_variants() {
    let server = with_flags().await;
    assert_eq!(
        server.get(&format!("{FEATURES}/child/parents")).await.ok(),
        json!(["parent", "third"])
    );
    server.post(CHILD, json!({ "feature": "parent" })).await.ok();
    assert_eq!(
        server.get(&format!("{FEATURES}/third/parents")).await.ok(),
        json!(["parent"])
    );
    assert_eq!(
        server.get(&format!("{FEATURES}/parent/parents")).await.ok(),
        json!([])
    );
    assert_eq!(server.get(&format!("{FEATURES}/nope/parents")).await.status, 404);
    let variant = |name: &str| json!({ "name": name, "weight": 500, "weightType": "variable", "stickiness": "default" });
    let strategy = json!({ "name": "flexibleRollout", "variants": [variant("red"), variant("blue")] });
    server
        .post(
            &format!("{FEATURES}/parent/environments/production/strategies"),
            strategy,
        )
        .await
        .ok();
    let variants = server
        .get(&format!("{FEATURES}/parent/parent-variants"))
        .await
        .ok();
    assert_eq!(variants, json!(["blue", "red"]));
    assert_eq!(
        server
            .get(&format!("{FEATURES}/nope/parent-variants"))
            .await
            .status,
        404
    );
}
