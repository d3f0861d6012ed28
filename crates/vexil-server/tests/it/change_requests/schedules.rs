//! Scheduled requests: applied once at their time, or suspended.

use std::sync::Arc;

use actix_web::http::StatusCode;
use serde_json::json;
use time::Duration;
use vexil_domain::SegmentId;
use vexil_service::Limits;
use vexil_service::operations::change_requests::apply_due;
use vexil_store::{MemoryStore, Store};

use super::failing_store::{FailingStore, Outage};
use super::fixture::{
    approved, change, edit, edit_flag, edit_settings, events, furnish, last_kinds, read, rfc3339, scheduled,
    server, settings, to, to_by, turn_off,
};
use crate::support::{ADMIN, START, TestServer};

fn update_half() -> serde_json::Value {
    change(
        "checkout",
        "updateStrategy",
        json!({ "id": "half", "parameters": { "rollout": "10" } }),
    )
}

#[actix_web::test]
async fn a_request_is_applied_when_its_time_has_come_and_not_before() {
    let server = server();
    let id = scheduled(&server, turn_off(), 10).await;
    server.set_time(START + Duration::minutes(10) - Duration::MICROSECOND);
    apply_due(server.app()).unwrap();
    assert_eq!(read(&server, id).await["state"], "Scheduled");
    assert!(settings(&server, "checkout").enabled);
    server.set_time(START + Duration::minutes(10));
    apply_due(server.app()).unwrap();
    let shown = read(&server, id).await;
    assert_eq!(shown["state"], "Applied");
    assert_eq!(shown.get("schedule"), None);
    assert_eq!(shown["stateTimestamps"]["Applied"], "2026-11-27T12:40:20.000Z");
    assert!(!settings(&server, "checkout").enabled);
    assert_eq!(
        last_kinds(&server, 3),
        [
            "feature-environment-disabled",
            "change-request-scheduled-application-success",
            "change-request-applied",
        ]
    );
    assert_eq!(events(&server).last().unwrap().actor.name, "admin-1");
}

#[actix_web::test]
async fn requests_that_are_due_are_applied_in_the_order_of_their_times() {
    let server = server();
    let later = scheduled(
        &server,
        change("banner", "updateEnabled", json!({ "enabled": true })),
        20,
    )
    .await;
    let sooner = scheduled(&server, turn_off(), 10).await;
    server.set_time(START + Duration::hours(1));
    apply_due(server.app()).unwrap();
    let applied: Vec<i64> = events(&server)
        .into_iter()
        .filter(|event| event.kind == "change-request-applied")
        .map(|event| event.change_request.unwrap().0)
        .collect();
    assert_eq!(applied, [sooner, later]);
}

#[actix_web::test]
async fn several_servers_on_one_database_apply_a_request_once() {
    for _ in 0..20 {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let first = TestServer::with(Arc::clone(&store), Limits::default());
        furnish(&first);
        let strategy = change("checkout", "addStrategy", json!({ "name": "default" }));
        let id = scheduled(&first, strategy, 10).await;
        let others = [(); 3].map(|()| TestServer::with(Arc::clone(&store), Limits::default()));
        let servers: Vec<TestServer> = std::iter::once(first.clone()).chain(others).collect();
        std::thread::scope(|scope| {
            for server in &servers {
                server.set_time(START + Duration::minutes(10));
                scope.spawn(|| apply_due(server.app()).unwrap());
            }
        });
        let kinds: Vec<String> = events(&first).into_iter().map(|event| event.kind).collect();
        let count = |kind: &str| kinds.iter().filter(|other| *other == kind).count();
        assert_eq!(count("change-request-applied"), 1, "{kinds:?}");
        // the other one is that of the flag as it was set up
        assert_eq!(count("feature-strategy-add"), 2, "{kinds:?}");
        first.app().follow().unwrap();
        assert_eq!(settings(&first, "checkout").strategies.len(), 2);
        assert_eq!(read(&first, id).await["state"], "Applied");
    }
}

