//! A server with flags, a segment and two admins.

use std::sync::Arc;

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_domain::{
    ActivationStrategy, Actor, ActorId, Constraint, FeatureFlag, FlagSettings, Operator, Segment, SegmentId,
    Snapshot,
};
use vexil_service::{InitialTokens, bootstrap};
use vexil_store::{EventFilter, NewEvent, TokenKind};

use crate::support::{ADMIN, Answer, START, TestServer};

pub const OTHER_ADMIN: &str = "*:*.other-admin";
pub const ALL: &str = "/api/admin/projects/default/change-requests";
pub const PROPOSE: &str = "/api/admin/projects/default/environments/development/change-requests";

/// A server with `checkout` (on in development, with strategy `half`), `banner` (off, no strategy) and
/// segment 1 `beta`, which nothing uses.
pub fn server() -> TestServer {
    let server = TestServer::new();
    furnish(&server);
    server
}

/// Puts flags, a segment and a second admin into a server.
pub fn furnish(server: &TestServer) {
    let token = (TokenKind::Admin, OTHER_ADMIN.to_owned());
    bootstrap(server.app(), &InitialTokens(vec![token])).unwrap();
    edit(server, |snapshot| {
        let half = ActivationStrategy::new("half", "flexibleRollout")
            .with_parameter("rollout", "50")
            .with_parameter("stickiness", "default")
            .with_parameter("groupId", "checkout");
        let settings = FlagSettings {
            enabled: true,
            strategies: vec![half],
            variants: Vec::new(),
        };
        let mut checkout = FeatureFlag::new("checkout", "default", START);
        checkout
            .environments
            .insert("development".into(), Arc::new(settings));
        for flag in [checkout, FeatureFlag::new("banner", "default", START)] {
            snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
        }
        let mut country = Constraint::new("country", Operator::In);
        country.values = vec!["NO".to_owned()];
        let segment = Segment::new(SegmentId(1), "beta", vec![country]);
        snapshot.segments.insert(segment.id, Arc::new(segment));
    });
}

/// Edits the configuration beside all rules.
pub fn edit(server: &TestServer, change: impl Fn(&mut Snapshot)) {
    let somebody = Actor {
        id: ActorId(1),
        name: "somebody".to_owned(),
    };
    server
        .app()
        .edit_blocking(&somebody, |tx| {
            change(&mut tx.snapshot);
            Ok(())
        })
        .unwrap();
}

/// Edits one flag beside all rules.
pub fn edit_flag(server: &TestServer, name: &str, change: impl Fn(&mut FeatureFlag)) {
    edit(server, |snapshot| {
        change(Arc::make_mut(snapshot.flags.get_mut(name).unwrap()))
    });
}

/// Edits a flag's settings in development beside all rules.
pub fn edit_settings(server: &TestServer, name: &str, change: impl Fn(&mut FlagSettings)) {
    edit_flag(server, name, |flag| {
        let settings = flag
            .environments
            .get_or_insert_with("development".into(), Arc::default);
        change(Arc::make_mut(settings));
    });
}

/// A flag's settings in development.
pub fn settings(server: &TestServer, name: &str) -> FlagSettings {
    let serving = server.app().serving();
    let flag = serving.snapshot.flags.get(name).unwrap();
    flag.environments
        .get("development")
        .map(|settings| FlagSettings::clone(settings))
        .unwrap_or_default()
}

pub fn change(flag: &str, action: &str, payload: Value) -> Value {
    json!({ "feature": flag, "action": action, "payload": payload })
}

pub fn turn_off() -> Value {
    change("checkout", "updateEnabled", json!({ "enabled": false }))
}

/// Adds changes, and returns the request.
pub async fn propose(server: &TestServer, changes: Value) -> Value {
    server.post(PROPOSE, changes).await.ok()
}

/// Asks for a state.
pub async fn to(server: &TestServer, id: i64, state: &str) -> Answer {
    to_by(server, ADMIN, id, json!({ "state": state })).await
}

/// Asks for a state with a body and a token.
pub async fn to_by(server: &TestServer, token: &str, id: i64, body: Value) -> Answer {
    server
        .call(token, Method::PUT, &format!("{ALL}/{id}/state"), Some(&body))
        .await
}

/// Adds changes, and gets them approved.
pub async fn approved(server: &TestServer, changes: Value) -> i64 {
    let id = number(&propose(server, changes).await);
    to(server, id, "In review").await.ok();
    to(server, id, "Approved").await.ok();
    id
}

/// Adds changes, gets them approved, and schedules them some minutes from the start.
pub async fn scheduled(server: &TestServer, changes: Value, minutes: i64) -> i64 {
    let id = approved(server, changes).await;
    let at = START + time::Duration::minutes(minutes);
    let body = json!({ "state": "Scheduled", "scheduledAt": rfc3339(at) });
    to_by(server, ADMIN, id, body).await.ok();
    id
}

pub fn rfc3339(at: time::OffsetDateTime) -> String {
    at.format(&time::format_description::well_known::Rfc3339).unwrap()
}

/// A change request as it is now.
pub async fn read(server: &TestServer, id: i64) -> Value {
    server.get(&format!("{ALL}/{id}")).await.ok()
}

/// The id of a document.
pub fn number(document: &Value) -> i64 {
    document["id"].as_i64().unwrap()
}

/// The id of the change in a place of a request's first flag.
pub fn change_id(request: &Value, place: usize) -> i64 {
    number(&request["features"][0]["changes"][place])
}

/// The audit log, oldest first.
pub fn events(server: &TestServer) -> Vec<NewEvent> {
    let page = server.app().reader().events(&EventFilter::default()).unwrap();
    page.items.into_iter().rev().map(|event| event.event).collect()
}

/// The kinds of the last entries of the audit log, oldest first.
pub fn last_kinds(server: &TestServer, how_many: usize) -> Vec<String> {
    let events = events(server);
    let skipped = events.len().saturating_sub(how_many);
    events.into_iter().skip(skipped).map(|event| event.kind).collect()
}
