//! `POST /api/admin/playground/advanced` and `POST /api/admin/playground`, in Unleash's shapes.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use super::{Playground, everybody, feature, keys};
use crate::support::places;

async fn advanced(playground: &Playground, body: Value) -> Value {
    playground
        .server
        .post("/api/admin/playground/advanced", body)
        .await
        .ok()
}

#[actix_web::test]
async fn several_environments_are_evaluated_in_the_order_of_the_request() {
    let playground = Playground::new();
    playground.flag_with("f", &[everybody(json!([]))]).await;
    let environments = json!(["production", "development", "nope", "production"]);
    let body =
        json!({ "environments": environments, "context": { "appName": "a", "userId": "1,2" }, "more": 1 });
    let answer = advanced(&playground, body.clone()).await;
    assert_eq!(answer["input"], body);
    let shown = feature(&answer, "f");
    assert_eq!(keys(shown), ["environments", "name", "projectId"]);
    let order: Vec<_> = shown["environments"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(order, ["production", "development", "nope"]);
    let entries = |environment: &str| shown["environments"][environment].as_array().unwrap().clone();
    assert_eq!(
        (
            entries("production").len(),
            entries("development").len(),
            entries("nope").len()
        ),
        (4, 2, 2)
    );
    assert_eq!(entries("development")[0]["isEnabled"], true);
    let nope = &entries("nope")[0];
    assert_eq!(
        (&nope["isEnabled"], &nope["isEnabledInCurrentEnvironment"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(nope["strategies"], json!({ "result": false, "data": [] }));
    let result = &entries("development")[0]["strategies"]["data"][0]["result"];
    assert_eq!(
        *result,
        json!({ "enabled": true, "evaluationStatus": "complete" })
    );
}

#[actix_web::test]
async fn projects_choose_the_flags() {
    let playground = Playground::new();
    playground.flag("f").await;
    for (projects, flags) in [
        (json!("*"), 1),
        (json!(["default", "nope"]), 1),
        (json!(["nope"]), 0),
        (json!([]), 0),
        (json!(["*"]), 0),
    ] {
        let body =
            json!({ "environments": ["development"], "projects": projects, "context": { "appName": "a" } });
        assert_eq!(
            advanced(&playground, body).await["features"]
                .as_array()
                .unwrap()
                .len(),
            flags,
            "{projects}"
        );
    }
}

#[actix_web::test]
async fn scalars_are_taken_as_text_where_unleash_does() {
    let playground = Playground::new();
    let five = json!([{ "contextName": "userId", "operator": "IN", "values": ["5"] }]);
    playground
        .flag_with("f", &[json!({ "name": "default", "constraints": five })])
        .await;
    let context = json!({ "appName": true, "userId": 5, "level": 5, "properties": { "n": 1 } });
    let body = json!({ "environments": ["development"], "context": context });
    let answer = advanced(&playground, body).await;
    let understood = json!({ "appName": "true", "userId": "5", "level": 5, "properties": { "n": "1" } });
    assert_eq!(answer["input"]["context"], understood);
    assert_eq!(
        answer["warnings"],
        json!({ "invalidContextProperties": ["level"] })
    );
    let entry = &feature(&answer, "f")["environments"]["development"][0];
    assert_eq!(entry["isEnabled"], true);
    assert_eq!(
        entry["context"],
        json!({ "userId": "5", "n": "1", "appName": "true" })
    );
}

#[actix_web::test]
async fn faults_of_an_advanced_question_are_listed_with_their_places() {
    let playground = Playground::new();
    for (body, expected) in [
        (json!({}), vec!["/body/environments", "/body/context"]),
        (
            json!({ "environments": [], "context": {} }),
            vec!["/body/environments", "/body/context/appName"],
        ),
        (
            json!({ "environments": ["a b"], "context": { "appName": "a" } }),
            vec!["/body/environments/0"],
        ),
        (
            json!({ "environments": "development", "context": { "appName": "a" } }),
            vec!["/body/environments"],
        ),
        (
            json!({ "environments": ["d"], "projects": "default", "context": { "appName": "a" } }),
            vec!["/body/projects"],
        ),
        (
            json!({ "environments": ["d"], "context": { "appName": "a", "userId": {} } }),
            vec!["/body/context/userId"],
        ),
    ] {
        let answer = playground
            .server
            .post("/api/admin/playground/advanced", body.clone())
            .await;
        let error = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&error), expected, "{body}");
    }
}

#[actix_web::test]
async fn the_simple_question_splits_nothing_and_groups_nothing() {
    let playground = Playground::new();
    let both = json!([{ "contextName": "userId", "operator": "IN", "values": ["1,2"] }]);
    playground
        .flag_with("f", &[json!({ "name": "default", "constraints": both })])
        .await;
    let body = json!({ "environment": "development", "projects": ["default"], "context": { "appName": "a", "userId": "1,2" } });
    let answer = playground
        .server
        .post("/api/admin/playground", body.clone())
        .await
        .ok();
    assert_eq!(keys(&answer), ["features", "input"]);
    assert_eq!(answer["input"], body);
    let entry = feature(&answer, "f");
    let fields = [
        "hasUnsatisfiedDependency",
        "isEnabled",
        "isEnabledInCurrentEnvironment",
        "name",
        "projectId",
        "strategies",
        "variant",
        "variants",
    ];
    assert_eq!(keys(entry), fields);
    assert_eq!(entry["isEnabled"], true);
}

#[actix_web::test]
async fn a_listed_disabled_variant_is_read_as_unleash_does_in_its_form_and_as_the_sdks_do_otherwise() {
    let playground = Playground::new();
    let never = everybody(json!([{ "contextName": "userId", "operator": "IN", "values": ["nobody"] }]));
    playground.flag_with("parent", &[never]).await;
    playground.flag_with("child", &[everybody(json!([]))]).await;
    let dependency = json!({ "feature": "parent", "variants": ["disabled"] });
    playground
        .server
        .post(
            "/api/admin/projects/default/features/child/dependencies",
            dependency,
        )
        .await
        .ok();
    let body = json!({ "environments": ["development"], "context": { "appName": "a", "userId": "u" } });
    for (form, satisfied) in [("object", true), ("documented", false)] {
        let path = format!("/api/admin/playground/advanced?strategyResult={form}");
        let answer = playground.server.post(&path, body.clone()).await.ok();
        let entry = &feature(&answer, "child")["environments"]["development"][0];
        assert_eq!(
            (&entry["hasUnsatisfiedDependency"], &entry["isEnabled"]),
            (&json!(!satisfied), &json!(satisfied)),
            "{form}"
        );
    }
}
