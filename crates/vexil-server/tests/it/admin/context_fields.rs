//! Context fields that people add, and the values that they may have.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, add_strategy, event_types, server_with, strategies_of};
use crate::support::TestServer;
use crate::users::person;

const FIELDS: &str = "/api/admin/context";
const OWN: &str = "/api/admin/projects/default/context";

fn among(values: &[&str]) -> Value {
    json!([{ "contextName": "country", "operator": "IN", "values": values }])
}

/// A field `country` that may be `NO` or `SE`.
async fn with_country() -> TestServer {
    let server = server_with("checkout").await;
    let body = json!({ "name": "country", "legalValues": [{ "value": "NO", "description": "Norway" }, { "value": "SE" }] });
    assert_eq!(server.post(FIELDS, body).await.status, 201);
    server
}

async fn names(server: &TestServer, path: &str) -> Vec<String> {
    let list = server.get(path).await.ok();
    let fields = list.as_array().unwrap().iter();
    fields
        .map(|field| field["name"].as_str().unwrap().to_owned())
        .collect()
}

#[actix_web::test]
async fn a_context_field_is_added_changed_and_removed() {
    let server = TestServer::new();
    let body = json!({
        "name": "plan", "description": "What is paid for", "stickiness": true, "sortOrder": 7,
        "legalValues": [{ "value": "free", "description": "nothing" }, { "value": "pro" }],
    });
    let created = server.post(FIELDS, body.clone()).await;
    assert_eq!(
        (created.status, created.header("location")),
        (201, Some("context/plan"))
    );
    let mut expected = body.clone();
    expected["createdAt"] = json!("2026-11-27T12:30:20.000Z");
    assert_eq!(created.json(), expected);
    let path = format!("{FIELDS}/plan");
    assert_eq!(server.get(&path).await.ok(), expected);
    let listed = server.get(FIELDS).await.ok();
    let mut items = listed.as_array().unwrap().iter();
    let listed = items.find(|field| field["name"] == "plan").unwrap();
    assert_eq!(listed["legalValues"], expected["legalValues"]);
    assert_eq!(
        (&listed["usedInProjects"], &listed["usedInFeatures"]),
        (&json!(0), &json!(0))
    );
    server
        .post(FIELDS, body)
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    let validate = format!("{FIELDS}/validate");
    server
        .post(&validate, json!({ "name": "plan" }))
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    assert_eq!(
        server.post(&validate, json!({ "name": "other" })).await.status,
        200
    );

    // what is not said is as if it were new, but for the description
    server.put(&path, json!({ "sortOrder": 2 })).await.ok();
    let field = server.get(&path).await.ok();
    assert_eq!(field["description"], "What is paid for");
    assert_eq!(
        (&field["stickiness"], &field["sortOrder"], &field["legalValues"]),
        (&json!(false), &json!(2), &json!([]))
    );
    let value = |value, description| json!({ "value": value, "description": description });
    let values = format!("{path}/legal-values");
    server.post(&values, value("a/b", "first")).await.ok();
    server.post(&values, value("a/b", "second")).await.ok();
    server.post(&values, json!({ "value": "c" })).await.ok();
    server.delete(&format!("{values}/c")).await.ok();
    server.delete(&format!("{values}/nope")).await.ok();
    assert_eq!(
        server.get(&path).await.ok()["legalValues"],
        json!([value("a/b", "second")])
    );
    server.delete(&format!("{values}/a%2Fb")).await.ok();
    assert_eq!(server.get(&path).await.ok()["legalValues"], json!([]));

    server.delete(&path).await.ok();
    server
        .get(&path)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    for answer in [
        server.put(&path, json!({})).await,
        server.delete(&path).await,
        server.post(&values, json!({ "value": "c" })).await,
        server.delete(&format!("{values}/c")).await,
    ] {
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    let told = event_types(&server).await;
    let told: Vec<&str> = told
        .iter()
        .map(String::as_str)
        .filter(|kind| kind.starts_with("context-field"))
        .collect();
    assert_eq!(told.first(), Some(&"context-field-created"));
    assert_eq!(told.last(), Some(&"context-field-deleted"));
    // the second description, and the value that was not there, are told or not there alike
    assert_eq!(told.len(), 8);
}

#[actix_web::test]
async fn what_is_wrong_with_a_context_field_is_told_and_nothing_is_kept() {
    let server = with_country().await;
    let long = "x".repeat(101);
    let faults = [
        json!({}),
        json!({ "name": "a b" }),
        json!({ "name": long }),
        json!({ "name": "x", "description": "d".repeat(251) }),
        json!({ "name": "x", "stickiness": "yes" }),
        json!({ "name": "x", "sortOrder": 1.5 }),
        json!({ "name": "x", "legalValues": null }),
        json!({ "name": "x", "legalValues": ["a"] }),
        json!({ "name": "x", "legalValues": [{ "value": "" }] }),
        json!({ "name": "x", "legalValues": [{ "value": long }] }),
        json!({ "name": "x", "legalValues": [{ "value": "a" }, { "value": "a" }] }),
        json!({ "name": "x", "legalValue": [] }),
        json!({ "name": "x", "legalValues": (0..1001).map(|i| json!({ "value": i.to_string() })).collect::<Vec<_>>() }),
    ];
    for body in faults {
        let answer = server.post(FIELDS, body).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    server
        .post(FIELDS, json!({ "name": "x", "project": "nope" }))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    for body in [json!({ "name": "other" }), json!({ "project": "default" })] {
        let answer = server.put(&format!("{FIELDS}/country"), body).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    assert_eq!(names(&server, FIELDS).await.len(), 7);
}

#[actix_web::test]
async fn fields_that_came_with_the_server_can_be_changed_and_not_removed() {
    let server = server_with("checkout").await;
    let path = format!("{FIELDS}/environment");
    let body = json!({ "description": "where", "legalValues": [{ "value": "production" }] });
    server.put(&path, body).await.ok();
    let field = server.get(&path).await.ok();
    assert_eq!(
        (&field["description"], &field["createdAt"]),
        (&json!("where"), &Value::Null)
    );
    assert_eq!(names(&server, FIELDS).await.len(), 6);
    let constraints = json!([{ "contextName": "environment", "operator": "IN", "values": ["prod"] }]);
    server
        .post(
            &strategies_of("checkout"),
            json!({ "name": "default", "constraints": constraints }),
        )
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    server
        .delete(&path)
        .await
        .refused(StatusCode::FORBIDDEN, "InvalidOperationError");
}

#[actix_web::test]
async fn a_field_that_live_flags_have_constraints_on_is_not_removed() {
    let server = with_country().await;
    add_strategy(
        &server,
        "checkout",
        json!({ "name": "default", "constraints": among(&["NO"]) }),
    )
    .await;
    let path = format!("{FIELDS}/country");
    server
        .delete(&path)
        .await
        .refused(StatusCode::CONFLICT, "ConflictError");
    server.delete(&format!("{FEATURES}/checkout")).await.ok();
    server.delete(&path).await.ok();
}

/// Every way to bring a constraint in.
#[actix_web::test]
async fn no_constraint_gets_in_that_compares_a_field_with_a_value_that_it_may_not_have() {
    let server = with_country().await;
    let strategy = |values: &[&str]| json!({ "name": "flexibleRollout", "parameters": {}, "constraints": among(values) });
    let id = add_strategy(&server, "checkout", strategy(&["NO", " SE "])).await;
    let one = format!("{}/{id}", strategies_of("checkout"));
    let segment = |values: &[&str]| json!({ "name": "nordic", "constraints": among(values) });
    server.post("/api/admin/segments", segment(&["NO"])).await.ok();
    let project = "/api/admin/projects/default";
    let change =
        |action: &str, payload: Value| json!({ "feature": "checkout", "action": action, "payload": payload });
    let requests = format!("{project}/environments/development/change-requests");
    let update =
        json!({ "id": id, "name": "flexibleRollout", "parameters": {}, "constraints": among(&["DK"]) });
    let patch =
        |values: &[&str]| json!([{ "op": "replace", "path": "/constraints", "value": among(values) }]);
    let doors = [
        (Method::POST, strategies_of("checkout"), strategy(&["NO", "DK"])),
        (Method::PUT, one.clone(), strategy(&["DK"])),
        (Method::PATCH, one.clone(), patch(&["DK"])),
        (
            Method::POST,
            "/api/admin/segments".to_owned(),
            json!({ "name": "s", "constraints": among(&["DK"]) }),
        ),
        (Method::PUT, "/api/admin/segments/1".to_owned(), segment(&["DK"])),
        (
            Method::POST,
            format!("{project}/environments/development/default-strategy"),
            strategy(&["DK"]),
        ),
        (
            Method::POST,
            requests.clone(),
            change("addStrategy", strategy(&["DK"])),
        ),
        (Method::POST, requests.clone(), change("updateStrategy", update)),
        (
            Method::POST,
            "/api/admin/constraints/validate".to_owned(),
            among(&["DK"])[0].clone(),
        ),
    ];
    for (method, path, body) in doors {
        let answer = server
            .call(crate::support::ADMIN, method.clone(), &path, Some(&body))
            .await;
        let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        let told = refusal["details"][0]["message"].as_str().unwrap().to_owned();
        assert!(
            told.starts_with("`DK` is not specified as a legal value"),
            "{method} {path}: {told}"
        );
    }
    let fine = server
        .post("/api/admin/constraints/validate", among(&["SE"])[0].clone())
        .await;
    assert_eq!(fine.status, 204);
    let request = server
        .post(&requests, change("addStrategy", strategy(&["SE"])))
        .await;
    request.ok();
}

#[actix_web::test]
async fn what_stood_before_a_field_was_narrowed_stays_and_can_be_switched() {
    let server = with_country().await;
    let strategy = json!({ "name": "flexibleRollout", "parameters": {}, "constraints": among(&["NO"]) });
    let id = add_strategy(&server, "checkout", strategy.clone()).await;
    server
        .post(
            "/api/admin/projects/default/environments/development/default-strategy",
            strategy,
        )
        .await
        .ok();
    server.post(FEATURES, json!({ "name": "banner" })).await.ok();
    server
        .put(
            &format!("{FIELDS}/country"),
            json!({ "legalValues": [{ "value": "FI" }] }),
        )
        .await
        .ok();
    let one = format!("{}/{id}", strategies_of("checkout"));
    server
        .patch(&one, json!([{ "op": "replace", "path": "/title", "value": "t" }]))
        .await
        .ok();
    for flag in ["checkout", "banner"] {
        let switch = format!("{FEATURES}/{flag}/environments/development");
        server.post(&format!("{switch}/on"), json!({})).await.ok();
        server.post(&format!("{switch}/off"), json!({})).await.ok();
    }
    let update = json!({ "name": "flexibleRollout", "parameters": {}, "constraints": among(&["SE"]) });
    server
        .put(&one, update)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn a_field_of_a_project_is_for_that_project_alone_and_goes_with_it() {
    let server = server_with("checkout").await;
    server
        .post("/api/admin/projects", json!({ "id": "bank", "name": "Bank" }))
        .await
        .ok();
    let bank = "/api/admin/projects/bank/context";
    let body = json!({ "name": "country", "legalValues": [{ "value": "NO" }] });
    let created = server.post(bank, body.clone()).await;
    assert_eq!(
        (created.status, &created.json()["project"]),
        (201, &json!("bank"))
    );
    server
        .post(FIELDS, body)
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    assert_eq!(names(&server, bank).await, ["country"]);
    assert_eq!(names(&server, &format!("{bank}?include=root")).await.len(), 7);
    assert_eq!(names(&server, OWN).await.len(), 0);
    assert_eq!(names(&server, FIELDS).await.len(), 6);
    assert_eq!(
        names(&server, &format!("{FIELDS}?include=project")).await.len(),
        7
    );
    server.get(&format!("{bank}/country")).await.ok();
    server.get(&format!("{bank}/userId")).await.ok();
    // another project neither sees nor changes it, and is not bound by it
    for answer in [
        server.get(&format!("{OWN}/country")).await,
        server.put(&format!("{OWN}/country"), json!({})).await,
        server.delete(&format!("{OWN}/country")).await,
        server.put(&format!("{bank}/userId"), json!({})).await,
    ] {
        answer.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    add_strategy(
        &server,
        "checkout",
        json!({ "name": "default", "constraints": among(&["DK"]) }),
    )
    .await;
    let flags = "/api/admin/projects/bank/features";
    server.post(flags, json!({ "name": "vault" })).await.ok();
    server
        .post(
            &format!("{flags}/vault/environments/development/strategies"),
            json!({ "name": "default", "constraints": among(&["DK"]) }),
        )
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    server.delete(&format!("{flags}/vault")).await.ok();
    server.delete("/api/admin/projects/bank").await.ok();
    server
        .get(&format!("{FIELDS}/country"))
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn context_fields_outlive_the_process_and_are_the_same_on_every_server() {
    let server = with_country().await;
    let path = format!("{FIELDS}/country");
    let field = server.get(&path).await.ok();
    assert_eq!(server.another().get(&path).await.ok(), field);
}

#[actix_web::test]
async fn whoever_may_not_change_context_fields_changes_none() {
    let server = with_country().await;
    let viewer = person(&server, "vi", "Viewer").await.token;
    let path = format!("{FIELDS}/country");
    let own = format!("{OWN}/mine");
    server.post(OWN, json!({ "name": "mine" })).await.ok();
    let tries = [
        (Method::POST, FIELDS.to_owned(), json!({ "name": "x" })),
        (Method::PUT, path.clone(), json!({})),
        (Method::DELETE, path.clone(), Value::Null),
        (
            Method::POST,
            format!("{path}/legal-values"),
            json!({ "value": "x" }),
        ),
        (Method::DELETE, format!("{path}/legal-values/NO"), Value::Null),
        (Method::POST, OWN.to_owned(), json!({ "name": "x" })),
        (Method::PUT, own.clone(), json!({})),
        (
            Method::POST,
            format!("{own}/legal-values"),
            json!({ "value": "x" }),
        ),
        (Method::DELETE, own, Value::Null),
    ];
    for (method, path, body) in tries {
        let answer = server.call(&viewer, method, &path, Some(&body)).await;
        answer.refused(StatusCode::FORBIDDEN, "PermissionError");
    }
    assert_eq!(names(&server, FIELDS).await.len(), 7);
}
