//! The audit log.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{FEATURES, places, server_with};
use crate::support::TestServer;

#[actix_web::test]
async fn an_event_tells_what_was_done_by_whom_and_how_things_were_before() {
    let server = server_with("checkout").await;
    server
        .put(&format!("{FEATURES}/checkout"), json!({ "description": "new" }))
        .await
        .ok();
    let events = server.get("/api/admin/events/checkout").await.ok();
    assert_eq!(
        (&events["version"], &events["toggleName"], &events["totalEvents"]),
        (&json!(1), &json!("checkout"), &json!(2))
    );
    let event = &events["events"][0];
    assert_eq!(event["type"], "feature-metadata-updated");
    assert_eq!(
        (&event["createdBy"], &event["createdByUserId"]),
        (&json!("admin-1"), &json!(-1001))
    );
    assert_eq!(event["createdAt"], "2026-11-27T12:30:20.000Z");
    assert_eq!(
        (&event["featureName"], &event["project"]),
        (&json!("checkout"), &json!("default"))
    );
    assert_eq!(event["environment"], json!(null));
    assert_eq!(
        (&event["data"]["description"], &event["preData"]["description"]),
        (&json!("new"), &json!(null))
    );
    assert_eq!(
        server.get("/api/admin/events/nope").await.ok()["events"],
        json!([])
    );
}

#[actix_web::test]
async fn events_can_be_searched_and_paged() {
    let server = server_with("a").await;
    for name in ["b", "c"] {
        server.post(FEATURES, json!({ "name": name })).await.ok();
    }
    server
        .post(&format!("{FEATURES}/b/environments/development/on"), json!({}))
        .await
        .ok();
    let total = async |query: &str| {
        let found = server
            .get(&format!("/api/admin/search/events?{query}"))
            .await
            .ok();
        (
            found["total"].as_u64().unwrap(),
            found["events"].as_array().unwrap().len(),
        )
    };
    assert_eq!(total("type=IS:feature-created").await, (3, 3));
    assert_eq!(
        total("type=IS_ANY_OF:feature-created,feature-environment-enabled").await,
        (4, 4)
    );
    assert_eq!(total("feature=IS:b").await, (3, 3));
    assert_eq!(total("feature=IS:b&environment=IS:development").await, (2, 2));
    assert_eq!(
        total("project=IS:default&type=IS:feature-created&limit=2").await,
        (3, 2)
    );
    assert_eq!(total("type=IS:feature-created&limit=2&offset=2").await, (3, 1));
    assert_eq!(total("type=IS:feature-created&offset=99").await, (3, 0));
    for limit in ["0", "-1", "abc"] {
        assert_eq!(
            total(&format!("type=IS:feature-created&limit={limit}")).await,
            (3, 3),
            "{limit}"
        );
    }
    assert_eq!(total("createdBy=IS:-1001&type=IS:feature-created").await, (3, 3));
    assert_eq!(total("createdBy=IS:7").await, (0, 0));
    assert_eq!(
        total("from=IS:2026-11-27&to=IS:2026-11-27&type=IS:feature-created").await,
        (3, 3)
    );
    assert_eq!(total("from=IS:2026-11-28").await, (0, 0));
    let newest = server.get("/api/admin/events").await.ok()["events"][0]["id"].clone();
    assert_eq!(total(&format!("id=IS:{newest}")).await, (1, 1));
    assert_eq!(total("groupId=IS_ANY_OF:1,2").await, (0, 0));
    let all = total("").await;
    assert_eq!(total("query=").await, all);
    assert_eq!(total("query=no-such-text").await, (0, 0));
    server
        .post(FEATURES, json!({ "name": "d", "description": "An \"Old\" flag" }))
        .await
        .ok();
    for text in [
        "an%20%22OLD%22",
        "%5C%22old%5C%22%20FLAG",
        "%22description%22:%22An%20",
    ] {
        assert_eq!(total(&format!("query={text}")).await, (1, 1), "{text}");
    }
    let long = "x".repeat(1001);
    for query in [
        format!("query={long}"),
        "query=a&query=b".to_owned(),
        "id=IS:x".to_owned(),
    ] {
        let refused = server.get(&format!("/api/admin/search/events?{query}")).await;
        refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    let refused = server
        .get("/api/admin/search/events?from=IS:x&createdBy=IS:me")
        .await;
    let refusal = refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(places(&refusal), ["/query/createdBy", "/query/from"]);
}

#[actix_web::test]
async fn events_are_listed_newest_first_and_by_project() {
    let server = server_with("a").await;
    server
        .post("/api/admin/segments", json!({ "name": "s", "constraints": [] }))
        .await
        .ok();
    let all = server.get("/api/admin/events").await.ok();
    assert_eq!(all["events"][0]["type"], "segment-created");
    let of_project = server.get("/api/admin/events?project=default").await.ok();
    assert_eq!(of_project["events"][0]["type"], "feature-created");
    assert_eq!(
        server.get("/api/admin/events?project=nope").await.ok()["totalEvents"],
        0
    );
}

#[actix_web::test]
async fn a_refused_edit_leaves_no_event() {
    let server = server_with("a").await;
    let before = server.get("/api/admin/events").await.ok()["totalEvents"].clone();
    server
        .post(FEATURES, json!({ "name": "a" }))
        .await
        .refused(StatusCode::CONFLICT, "NameExistsError");
    let strategy = json!({ "name": "nope" });
    let refused = server.post(&super::strategies_of("a"), strategy).await;
    refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(server.get("/api/admin/events").await.ok()["totalEvents"], before);
}

#[actix_web::test]
async fn a_filter_of_events_that_is_not_understood_is_refused_with_its_name() {
    let server = TestServer::new();
    for (path, name) in [
        ("/api/admin/search/events?type=IS_NOT:feature-created", "type"),
        ("/api/admin/search/events?project=default", "project"),
        ("/api/admin/search/events?groupType=change-request", "groupType"),
        ("/api/admin/search/events?groupId=1", "groupId"),
        ("/api/admin/search/events?id=1", "id"),
        ("/api/admin/search/events?to=IS:2026-02-30", "to"),
        ("/api/admin/events?projects=default", "projects"),
    ] {
        let body = server
            .get(path)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(body["details"][0]["path"], format!("/query/{name}"), "{path}");
    }
}