#[actix_web::test]
async fn a_schedule_needs_a_time_to_come() {
    let server = server();
    let id = approved(&server, turn_off()).await;
    for body in [
        json!({ "state": "Scheduled" }),
        json!({ "state": "Scheduled", "scheduledAt": null }),
        json!({ "state": "Scheduled", "scheduledAt": "tomorrow" }),
        json!({ "state": "Scheduled", "scheduledAt": rfc3339(START) }),
        json!({ "state": "Scheduled", "scheduledAt": rfc3339(START - Duration::DAY) }),
    ] {
        to_by(&server, ADMIN, id, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    assert_eq!(read(&server, id).await["state"], "Approved");
}

#[actix_web::test]
async fn a_scheduled_request_may_be_moved_applied_now_or_rejected() {
    let server = server();
    let id = scheduled(&server, turn_off(), 10).await;
    let at = rfc3339(START + Duration::minutes(30));
    let moved = to_by(
        &server,
        ADMIN,
        id,
        json!({ "state": "Scheduled", "scheduledAt": at }),
    )
    .await
    .ok();
    assert_eq!(moved["schedule"]["scheduledAt"], "2026-11-27T13:00:20.000Z");
    server.set_time(START + Duration::minutes(15));
    apply_due(server.app()).unwrap();
    assert_eq!(read(&server, id).await["state"], "Scheduled");
    let now = to(&server, id, "Applied").await.ok();
    assert_eq!(
        (now["state"].as_str(), now.get("schedule")),
        (Some("Applied"), None)
    );
    let id = scheduled(&server, turn_off(), 60).await;
    let rejected = to(&server, id, "Rejected").await.ok();
    assert_eq!(
        (rejected["state"].as_str(), rejected.get("schedule")),
        (Some("Rejected"), None)
    );
    server.set_time(START + Duration::hours(2));
    apply_due(server.app()).unwrap();
    assert_eq!(read(&server, id).await["state"], "Rejected");
}

#[actix_web::test]
async fn a_request_that_would_overwrite_a_newer_edit_is_suspended_at_once_and_never_applied() {
    let server = server();
    let id = scheduled(&server, update_half(), 10).await;
    edit_settings(&server, "checkout", |settings| {
        settings.strategies[0]
            .parameters
            .insert("rollout".to_owned(), "60".to_owned());
    });
    apply_due(server.app()).unwrap();
    let shown = read(&server, id).await;
    assert_eq!(shown["state"], "Scheduled");
    assert_eq!(shown["schedule"]["status"], "suspended");
    assert!(
        shown["schedule"]["reason"].as_str().unwrap().contains("`60`"),
        "{shown}"
    );
    assert_eq!(shown["schedule"].get("failureReason"), None);
    assert_eq!(last_kinds(&server, 1), ["change-request-schedule-suspended"]);
    let logged = events(&server).len();
    server.set_time(START + Duration::hours(1));
    apply_due(server.app()).unwrap();
    apply_due(server.app()).unwrap();
    assert_eq!(events(&server).len(), logged);
    assert_eq!(
        settings(&server, "checkout").strategies[0].parameters["rollout"],
        "60"
    );
}

#[actix_web::test]
async fn what_suspends_a_schedule() {
    let variants = json!({ "variants": [{ "name": "a", "weight": 1000, "weightType": "variable" }] });
    let segment =
        json!({ "action": "updateSegment", "payload": { "id": 1, "name": "x", "constraints": [] } });
    type Meddle = fn(&TestServer);
    let cases: [(serde_json::Value, Meddle); 4] = [
        (turn_off(), |server| {
            edit_flag(server, "checkout", |flag| flag.archived_at = Some(START))
        }),
        (update_half(), |server| {
            edit_settings(server, "checkout", |settings| settings.strategies.clear())
        }),
        (change("checkout", "patchVariant", variants), |server| {
            edit_settings(server, "checkout", |settings| {
                settings.variants.push(vexil_domain::Variant {
                    name: "b".to_owned(),
                    weight: 1000,
                    weight_type: vexil_domain::WeightType::Variable,
                    stickiness: None,
                    payload: None,
                    overrides: Vec::new(),
                });
            });
        }),
        (segment, |server| {
            edit(server, |snapshot| {
                let found = snapshot.segments.get_mut(&SegmentId(1)).unwrap();
                Arc::make_mut(found).constraints.clear();
                Arc::make_mut(found).description = Some("everybody".to_owned());
            });
        }),
    ];
    for (proposal, meddle) in cases {
        let server = server();
        let id = scheduled(&server, proposal.clone(), 10).await;
        apply_due(server.app()).unwrap();
        assert_eq!(
            read(&server, id).await["schedule"]["status"],
            "pending",
            "{proposal}"
        );
        meddle(&server);
        apply_due(server.app()).unwrap();
        assert_eq!(
            read(&server, id).await["schedule"]["status"],
            "suspended",
            "{proposal}"
        );
    }
}

#[actix_web::test]
async fn another_request_that_is_applied_may_suspend_a_schedule() {
    let server = server();
    let waiting = scheduled(&server, update_half(), 10).await;
    let other = json!({ "id": "half", "parameters": { "rollout": "90" } });
    let id = approved(&server, change("checkout", "updateStrategy", other)).await;
    to(&server, id, "Applied").await.ok();
    server.set_time(START + Duration::minutes(10));
    apply_due(server.app()).unwrap();
    assert_eq!(read(&server, waiting).await["schedule"]["status"], "suspended");
    assert_eq!(
        settings(&server, "checkout").strategies[0].parameters["rollout"],
        "90"
    );
}

#[actix_web::test]
async fn a_suspended_request_is_not_applied_by_hand_but_can_be_approved_and_scheduled_again() {
    let server = server();
    let id = scheduled(&server, update_half(), 10).await;
    edit_settings(&server, "checkout", |settings| {
        settings.strategies[0]
            .parameters
            .insert("rollout".to_owned(), "60".to_owned());
    });
    apply_due(server.app()).unwrap();
    to(&server, id, "Applied")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let at = rfc3339(START + Duration::minutes(20));
    let later = json!({ "state": "Scheduled", "scheduledAt": at });
    to_by(&server, ADMIN, id, later.clone())
        .await
        .refused(StatusCode::CONFLICT, "ConflictError");
    assert_eq!(read(&server, id).await["state"], "In review");
    to(&server, id, "Approved").await.ok();
    let again = to_by(&server, ADMIN, id, later).await.ok();
    assert_eq!(again["schedule"]["status"], "pending");
    server.set_time(START + Duration::minutes(20));
    apply_due(server.app()).unwrap();
    assert_eq!(read(&server, id).await["state"], "Applied");
    assert_eq!(
        settings(&server, "checkout").strategies[0].parameters["rollout"],
        "10"
    );
}

#[actix_web::test]
async fn what_cannot_be_applied_cannot_be_scheduled_either() {
    let server = server();
    let id = scheduled(&server, update_half(), 10).await;
    edit_settings(&server, "checkout", |settings| settings.strategies.clear());
    apply_due(server.app()).unwrap();
    let at = rfc3339(START + Duration::minutes(20));
    let body = json!({ "state": "Scheduled", "scheduledAt": at });
    to_by(&server, ADMIN, id, body)
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(read(&server, id).await["schedule"]["status"], "suspended");
}

fn failing_server() -> (Arc<FailingStore>, TestServer) {
    let store = Arc::new(FailingStore::default());
    let server = TestServer::with(Arc::clone(&store) as Arc<dyn Store>, Limits::default());
    furnish(&server);
    (store, server)
}

#[actix_web::test]
async fn an_attempt_that_fails_is_noted_and_can_be_repeated_by_hand() {
    let (store, server) = failing_server();
    let id = scheduled(&server, turn_off(), 10).await;
    server.set_time(START + Duration::minutes(10));
    store.fail(Some(Outage::Corrupt));
    apply_due(server.app()).unwrap();
    let shown = read(&server, id).await;
    assert_eq!(shown["state"], "Scheduled");
    assert_eq!(shown["schedule"]["status"], "failed");
    let reason = shown["schedule"]["reason"].as_str().unwrap();
    assert!(!reason.contains("nonsense"), "{reason}");
    assert_eq!(shown["schedule"]["failureReason"], reason);
    assert_eq!(
        last_kinds(&server, 1),
        ["change-request-scheduled-application-failure"]
    );
    store.fail(None);
    apply_due(server.app()).unwrap();
    assert!(
        settings(&server, "checkout").enabled,
        "nobody asked for another attempt"
    );
    to(&server, id, "Applied").await.ok();
    assert!(!settings(&server, "checkout").enabled);
}

#[actix_web::test]
async fn while_the_database_is_away_a_schedule_waits() {
    let (store, server) = failing_server();
    let id = scheduled(&server, turn_off(), 10).await;
    server.set_time(START + Duration::minutes(10));
    store.fail(Some(Outage::Away));
    apply_due(server.app()).unwrap();
    assert_eq!(read(&server, id).await["schedule"]["status"], "pending");
    store.fail(None);
    apply_due(server.app()).unwrap();
    assert_eq!(read(&server, id).await["state"], "Applied");
}
