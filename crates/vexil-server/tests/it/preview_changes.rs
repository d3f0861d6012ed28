//! `POST /api/admin/playground/changes/diff`: what changes would do that nobody has proposed yet.

use serde_json::{Value, json};

use crate::support::{TestServer, places};

const DIFF: &str = "/api/admin/playground/changes/diff";
const FLAG: &str = "/api/admin/projects/default/features/checkout";

/// A server with a flag that is on in development for those in Norway; the id of its strategy.
async fn server() -> (TestServer, Value) {
    let server = TestServer::new();
    server
        .post(
            "/api/admin/projects/default/features",
            json!({ "name": "checkout" }),
        )
        .await
        .ok();
    let path = format!("{FLAG}/environments/development");
    let strategy = server
        .post(&format!("{path}/strategies"), strategy(&["NO"]))
        .await
        .ok();
    server.post(&format!("{path}/on"), json!({})).await.ok();
    (server, strategy["id"].clone())
}

fn strategy(countries: &[&str]) -> Value {
    json!({ "name": "default", "parameters": {},
            "constraints": [{ "contextName": "country", "operator": "IN", "values": countries }] })
}

fn question(changes: Value) -> Value {
    json!({ "project": "default", "environment": "development", "changes": changes,
            "context": { "appName": "a", "properties": { "country": "NO,SE,DK" } } })
}

fn widened(id: &Value) -> Value {
    let mut payload = strategy(&["NO", "SE"]);
    payload["id"] = id.clone();
    json!([{ "feature": "checkout", "action": "updateStrategy", "payload": payload }])
}

#[actix_web::test]
async fn what_a_change_would_do_is_told_before_anybody_proposes_it_and_nothing_is_kept() {
    let (server, id) = server().await;
    let before = server.get(FLAG).await.ok();
    let answer = server.post(DIFF, question(widened(&id))).await.ok();
    // of NO, SE and DK, Sweden alone comes in
    assert_eq!(answer["counts"]["offToOn"], 1);
    assert_eq!(answer["counts"]["unchanged"], 2);
    assert_eq!(
        answer["features"][0]["groups"][0]["when"],
        json!([{ "country": { "is": ["SE"] } }])
    );
    assert_eq!(answer["project"], "default");
    assert_eq!(server.get(FLAG).await.ok(), before);
    let pending = server
        .get("/api/admin/projects/default/change-requests")
        .await
        .ok();
    assert_eq!(pending, json!([]));
}

#[actix_web::test]
async fn it_says_the_same_as_the_change_request_that_proposes_it() {
    let (server, id) = server().await;
    let of_changes = server.post(DIFF, question(widened(&id))).await.ok();
    let path = "/api/admin/projects/default/environments/development/change-requests";
    let request = server.post(path, widened(&id)).await.ok();
    let request = if request.is_array() { &request[0] } else { &request };
    let path = format!("/api/admin/playground/change-request/{}/diff", request["id"]);
    let mut of_a_request = question(json!([]));
    let of_changes_alone = of_a_request.as_object_mut().unwrap();
    of_changes_alone.retain(|member, _| !["project", "environment", "changes"].contains(&member.as_str()));
    let of_request = server.post(&path, of_a_request).await.ok();
    for member in ["counts", "flags", "combinations"] {
        assert_eq!(of_changes[member], of_request[member], "{member}");
    }
}

#[actix_web::test]
async fn whom_it_would_touch_is_proven_before_anybody_proposes_it() {
    let (server, id) = server().await;
    let mut question = question(widened(&id));
    question["never"] = json!(["country=NO"]);
    question.as_object_mut().unwrap().remove("context");
    let answer = server
        .post("/api/admin/playground/changes/proof", question)
        .await
        .ok();
    assert_eq!(answer["complete"], true);
    assert_eq!(
        answer["flags"],
        json!({ "compared": 1, "changed": 1, "unaffected": 0 })
    );
    let group = &answer["features"][0]["groups"][0];
    assert_eq!(group["change"], "offToOn");
    assert_eq!(group["boxes"][0]["sentence"], "country is SE");
    assert_eq!(answer["guards"][0]["verdict"], "holds");
}

#[actix_web::test]
async fn a_cell_is_explained_on_both_sides() {
    let (server, id) = server().await;
    let mut question = question(widened(&id));
    question["flag"] = json!("checkout");
    question["context"]["properties"] = json!({ "country": "SE" });
    let answer = server.post(&format!("{DIFF}/explain"), question).await.ok();
    assert_eq!(answer["change"], "offToOn");
    assert_eq!(answer["before"]["enabled"], false);
    assert_eq!(answer["after"]["enabled"], true);
}

#[actix_web::test]
async fn every_fault_of_the_body_is_named_with_its_place() {
    let (server, _) = server().await;
    let answer = server
        .post(DIFF, json!({ "changes": [], "suggest": "yes" }))
        .await;
    assert_eq!(answer.status, 400);
    let refusal = answer.json();
    let paths = places(&refusal);
    for path in [
        "/body/project",
        "/body/environment",
        "/body/changes",
        "/body/suggest",
        "/body/context",
    ] {
        assert!(
            paths.iter().any(|found| found.starts_with(path)),
            "{path} in {paths:?}"
        );
    }
}

#[actix_web::test]
async fn a_change_that_cannot_be_made_is_refused_with_its_place() {
    let (server, _) = server().await;
    let changes = json!([
        { "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": true } },
        { "feature": "checkout", "action": "addStrategy", "payload": { "name": "flexibleRollout", "parameters": { "rollout": "101" } } },
    ]);
    let answer = server.post(DIFF, question(changes)).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text.contains("/body/changes/1/payload"), "{}", answer.text);
}

#[actix_web::test]
async fn a_place_that_is_not_there_is_not_found() {
    let (server, id) = server().await;
    for (member, name) in [("project", "none"), ("environment", "none")] {
        let mut question = question(widened(&id));
        question[member] = json!(name);
        assert_eq!(server.post(DIFF, question).await.status, 404, "{member}");
    }
}
