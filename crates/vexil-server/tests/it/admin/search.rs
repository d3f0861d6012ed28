//! Finding flags, page by page.

use serde_json::{Value, json};

use super::{FEATURES, add_strategy, server_with};
use crate::support::TestServer;

async fn find(server: &TestServer, query: &str) -> Value {
    server
        .get(&format!("/api/admin/search/features?{query}"))
        .await
        .ok()
}

async fn names(server: &TestServer, query: &str) -> Vec<String> {
    let found = find(server, query).await;
    let features = found["features"].as_array().unwrap().iter();
    features
        .map(|flag| flag["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Flags `b`, `a`, `c`, created in this order, of which `c` is an experiment and `b` is stale.
async fn with_three() -> TestServer {
    let server = server_with("b").await;
    server
        .post(FEATURES, json!({ "name": "a", "description": "The Checkout" }))
        .await
        .ok();
    server
        .post(FEATURES, json!({ "name": "c", "type": "experiment" }))
        .await
        .ok();
    server
        .put(&format!("{FEATURES}/b"), json!({ "stale": true }))
        .await
        .ok();
    server
}

#[actix_web::test]
async fn flags_are_found_by_what_they_say_of_themselves() {
    let server = with_three().await;
    let cases: [(&str, &[&str]); 11] = [
        ("", &["a", "b", "c"]),
        ("query=CHECK", &["a"]),
        ("query=check,c", &["a", "c"]),
        ("query=nothing", &[]),
        ("project=IS:default", &["a", "b", "c"]),
        ("project=IS:other", &[]),
        ("project=IS_NOT:other&type=IS:experiment", &["c"]),
        ("type=IS_NONE_OF:experiment", &["a", "b"]),
        ("state=IS:stale", &["b"]),
        ("state=IS:active", &["a", "c"]),
        ("createdBy=IS:-1001&type=IS_ANY_OF:experiment,permission", &["c"]),
    ];
    for (query, expected) in cases {
        assert_eq!(names(&server, query).await, expected, "{query}");
    }
}

#[actix_web::test]
async fn a_found_flag_tells_its_segments_its_family_and_its_open_change_requests() {
    let server = with_three().await;
    let segment = server
        .post("/api/admin/segments", json!({ "name": "s", "constraints": [] }))
        .await
        .ok();
    add_strategy(
        &server,
        "a",
        json!({ "name": "default", "segments": [segment["id"]] }),
    )
    .await;
    server
        .post(&format!("{FEATURES}/a/dependencies"), json!({ "feature": "c" }))
        .await
        .ok();
    let changes = "/api/admin/projects/default/environments/production/change-requests";
    let change = json!({ "feature": "a", "action": "updateEnabled", "payload": { "enabled": true } });
    let request = server.post(changes, change).await.ok()["id"].clone();
    let found = find(&server, "segment=INCLUDE:s").await;
    assert_eq!(found["total"], 1);
    let flag = &found["features"][0];
    assert_eq!(
        (&flag["segments"], &flag["dependencyType"]),
        (&json!(["s"]), &json!("child"))
    );
    assert_eq!(flag["createdBy"]["name"], "admin-1");
    assert_eq!(flag["environments"][0]["changeRequestIds"], json!([]));
    assert_eq!(flag["environments"][1]["changeRequestIds"], json!([request]));
    assert_eq!(
        find(&server, "query=c&type=IS:experiment").await["features"][0]["dependencyType"],
        "parent"
    );
    assert_eq!(
        find(&server, "state=IS:stale").await["features"][0]["dependencyType"],
        json!(null)
    );
}

#[actix_web::test]
async fn archived_flags_are_found_where_they_are_asked_for() {
    let server = with_three().await;
    server.delete(&format!("{FEATURES}/a")).await.ok();
    assert_eq!(names(&server, "").await, ["b", "c"]);
    assert_eq!(names(&server, "archived=IS:true").await, ["a"]);
    assert_eq!(names(&server, "archived=IS:false").await, ["b", "c"]);
}

#[actix_web::test]
async fn pages_neither_repeat_nor_skip_a_flag_whatever_the_order() {
    let server = with_three().await;
    for sort in [
        "",
        "&sortBy=name",
        "&sortBy=type",
        "&sortBy=project",
        "&sortBy=nonsense",
        "&sortBy=type&sortOrder=desc",
    ] {
        let whole = names(&server, &format!("limit=100{sort}")).await;
        assert_eq!(whole.len(), 3);
        let mut pages = Vec::new();
        for offset in 0..4 {
            let page = find(&server, &format!("limit=1&offset={offset}{sort}")).await;
            assert_eq!(page["total"], 3, "{sort}");
            pages.extend(
                page["features"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|flag| flag["name"].clone()),
            );
        }
        assert_eq!(pages, whole, "{sort}");
    }
    assert_eq!(names(&server, "sortBy=type").await, ["c", "a", "b"]);
    assert_eq!(
        names(&server, "sortBy=name&sortOrder=desc").await,
        ["c", "b", "a"]
    );
}

#[actix_web::test]
async fn odd_limits_and_offsets_fall_back_to_the_usual_page() {
    let server = with_three().await;
    for query in [
        "limit=0",
        "limit=-1",
        "limit=abc",
        "limit=1.5",
        "offset=-1",
        "offset=abc",
        "limit=99999999999999999999",
    ] {
        assert_eq!(names(&server, query).await.len(), 3, "{query}");
    }
    for offset in ["3", "4294967296", "18446744073709551615"] {
        let found = find(&server, &format!("offset={offset}")).await;
        assert_eq!(
            (
                found["total"].as_u64(),
                found["features"].as_array().unwrap().len()
            ),
            (Some(3), 0),
            "{offset}"
        );
    }
}
