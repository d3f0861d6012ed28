//! `GET /api/admin/metrics/applications`: who uses the flags.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{report, server_with_a_flag};
use crate::support::{CLIENT, START, places};

#[actix_web::test]
async fn applications_that_registered_or_reported_are_listed_by_name() {
    let server = server_with_a_flag();
    report(&server, "web", START, json!({ "checkout": { "yes": 1 } })).await;
    let registration = json!({
        "appName": "app", "instanceId": "i1", "sdkVersion": "sdk:1", "strategies": ["default", "own"], "started": 1,
        "interval": 10,
    });
    assert_eq!(
        server
            .call(CLIENT, Method::POST, "/api/client/register", Some(&registration))
            .await
            .status,
        202
    );
    let list = server.get("/api/admin/metrics/applications").await.ok();
    assert_eq!(
        list,
        json!({ "applications": [
            {
                "appName": "app", "createdAt": "2026-11-27T12:30:20.000Z", "updatedAt": "2026-11-27T12:30:20.000Z",
                "description": null, "strategies": ["default", "own"], "url": null, "color": null, "icon": null,
                "createdBy": null, "project": "*", "environment": "development", "usage": [],
            },
            {
                "appName": "web", "createdAt": null, "updatedAt": "2026-11-27T12:30:00.000Z",
                "description": null, "strategies": [], "url": null, "color": null, "icon": null,
                "createdBy": null, "project": "default", "environment": "development",
                "usage": [{ "project": "default", "environments": ["development"] }],
            },
        ], "total": 2 })
    );
}

#[actix_web::test]
async fn a_list_can_be_searched_and_paged() {
    let server = server_with_a_flag();
    for name in ["one", "two", "three"] {
        report(&server, name, START, json!({ "checkout": { "yes": 1 } })).await;
    }
    for (query, names, total) in [
        ("", vec!["one", "three", "two"], 3),
        ("?query=T", vec!["three", "two"], 2),
        ("?offset=1&limit=1", vec!["three"], 3),
        ("?offset=5", vec![], 3),
        ("?sortBy=appName&sortOrder=asc", vec!["one", "three", "two"], 3),
        ("?sortBy=appName&sortOrder=desc", vec!["two", "three", "one"], 3),
        ("?sortOrder=desc&offset=1&limit=1", vec!["three"], 3),
        ("?sortBy=createdAt&sortOrder=desc", vec!["one", "three", "two"], 3),
    ] {
        let list = server
            .get(&format!("/api/admin/metrics/applications{query}"))
            .await
            .ok();
        let found: Vec<&str> = list["applications"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["appName"].as_str().unwrap())
            .collect();
        assert_eq!((found, &list["total"]), (names, &json!(total)), "{query}");
    }
    for query in [
        "limit=x",
        "offset=-1",
        "limit=1.5",
        "sortBy=lastSeen",
        "sortOrder=up",
    ] {
        let refused = server
            .get(&format!("/api/admin/metrics/applications?{query}"))
            .await;
        refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}

#[actix_web::test]
async fn a_poorer_registration_takes_nothing_of_a_richer_one() {
    let server = server_with_a_flag();
    let richer = json!({
        "appName": "app", "instanceId": "i1", "sdkVersion": "sdk:1", "strategies": ["default", "own"],
        "started": "2026-11-27T12:00:00Z", "interval": 10,
    });
    let poorer = json!({
        "appName": "app", "instanceId": "i1", "strategies": [], "started": "2026-11-27T12:30:00Z", "interval": 10,
    });
    for body in [richer, poorer] {
        let answer = server.call(CLIENT, Method::POST, "/api/client/register", Some(&body));
        assert_eq!(answer.await.status, 202);
    }
    let shown = server.get("/api/admin/metrics/applications/app").await.ok();
    assert_eq!(shown["instances"][0]["sdkVersion"], "sdk:1");
    let names: Vec<&Value> = shown["strategies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["default", "own"]);
}

#[actix_web::test]
async fn one_application_is_shown_with_its_instances_and_flags() {
    let server = server_with_a_flag();
    report(
        &server,
        "a/b",
        START,
        json!({ "checkout": { "yes": 1 }, "gone": { "yes": 1 } }),
    )
    .await;
    let registration =
        json!({ "appName": "a/b", "strategies": ["own", "default"], "started": 1, "interval": 1 });
    server
        .call(CLIENT, Method::POST, "/api/client/register", Some(&registration))
        .await;
    let shown = server.get("/api/admin/metrics/applications/a%2Fb").await.ok();
    assert_eq!(shown["appName"], "a/b");
    assert_eq!(
        (
            &shown["strategies"][0]["name"],
            &shown["strategies"][0]["deprecated"]
        ),
        (&json!("default"), &json!(false))
    );
    assert_eq!(shown["strategies"][1], json!({ "name": "own", "notFound": true }));
    assert_eq!(
        shown["instances"],
        json!([{
            "appName": "a/b", "instanceId": "default", "sdkVersion": null, "sdkType": null, "clientIp": null,
            "lastSeen": "2026-11-27T12:30:20.000Z", "createdAt": "2026-11-27T12:30:20.000Z", "environment": "development",
        }])
    );
    assert_eq!(
        (
            &shown["seenToggles"][0]["name"],
            &shown["seenToggles"][0]["project"]
        ),
        (&json!("checkout"), &json!("default"))
    );
    assert_eq!(
        shown["seenToggles"][1],
        json!({ "name": "gone", "notFound": true })
    );
    let missing = server.get("/api/admin/metrics/applications/nope").await;
    missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_bad_registration_is_refused_with_every_fault() {
    let server = server_with_a_flag();
    let answer = server
        .call(
            CLIENT,
            Method::POST,
            "/api/client/register",
            Some(&json!({ "appName": "" })),
        )
        .await;
    let refusal = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    let paths = places(&refusal);
    assert_eq!(
        paths,
        [
            "/body/interval",
            "/body/started",
            "/body/strategies",
            "/body/appName"
        ]
    );
}
