//! Finding flags, page by page.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use time::Duration;
use vexil_service::operations::lifetimes::mark_aged;

use super::{FEATURES, add_strategy, server_with};
use crate::support::{CLIENT, PRODUCTION_CLIENT, START, TestServer};

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
    // experiments are expected to live for 40 days, and what is said to be stale is that and nothing else
    server.set_time(START + Duration::days(50));
    mark_aged(server.app()).unwrap();
    server
        .put(
            "/api/admin/feature-types/release/lifetime",
            json!({ "lifetimeDays": 60 }),
        )
        .await
        .ok();
    mark_aged(server.app()).unwrap();
    let cases: [(&str, &[&str]); 16] = [
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
        ("state=IS:potentially-stale", &["c"]),
        ("state=IS_NOT:potentially-stale", &["a", "b"]),
        ("state=IS_NOT:active", &["b"]),
        ("state=IS_ANY_OF:stale,potentially-stale", &["b", "c"]),
        ("state=IS_NONE_OF:stale,potentially-stale", &["a"]),
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
        "&sortBy=lastSeenAt",
        "&sortBy=environment:development",
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

/// Flags `old` and `new`, of which `old` was created a day before and was reported: `old` from production, `dev`
/// from development alone. `old` is on in development.
async fn over_two_days() -> TestServer {
    let server = server_with("old").await;
    server.post(FEATURES, json!({ "name": "dev" })).await.ok();
    server
        .post(&format!("{FEATURES}/old/environments/development/on"), json!({}))
        .await
        .ok();
    for (token, flag) in [(PRODUCTION_CLIENT, "old"), (CLIENT, "dev")] {
        let report = json!({
            "appName": "shop",
            "bucket": { "start": START.unix_timestamp(), "stop": START.unix_timestamp(), "toggles": { flag: { "yes": 3, "no": 4 } } },
        });
        server
            .call(token, Method::POST, "/api/client/metrics", Some(&report))
            .await
            .ok();
    }
    server.set_time(START + time::Duration::DAY);
    server.post(FEATURES, json!({ "name": "new" })).await.ok();
    server
}

#[actix_web::test]
async fn flags_are_found_by_age_use_and_switches() {
    let server = over_two_days().await;
    // tests begin on 2026-11-27
    let cases: [(&str, &[&str]); 19] = [
        ("createdAt=IS_BEFORE:2026-11-28", &["dev", "old"]),
        ("createdAt=IS_ON_OR_AFTER:2026-11-28", &["new"]),
        ("createdAt=IS_BEFORE:2020-01-01", &[]),
        ("lastSeenAt=IS_ON_OR_AFTER:2026-11-27", &["dev", "old"]),
        ("lastSeenAt=IS_BEFORE:2026-11-27", &[]),
        ("status[]=development:enabled", &["old"]),
        ("status[]=development:disabled", &["dev", "new"]),
        ("status=development:enabled&status=production:enabled", &["old"]),
        ("status[]=nope:enabled", &[]),
        ("status[]=nope:disabled", &[]),
        ("lifecycle=IS:initial", &["new"]),
        ("lifecycle=IS:pre-live", &["dev"]),
        ("lifecycle=IS_ANY_OF:live,completed", &["old"]),
        ("lifecycle=IS_NOT:initial", &["dev", "old"]),
        ("tag=INCLUDE:simple:x", &[]),
        ("tag=DO_NOT_INCLUDE:simple:x", &["dev", "new", "old"]),
        ("favorite=IS:true", &[]),
        ("favorite=IS:false&favoritesFirst=true", &["dev", "new", "old"]),
        ("sortBy=environment:development&sortOrder=desc&limit=1", &["old"]),
    ];
    for (query, expected) in cases {
        let mut found = names(&server, query).await;
        found.sort();
        assert_eq!(found, expected, "{query}");
    }
    server.delete(&format!("{FEATURES}/new")).await.ok();
    assert_eq!(names(&server, "lifecycle=IS:archived").await, ["new"]);
    assert_eq!(names(&server, "sortBy=lastSeenAt").await, ["dev", "old"]);
}

#[actix_web::test]
async fn segments_are_asked_for_any_all_none_and_not_all() {
    let server = server_with("none").await;
    let mut ids = Vec::new();
    for name in ["s", "t"] {
        let body = json!({ "name": name, "constraints": [] });
        ids.push(server.post("/api/admin/segments", body).await.ok()["id"].clone());
    }
    for (flag, segments) in [("one", vec![&ids[0]]), ("two", vec![&ids[0], &ids[1]])] {
        server.post(FEATURES, json!({ "name": flag })).await.ok();
        add_strategy(&server, flag, json!({ "name": "default", "segments": segments })).await;
    }
    let cases: [(&str, &[&str]); 7] = [
        ("INCLUDE:s", &["one", "two"]),
        ("INCLUDE_ANY_OF:t,x", &["two"]),
        ("INCLUDE_ALL_OF:s,t", &["two"]),
        ("DO_NOT_INCLUDE:s", &["none"]),
        ("EXCLUDE_IF_ANY_OF:t,x", &["none", "one"]),
        ("EXCLUDE_ALL:s,t", &["none", "one"]),
        ("INCLUDE:x", &[]),
    ];
    for (filter, expected) in cases {
        assert_eq!(
            names(&server, &format!("segment={filter}&sortBy=name")).await,
            expected,
            "{filter}"
        );
    }
}

#[actix_web::test]
async fn a_filter_that_is_not_understood_is_refused_with_its_name() {
    let server = with_three().await;
    for (query, name) in [
        ("state=stale", "state"),
        ("state=IS:forgotten", "state"),
        ("state=IS:", "state"),
        ("type=IS_WEIRD:release", "type"),
        ("type=INCLUDE:release", "type"),
        ("project=default", "project"),
        ("createdBy=1", "createdBy"),
        ("lifecycle=IS:done", "lifecycle"),
        ("segment=IS:s", "segment"),
        ("tag=simple:x", "tag"),
        ("createdAt=2020-01-01", "createdAt"),
        ("createdAt=IS_BEFORE:2020-02-30", "createdAt"),
        ("lastSeenAt=IS:2020-01-01", "lastSeenAt"),
        ("status[]=development", "status"),
        ("status[]=development:on", "status"),
        ("status[]=:enabled", "status"),
        ("archived=true", "archived"),
        ("favorite=true", "favorite"),
        ("favorite=IS:maybe", "favorite"),
        ("favoritesFirst=yes", "favoritesFirst"),
        ("sortBy=nonsense", "sortBy"),
        ("sortBy=environment:", "sortBy"),
        ("sortOrder=up", "sortOrder"),
        ("query=a&query=b", "query"),
        ("stale=true", "stale"),
        ("tags=x", "tags"),
    ] {
        let answer = server.get(&format!("/api/admin/search/features?{query}")).await;
        let body = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(body["details"][0]["path"], format!("/query/{name}"), "{query}");
    }
    // parameters that nobody knows are refused before any is read
    for query in ["state=stale&sortBy=x", "stale=true&tags=x"] {
        let both = server.get(&format!("/api/admin/search/features?{query}")).await;
        let body = both.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(body["details"].as_array().unwrap().len(), 2);
    }
}

#[actix_web::test]
async fn a_found_flag_tells_its_stage_and_its_last_hour() {
    let server = over_two_days().await;
    server.set_time(START + time::Duration::minutes(30));
    let flag = find(&server, "query=old").await["features"][0].clone();
    let production = &flag["environments"][1];
    assert_eq!((&production["yes"], &production["no"]), (&json!(3), &json!(4)));
    assert_eq!(
        (&flag["environments"][0]["yes"], &flag["archivedAt"]),
        (&json!(0), &json!(null))
    );
    assert_eq!(flag["lifecycle"]["stage"], "live");
    let told = server
        .get("/api/admin/projects/default/features/old/lifecycle")
        .await
        .ok();
    assert_eq!(told, json!([flag["lifecycle"]]));
    let nobody = server
        .get("/api/admin/projects/default/features/nobody/lifecycle")
        .await;
    nobody.refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!((flag.get("tags"), &flag["favorite"]), (None, &json!(false)));
}
