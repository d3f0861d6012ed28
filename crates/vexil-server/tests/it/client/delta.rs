//! `GET /api/client/delta`: what has changed since an SDK last asked.

use super::*;
use vexil_client_api::{Features, read_delta, read_features};
use vexil_domain::EnvironmentSnapshot;

pub const DELTA: &str = "/api/client/delta";

/// The events since a state, and the state that they lead to; `None` where nothing has changed.
async fn ask(server: &TestServer, token: &str, query: &str, known: &str) -> Option<(Value, String)> {
    let mut headers = vec![("authorization", token)];
    if !known.is_empty() {
        headers.push(("if-none-match", known));
    }
    let answer = server
        .send(Method::GET, &format!("{DELTA}{query}"), &headers, "")
        .await;
    let tag = answer.header("etag").unwrap().to_owned();
    if answer.status == 304 {
        assert_eq!(tag, known);
        return None;
    }
    Some((answer.ok()["events"].clone(), tag))
}

fn kinds(events: &Value) -> Vec<String> {
    let named = |event: &Value| {
        let name = event["feature"]["name"]
            .as_str()
            .or(event["featureName"].as_str());
        let id = event["segment"]["id"].as_i64().or(event["segmentId"].as_i64());
        let what = name.map(str::to_owned).or(id.map(|id| id.to_string()));
        format!("{} {}", event["type"].as_str().unwrap(), what.unwrap_or_default())
    };
    events.as_array().unwrap().iter().map(named).collect()
}

#[actix_web::test]
async fn an_sdk_is_told_everything_once_and_then_what_changes() {
    let server = TestServer::new();
    put_segment(&server, 1, "userId", &["a"]);
    put_flag(&server, "kept", |flag| on(flag, vec![]));
    let (events, first) = ask(&server, CLIENT, "", "").await.unwrap();
    assert_eq!(kinds(&events), ["hydration "]);
    assert_eq!(events[0]["features"][0]["name"], "kept");
    assert_eq!(events[0]["segments"], json!([]));
    assert_eq!(ask(&server, CLIENT, "", &first).await, None);

    put_flag(&server, "new", |flag| {
        let mut strategy = ActivationStrategy::new("s", "default");
        strategy.segments = vec![SegmentId(1)];
        on(flag, vec![strategy]);
    });
    let (events, second) = ask(&server, CLIENT, "", &first).await.unwrap();
    assert_eq!(kinds(&events), ["segment-updated 1", "feature-updated new"]);
    assert!(events[0]["eventId"].as_u64().unwrap() > 0);

    edit(&server, |tx| drop(tx.snapshot.flags.remove("new")));
    put_flag(&server, "kept", |flag| {
        on(flag, vec![for_values("userId", &["b"])])
    });
    let (events, third) = ask(&server, CLIENT, "", &second).await.unwrap();
    assert_eq!(
        kinds(&events),
        ["feature-updated kept", "feature-removed new", "segment-removed 1"]
    );
    assert_eq!(events[1]["project"], "default");
    // who missed a step gets the same end; to take away what one never had does no harm
    let (events, tag) = ask(&server, CLIENT, "", &first).await.unwrap();
    assert_eq!(tag, third);
    assert_eq!(
        kinds(&events),
        ["feature-updated kept", "feature-removed new", "segment-removed 1"]
    );
}

#[actix_web::test]
async fn a_state_that_is_not_known_is_answered_with_everything() {
    let server = TestServer::new();
    put_flag(&server, "f", |_| {});
    let (_, tag) = ask(&server, CLIENT, "", "").await.unwrap();
    let (_, other) = ask(&server, PRODUCTION_CLIENT, "", "").await.unwrap();
    let ahead = tag.replace(":v1", "7:v1");
    for unknown in ["\"0\"", "nonsense", "W/\"x:1:v1\"", &other, &ahead, "\"\u{e9}\""] {
        let (events, _) = ask(&server, CLIENT, "", unknown).await.unwrap();
        assert_eq!(kinds(&events), ["hydration "], "{unknown}");
    }
    // another server on the same database knows what is now, and not what was before it started
    let another = server.another();
    assert_eq!(ask(&another, CLIENT, "", &tag).await, None);
    put_flag(&server, "g", |_| {});
    another.app().follow().unwrap();
    let (events, _) = ask(&another, CLIENT, "", &tag).await.unwrap();
    assert_eq!(kinds(&events), ["feature-updated g"]);
    let late = server.another();
    let (events, _) = ask(&late, CLIENT, "", &tag).await.unwrap();
    assert_eq!(kinds(&events), ["hydration "]);
}

