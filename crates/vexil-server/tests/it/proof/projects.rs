//! The projects of two sides that are compared.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{server, state};

/// A project that nothing knows is never taken for one without flags, of which all would be proven.
#[actix_web::test]
async fn each_side_may_name_its_project_and_one_that_is_unknown_is_refused() {
    let (server, _) = server().await;
    let path = "/api/admin/playground/proof";
    let side = |project: &str| json!({ "environment": "development", "project": project });
    let given = json!({ "state": state(&["NO"]), "project": "shop" });
    for (before, after, both, status) in [
        (side("default"), side("default"), Value::Null, StatusCode::OK),
        (side("default"), given.clone(), Value::Null, StatusCode::OK),
        (side("default"), side("default"), json!("default"), StatusCode::OK),
        (
            side("default"),
            side("nowhere"),
            Value::Null,
            StatusCode::NOT_FOUND,
        ),
        (side("shop"), given.clone(), Value::Null, StatusCode::OK),
        (side("shop"), side("default"), Value::Null, StatusCode::NOT_FOUND),
        (
            side("default"),
            given.clone(),
            json!("default"),
            StatusCode::BAD_REQUEST,
        ),
        (side(""), side("default"), Value::Null, StatusCode::BAD_REQUEST),
        (
            json!({ "environment": "development" }),
            json!({ "environment": "production" }),
            json!("nowhere"),
            StatusCode::NOT_FOUND,
        ),
    ] {
        let mut question = json!({ "before": before, "after": after });
        if !both.is_null() {
            question["project"] = both;
        }
        let answer = server.post(path, question.clone()).await;
        assert_eq!(answer.status, status, "{question} {:#}", answer.text);
    }
    let question = json!({ "before": side("default"), "after": given });
    let proof = server.post(path, question).await.ok();
    assert_eq!(proof["project"], Value::Null);
    assert_eq!(proof["before"]["project"], json!("default"));
    assert_eq!(
        proof["after"],
        json!({ "environment": "production", "project": "shop" })
    );
}
