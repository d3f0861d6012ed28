//! How long flags are expected to live, and what is told of those that have become older.

use actix_web::http::StatusCode;
use serde_json::{Value, json};
use time::Duration;
use vexil_service::operations::lifetimes::mark_aged;

use super::{FEATURES, event_types, server_with};
use crate::support::{START, TestServer, places};
use crate::users::person;

const TYPES: &str = "/api/admin/feature-types";
const RELEASE: &str = "/api/admin/feature-types/release/lifetime";

/// The lifetimes of all types, in their order.
async fn lifetimes(server: &TestServer) -> Vec<(String, Value)> {
    let listed = server.get(TYPES).await.ok();
    assert_eq!(listed["version"], 1);
    let types = listed["types"].as_array().unwrap().iter();
    types
        .map(|kind| {
            (
                kind["id"].as_str().unwrap().to_owned(),
                kind["lifetimeDays"].clone(),
            )
        })
        .collect()
}

/// Sets how long release flags live, and looks at once which are older.
async fn release_flags_live(server: &TestServer, days: Value) {
    server.put(RELEASE, json!({ "lifetimeDays": days })).await.ok();
    mark_aged(server.app()).unwrap();
}

/// The kinds of the events about flags that are potentially stale, the oldest first, and of which flags they tell.
async fn told(server: &TestServer) -> Vec<(String, String)> {
    let events = server.get("/api/admin/search/events?limit=1000").await.ok();
    let events = events["events"].as_array().unwrap().iter();
    let marks = events.filter(|event| event["type"].as_str().unwrap().contains("potentially"));
    let marks = marks.map(|event| {
        assert_eq!(
            (&event["createdBy"], &event["project"]),
            (&json!("system"), &json!("default"))
        );
        assert_eq!((&event["data"], &event["preData"]), (&Value::Null, &Value::Null));
        let text = |key: &str| event[key].as_str().unwrap().to_owned();
        (text("type"), text("featureName"))
    });
    marks.rev().collect()
}

#[actix_web::test]
async fn how_long_flags_of_a_type_are_expected_to_live_is_set_and_told() {
    let server = TestServer::new();
    let expected = [
        ("release", json!(40)),
        ("experiment", json!(40)),
        ("operational", json!(7)),
        ("kill-switch", Value::Null),
        ("permission", Value::Null),
        ("sunset", json!(90)),
    ];
    let expected: Vec<(String, Value)> = expected.map(|(id, days)| (id.to_owned(), days)).into();
    assert_eq!(lifetimes(&server).await, expected);
    for (sent, kept) in [
        (json!(3), json!(3)),
        (json!(0), Value::Null),
        (Value::Null, Value::Null),
        (json!("7"), json!(7)),
        (json!(2_147_483_647), json!(2_147_483_647)),
    ] {
        let answer = server.put(RELEASE, json!({ "lifetimeDays": sent })).await.ok();
        let description = &server.get(TYPES).await.ok()["types"][0]["description"];
        let whole =
            json!({ "id": "release", "name": "Release", "description": description, "lifetimeDays": kept });
        assert_eq!(answer, whole, "{sent}");
        assert_eq!(lifetimes(&server).await[0].1, kept, "{sent}");
        // what was told may be sent back
        assert_eq!(server.put(RELEASE, answer.clone()).await.ok(), answer);
    }
    let events = server
        .get("/api/admin/search/events?type=IS:feature-type-updated")
        .await
        .ok();
    // neither 0 after `null` nor what was there already is an edit
    assert_eq!(events["total"], 4);
    let last = &events["events"][0];
    assert_eq!(
        (&last["preData"]["lifetimeDays"], &last["data"]["lifetimeDays"]),
        (&json!(7), &json!(2_147_483_647))
    );
    assert_eq!(
        (&last["data"]["id"], &last["featureName"]),
        (&json!("release"), &Value::Null)
    );
    assert!(!event_types(&server).await.contains(&"setting-updated".to_owned()));
}