#[actix_web::test]
async fn a_server_that_is_behind_catches_up_rather_than_going_back() {
    let server = TestServer::new();
    let behind = server.another();
    put_flag(&server, "f", |_| {});
    let (_, tag) = ask(&server, CLIENT, "", "").await.unwrap();
    assert_eq!(ask(&behind, CLIENT, "", &tag).await, None);
}

#[actix_web::test]
async fn changes_name_nothing_that_a_token_may_not_see() {
    let server = TestServer::new();
    let project = json!({ "id": "other", "name": "Other" });
    server.post("/api/admin/projects", project).await.ok();
    put_segment(&server, 1, "userId", &["secret-value"]);
    let theirs = |flag: &mut vexil_domain::FeatureFlag| {
        flag.project = "other".into();
        let mut strategy = ActivationStrategy::new("s", "default");
        strategy.segments = vec![SegmentId(1)];
        on(flag, vec![strategy]);
    };
    put_flag(&server, "mine", |_| {});
    let (_, tag) = ask(&server, CLIENT, "", "").await.unwrap();
    put_flag(&server, "theirs", theirs);
    put_segment(&server, 1, "userId", &["another-value"]);
    edit(&server, |tx| drop(tx.snapshot.flags.remove("theirs")));
    let (events, _) = ask(&server, CLIENT, "", &tag).await.unwrap();
    assert_eq!(events, json!([]));
    // a flag that moves away is removed, by the project that it was in
    let (_, tag) = ask(&server, CLIENT, "", &tag).await.unwrap_or((Value::Null, tag));
    put_flag(&server, "mine", theirs);
    let (events, _) = ask(&server, CLIENT, "", &tag).await.unwrap();
    assert_eq!(kinds(&events), ["feature-removed mine"]);
    assert_eq!(events[0]["project"], "default");
}

#[actix_web::test]
async fn a_query_narrows_changes_as_it_narrows_the_document() {
    let server = TestServer::new();
    put_flag(&server, "a-1", |_| {});
    let (_, tag) = ask(&server, CLIENT, "?namePrefix=a-", "").await.unwrap();
    put_flag(&server, "b-1", |_| {});
    put_flag(&server, "a-2", |_| {});
    let (events, _) = ask(&server, CLIENT, "?namePrefix=a-", &tag).await.unwrap();
    assert_eq!(kinds(&events), ["feature-updated a-2"]);
    let (events, _) = ask(&server, CLIENT, "", &tag).await.unwrap();
    assert_eq!(kinds(&events), ["hydration "]);
}

/// What an SDK has built, as far as flags and segments go.
async fn whole(server: &TestServer) -> EnvironmentSnapshot {
    let text = get(server, FEATURES, &[("unleash-client-spec", "5.2.0")])
        .await
        .text;
    let Features { snapshot, .. } = read_features(text.as_bytes()).unwrap();
    snapshot
}

#[actix_web::test]
async fn edits_of_the_administration_api_reach_an_sdk_that_reads_changes() {
    let server = TestServer::new();
    let features = "/api/admin/projects/default/features";
    let mut client = EnvironmentSnapshot::default();
    let mut tag = String::new();
    for step in 0..6 {
        match step {
            0 => server.post(features, json!({ "name": "f" })).await.ok(),
            1 => server
                .post(&format!("{features}/f/environments/development/on"), json!({}))
                .await
                .ok(),
            2 => server
                .post("/api/admin/segments", json!({ "name": "s", "constraints": [] }))
                .await
                .ok(),
            3 => {
                let strategy = json!({ "name": "default", "segments": [1] });
                server
                    .post(
                        &format!("{features}/f/environments/development/strategies"),
                        strategy,
                    )
                    .await
                    .ok()
            }
            4 => server
                .post(&format!("{features}/f/environments/production/on"), json!({}))
                .await
                .ok(),
            _ => server.delete(&format!("{features}/f")).await.ok(),
        };
        if let Some((events, next)) = ask(&server, CLIENT, "", &tag).await {
            tag = next;
            let text = json!({ "events": events }).to_string();
            read_delta(text.as_bytes()).unwrap().apply(&mut client);
        }
        assert_eq!(client, whole(&server).await, "step {step}");
    }
    assert!(client.flags.is_empty() && client.segments.is_empty());
}
