//! How a project does, in figures.

use actix_web::http::{Method, StatusCode};
use serde_json::json;
use time::Duration;

use super::FEATURES;
use crate::roles::{OWNER, give};
use crate::support::{CLIENT, START, TestServer};
use crate::users::person;

async fn turn_on(server: &TestServer, flag: &str) {
    let path = format!("{FEATURES}/{flag}/environments/production/on");
    server.post(&path, json!({})).await.ok();
}

async fn create(server: &TestServer, flag: &str) {
    server.post(FEATURES, json!({ "name": flag })).await.ok();
}

/// A project in which a flag was made on the first day, two on the fortieth, one of which went at once; and where
/// the two that stay came to production on the fortieth and on the day after.
async fn after_forty_days() -> TestServer {
    let server = TestServer::new();
    create(&server, "old").await;
    server.set_time(START + Duration::days(40));
    create(&server, "new").await;
    create(&server, "gone").await;
    server.delete(&format!("{FEATURES}/gone")).await.ok();
    turn_on(&server, "old").await;
    server.set_time(START + Duration::days(41));
    turn_on(&server, "new").await;
    server
}

#[actix_web::test]
async fn a_project_tells_in_figures_what_happened_of_late_and_how_long_flags_take() {
    let server = after_forty_days().await;
    let ada = person(&server, "ada", "Viewer").await;
    give(&server, &ada, &[OWNER]).await;
    let overview = server.get("/api/admin/projects/default/overview").await.ok();
    let stats = json!({
        // only the flag of the fortieth day is from the last thirty: it took one day
        "avgTimeToProdCurrentWindow": 1.0,
        "createdCurrentWindow": 2, "createdPastWindow": 1,
        "archivedCurrentWindow": 1, "archivedPastWindow": 0,
        // two made, one archived, two switched on, each with its first strategy, one person let in
        "projectActivityCurrentWindow": 8,
        // the project and its first flag
        "projectActivityPastWindow": 2,
        "projectMembersAddedCurrentWindow": 1,
    });
    assert_eq!(
        (&overview["stats"], &overview["updatedAt"]),
        (&stats, &json!("2027-01-07T12:30:20.000Z"))
    );
    let lead_time = json!({
        "features": [{ "name": "new", "timeToProduction": 1.0 }, { "name": "old", "timeToProduction": 40.0 }],
        "projectAverage": 20.5,
    });
    assert_eq!(
        server.get("/api/admin/projects/default/dora").await.ok(),
        lead_time
    );
    let insights = server.get("/api/admin/projects/default/insights").await.ok();
    assert_eq!((&insights["stats"], &insights["leadTime"]), (&stats, &lead_time));
    let rated = |rating: u8| json!({ "rating": rating, "activeCount": 2, "potentiallyStaleCount": 0, "staleCount": 0 });
    assert_eq!(
        (&insights["health"], &insights["technicalDebt"]),
        (&rated(100), &rated(0))
    );
    assert_eq!(
        (&insights["featureTypeCounts"], &insights["members"]),
        (
            &json!([{ "type": "release", "count": 2 }]),
            &json!({ "currentMembers": 1, "change": 1 })
        )
    );
    // whoever gets another role does not come in anew
    give(&server, &ada, &[OWNER, 5]).await;
    let again = server.get("/api/admin/projects/default/overview").await.ok();
    assert_eq!(again["stats"]["projectMembersAddedCurrentWindow"], 1);
}

#[actix_web::test]
async fn a_flag_that_is_made_again_has_not_been_in_production() {
    let server = after_forty_days().await;
    server.delete(&format!("{FEATURES}/old")).await.ok();
    server.delete("/api/admin/archive/old").await.ok();
    server.set_time(START + Duration::days(42));
    create(&server, "old").await;
    let told = server.get("/api/admin/projects/default/dora").await.ok();
    assert_eq!(
        told,
        json!({ "features": [{ "name": "new", "timeToProduction": 1.0 }], "projectAverage": 1.0 })
    );
}

#[actix_web::test]
async fn a_report_on_health_has_the_flags_and_counts_the_stale_ones() {
    let server = after_forty_days().await;
    let stale = json!({ "features": ["old"], "stale": true });
    server.post("/api/admin/projects/default/stale", stale).await.ok();
    let told = server.get("/api/admin/projects/default/health-report").await.ok();
    let flags: Vec<&str> = told["features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|flag| flag["name"].as_str().unwrap())
        .collect();
    assert_eq!(flags, ["new", "old"]);
    assert_eq!(
        (
            &told["activeCount"],
            &told["staleCount"],
            &told["potentiallyStaleCount"],
            &told["health"]
        ),
        (&json!(1), &json!(1), &json!(0), &json!(50))
    );
    assert!(told.get("onboardingStatus").is_none() && told["stats"].is_object());
}

#[actix_web::test]
async fn no_sdk_is_said_to_be_outdated() {
    let server = TestServer::new();
    let old = json!({ "appName": "shop", "instanceId": "i", "sdkVersion": "unleash-client-node:1.0.0", "strategies": [], "started": 1, "interval": 1 });
    let known = server
        .call(CLIENT, Method::POST, "/api/client/register", Some(&old))
        .await;
    assert_eq!(known.status, 202, "{}", known.text);
    for path in [
        "/api/admin/metrics/sdks/outdated",
        "/api/admin/projects/default/sdks/outdated",
    ] {
        assert_eq!(server.get(path).await.ok(), json!({ "sdks": [] }), "{path}");
    }
    for question in ["sdks/outdated", "dora", "health-report"] {
        server
            .get(&format!("/api/admin/projects/no/{question}"))
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
}
