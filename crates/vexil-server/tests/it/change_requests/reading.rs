//! Lists, counts and searches.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::fixture::{
    ALL, OTHER_ADMIN, PROPOSE, approved, change, number, propose, scheduled, server, to, turn_off,
};
use crate::support::TestServer;

const SEARCH: &str = "/api/admin/search/change-requests";

fn ids(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(number).collect()
}

/// A rejected, an applied, a scheduled and an approved request of one admin, and a draft of another.
async fn filled(server: &TestServer) -> [i64; 5] {
    let rejected = number(&propose(server, turn_off()).await);
    to(server, rejected, "In review").await.ok();
    to(server, rejected, "Rejected").await.ok();
    let applied = approved(
        server,
        change("banner", "updateEnabled", json!({ "enabled": false })),
    )
    .await;
    to(server, applied, "Applied").await.ok();
    let update = json!({ "id": "half", "parameters": { "rollout": "50", "stickiness": "default", "groupId": "checkout" } });
    let waiting = scheduled(server, change("checkout", "updateStrategy", update), 10).await;
    let ready = approved(
        server,
        json!({ "action": "updateSegment", "payload": { "id": 1, "name": "x", "constraints": [] } }),
    )
    .await;
    let body = turn_off();
    let draft = server
        .call(OTHER_ADMIN, Method::POST, PROPOSE, Some(&body))
        .await
        .ok();
    [rejected, applied, waiting, ready, number(&draft)]
}