#[actix_web::test]
async fn what_is_no_lifetime_is_refused_with_its_place() {
    let server = TestServer::new();
    for (body, place) in [
        (json!({}), "/body/lifetimeDays"),
        (json!({ "lifetimeDays": "x" }), "/body/lifetimeDays"),
        (json!({ "lifetimeDays": 1.5 }), "/body/lifetimeDays"),
        (json!({ "lifetimeDays": -1 }), "/body/lifetimeDays"),
        (json!({ "lifetimeDays": 2_147_483_648_u64 }), "/body/lifetimeDays"),
        (json!({ "lifetimeDays": 7, "lifetime": 7 }), "/body/lifetime"),
        (json!([]), "/body"),
    ] {
        let refusal = server.put(RELEASE, body.clone()).await;
        let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refusal), [place], "{body}");
    }
    let unknown = server
        .put(&format!("{TYPES}/nope/lifetime"), json!({ "lifetimeDays": 7 }))
        .await;
    let refusal = unknown.refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(
        refusal["message"],
        "The feature type you tried to update (\"nope\") does not exist."
    );
    let editor = person(&server, "ed", "Editor").await.token;
    let body = json!({ "lifetimeDays": 7 });
    server
        .call(&editor, actix_web::http::Method::PUT, RELEASE, Some(&body))
        .await
        .refused(StatusCode::FORBIDDEN, "PermissionError");
    assert_eq!(lifetimes(&server).await[0].1, 40);
}

#[actix_web::test]
async fn a_flag_that_is_older_than_its_type_allows_is_potentially_stale_wherever_that_is_told() {
    let server = server_with("old").await;
    for (name, kind) in [("said", "release"), ("gone", "release"), ("kept", "kill-switch")] {
        server
            .post(FEATURES, json!({ "name": name, "type": kind }))
            .await
            .ok();
    }
    let stale = json!({ "features": ["said"], "stale": true });
    server.post("/api/admin/projects/default/stale", stale).await.ok();
    server.delete(&format!("{FEATURES}/gone")).await.ok();
    server.set_time(START + Duration::days(40) - Duration::SECOND);
    server.post(FEATURES, json!({ "name": "young" })).await.ok();
    mark_aged(server.app()).unwrap();
    assert_eq!(told(&server).await, []);
    server.set_time(START + Duration::days(40));
    mark_aged(server.app()).unwrap();
    mark_aged(server.app()).unwrap();
    let on = |name: &str| ("feature-potentially-stale-on".to_owned(), name.to_owned());
    let off = |name: &str| ("feature-potentially-stale-off".to_owned(), name.to_owned());
    assert_eq!(told(&server).await, [on("old")]);

    // `old`, `kept` and `young` are not stale, one of them potentially; `said` is
    let project = "/api/admin/projects/default";
    let report = server.get(&format!("{project}/health-report")).await.ok();
    let counts =
        |told: &Value| ["activeCount", "potentiallyStaleCount", "staleCount"].map(|key| told[key].clone());
    assert_eq!(counts(&report), [3, 1, 1].map(Value::from));
    assert_eq!(
        (&report["technicalDebt"], &report["health"]),
        (&json!(50), &json!(50))
    );
    let insights = server.get(&format!("{project}/insights")).await.ok();
    for figures in ["technicalDebt", "health"] {
        assert_eq!(counts(&insights[figures]), [3, 1, 1].map(Value::from));
        assert_eq!(insights[figures]["rating"], 50);
    }
    let status = server.get(&format!("{project}/status")).await.ok();
    assert_eq!(
        (&status["staleFlags"], &status["health"]),
        (&json!({ "total": 2 }), &json!({ "current": 50 }))
    );
    let dashboard = server.get("/api/admin/personal-dashboard/default").await.ok();
    let of_dashboard = ["totalFlags", "potentiallyStaleFlags", "staleFlags", "activeFlags"];
    assert_eq!(
        of_dashboard.map(|key| dashboard["insights"][key].clone()),
        [4, 1, 1, 2].map(Value::from)
    );

    // another lifetime counts at the next look, and so does another type
    release_flags_live(&server, json!(41)).await;
    release_flags_live(&server, json!(1)).await;
    let kind = json!([{ "op": "replace", "path": "/type", "value": "permission" }]);
    server.patch(&format!("{FEATURES}/old"), kind).await.ok();
    mark_aged(server.app()).unwrap();
    let mut expected = vec![on("old"), off("old"), on("old"), off("old")];
    assert_eq!(told(&server).await, expected);

    // whoever takes the word `stale` back leaves the age, and whoever revives a flag too; a copy is young
    server
        .post("/api/admin/archive/revive/gone", json!({}))
        .await
        .ok();
    let stale = json!({ "features": ["said"], "stale": false });
    server.post("/api/admin/projects/default/stale", stale).await.ok();
    mark_aged(server.app()).unwrap();
    server
        .post(&format!("{FEATURES}/gone/clone"), json!({ "name": "copy" }))
        .await
        .ok();
    mark_aged(server.app()).unwrap();
    expected.extend([on("gone"), on("said")]);
    assert_eq!(told(&server).await, expected);
    release_flags_live(&server, Value::Null).await;
    expected.extend([off("gone"), off("said")]);
    assert_eq!(told(&server).await, expected);
}