#[actix_web::test]
async fn the_list_holds_every_request_the_newest_first_without_their_timestamps() {
    let server = server();
    let mut all = filled(&server).await;
    all.reverse();
    let list = server.get(ALL).await.ok();
    assert_eq!(ids(&list), all);
    for item in list.as_array().unwrap() {
        assert_eq!(item.get("stateTimestamps"), None);
        assert!(item["features"].is_array() && item["segments"].is_array());
    }
    server
        .get("/api/admin/projects/nope/change-requests")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn requests_are_counted_by_state() {
    let server = server();
    let none = json!({ "total": 0, "applied": 0, "rejected": 0, "reviewRequired": 0, "approved": 0, "scheduled": 0 });
    assert_eq!(server.get(&format!("{ALL}/count")).await.ok(), none);
    filled(&server).await;
    let some = json!({ "total": 5, "applied": 1, "rejected": 1, "reviewRequired": 0, "approved": 1, "scheduled": 1 });
    assert_eq!(server.get(&format!("{ALL}/count")).await.ok(), some);
}

#[actix_web::test]
async fn pending_requests_are_the_callers_own() {
    let server = server();
    let [_, _, _, ready, draft] = filled(&server).await;
    let path = format!("{ALL}/pending");
    assert_eq!(ids(&server.get(&path).await.ok()), [ready]);
    let theirs = server.call(OTHER_ADMIN, Method::GET, &path, None).await.ok();
    assert_eq!(ids(&theirs), [draft]);
}

#[actix_web::test]
async fn pending_requests_of_a_flag_are_everybodys() {
    let server = server();
    let [.., draft] = filled(&server).await;
    assert_eq!(
        ids(&server.get(&format!("{ALL}/pending/checkout")).await.ok()),
        [draft]
    );
    assert_eq!(server.get(&format!("{ALL}/pending/banner")).await.ok(), json!([]));
    assert_eq!(server.get(&format!("{ALL}/pending/nope")).await.ok(), json!([]));
}

#[actix_web::test]
async fn actionable_are_those_that_the_caller_could_approve_or_apply() {
    let server = server();
    let [.., draft] = filled(&server).await;
    let path = format!("{ALL}/actionable");
    assert_eq!(server.get(&path).await.ok(), json!({ "total": 1 }));
    let body = json!({ "state": "In review" });
    server
        .call(
            OTHER_ADMIN,
            Method::PUT,
            &format!("{ALL}/{draft}/state"),
            Some(&body),
        )
        .await
        .ok();
    assert_eq!(server.get(&path).await.ok(), json!({ "total": 2 }));
}

#[actix_web::test]
async fn scheduled_requests_are_found_by_what_they_touch() {
    let server = server();
    let [_, _, waiting, ..] = filled(&server).await;
    let of = async |query: &str| server.get(&format!("{ALL}/scheduled{query}")).await.ok();
    let found = json!([{ "id": waiting, "environment": "development" }]);
    assert_eq!(of("").await, json!([]));
    assert_eq!(of("?feature=checkout").await, found);
    assert_eq!(of("?feature=banner").await, json!([]));
    assert_eq!(of("?feature=banner&feature=checkout").await, found);
    assert_eq!(of("?strategyId=half").await, found);
    assert_eq!(of("?variantForFlag=checkout").await, json!([]));
    assert_eq!(of("?variantForFlag=checkout&strategyId=half").await, found);
    server
        .get("/api/admin/projects/nope/change-requests/scheduled")
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn scheduled_variants_are_found_by_their_flag() {
    let server = server();
    let variants = json!({ "variants": [{ "name": "a", "weight": 1000, "weightType": "variable" }] });
    let id = scheduled(&server, change("checkout", "patchVariant", variants), 10).await;
    let found = server
        .get(&format!("{ALL}/scheduled?variantForFlag=checkout"))
        .await
        .ok();
    assert_eq!(ids(&found), [id]);
}

#[actix_web::test]
async fn one_is_found_in_its_project_alone() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    for path in [
        format!("{ALL}/{}", id + 1),
        format!("{ALL}/x"),
        format!("{ALL}/1e0"),
        format!("/api/admin/projects/other/change-requests/{id}"),
    ] {
        server
            .get(&path)
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
}

#[actix_web::test]
async fn a_search_finds_requests_by_author_state_and_page() {
    let server = server();
    let [rejected, applied, waiting, ready, draft] = filled(&server).await;
    let of = async |query: &str| {
        let found = server.get(&format!("{SEARCH}{query}")).await.ok();
        (ids(&found["changeRequests"]), found["total"].as_u64().unwrap())
    };
    assert_eq!(of("").await, (vec![draft, ready, waiting, applied, rejected], 5));
    assert_eq!(of("?state=IS:open").await, (vec![draft, ready, waiting], 3));
    assert_eq!(of("?state=IS%3Aclosed").await, (vec![applied, rejected], 2));
    assert_eq!(
        of("?createdBy=IS:-1001&state=IS:open").await,
        (vec![ready, waiting], 2)
    );
    assert_eq!(of("?createdBy=IS:4711").await, (vec![], 0));
    assert_eq!(
        of("?offset=1&limit=2&sortBy=createdAt&sortOrder=desc").await,
        (vec![ready, waiting], 5)
    );
    assert_eq!(of("?offset=9").await, (vec![], 5));
}

#[actix_web::test]
async fn a_search_finds_those_who_were_asked_to_review() {
    let server = server();
    let id = number(&propose(&server, turn_off()).await);
    server
        .put(&format!("{ALL}/{id}/approvers"), json!({ "reviewers": [-1001] }))
        .await
        .ok();
    let found = server
        .get(&format!("{SEARCH}?requestedApproverId=IS:-1001"))
        .await
        .ok();
    assert_eq!(found["total"], 1);
    let found = server
        .get(&format!("{SEARCH}?requestedApproverId=IS:-1002"))
        .await
        .ok();
    assert_eq!(found["total"], 0);
}

#[actix_web::test]
async fn what_a_search_finds_is_shown_in_short() {
    let server = server();
    let [_, _, waiting, ready, _] = filled(&server).await;
    let found = server.get(&format!("{SEARCH}?state=IS:open")).await.ok();
    let items = found["changeRequests"].as_array().unwrap();
    let person = json!({ "id": -1001, "username": "admin-1", "imageUrl": null });
    assert_eq!(
        items[1],
        json!({
            "id": ready, "environment": "development", "project": "default", "createdBy": person,
            "createdAt": "2026-11-27T12:30:20.000Z", "features": [], "segments": ["beta"], "state": "Approved",
        })
    );
    assert_eq!(
        items[2],
        json!({
            "id": waiting, "environment": "development", "project": "default", "createdBy": person,
            "createdAt": "2026-11-27T12:30:20.000Z", "features": ["checkout"], "segments": [], "state": "Scheduled",
            "schedule": { "scheduledAt": "2026-11-27T12:40:20.000Z", "status": "pending" },
        })
    );
}

#[actix_web::test]
async fn a_search_that_means_nothing_is_refused_with_all_its_faults() {
    let server = server();
    let error = server
        .get(&format!("{SEARCH}?limit=0&offset=-1&state=IS:odd&createdBy=me"))
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let paths: Vec<&Value> = error["details"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["path"])
        .collect();
    assert_eq!(
        paths,
        [
            "/query/limit",
            "/query/offset",
            "/query/state",
            "/query/createdBy"
        ]
    );
    let error = server.get(&format!("{SEARCH}?limit=1001")).await;
    error.refused(StatusCode::BAD_REQUEST, "BadDataError");
    let error = server.get(&format!("{SEARCH}?limit=1000&project=IS:shop")).await;
    error.refused(StatusCode::BAD_REQUEST, "BadDataError");
    server.get(&format!("{SEARCH}?limit=1000")).await.ok();
}

#[actix_web::test]
async fn a_search_has_one_order_and_refuses_others() {
    let server = crate::support::TestServer::new();
    let asked = |query: &'static str| {
        let server = &server;
        async move { server.get(&format!("{SEARCH}?{query}")).await }
    };
    assert_eq!(asked("sortBy=createdAt&sortOrder=desc").await.status, 200);
    for query in ["sortBy=title", "sortOrder=asc"] {
        let refused = asked(query).await;
        refused.refused(actix_web::http::StatusCode::BAD_REQUEST, "BadDataError");
    }
}
