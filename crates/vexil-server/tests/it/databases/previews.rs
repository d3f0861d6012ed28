//! Preview = apply = read-back, over random instances and random changes of every action, on every
//! database.

use std::sync::Arc;

use actix_web::rt::System;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseResult, TestRunner};
use serde_json::{Value, json};
use vexil_change_request::{ChangeRequest, ChangeRequestId, PlannedChange, Scope, State};
use vexil_domain::{Actor, ActorId, Snapshot, Write};
use vexil_proptest::{arb_context, arb_planned_changes, arb_snapshot};
use vexil_service::Limits;
use vexil_store::{Commit, CommitError, Counters, Store, StoreError};

use super::scratch::Database;
use crate::support::{START, TestServer};

const PROJECT: &str = "default";
const ENVIRONMENT: &str = "development";

/// The same where values are drawn from one number.
fn with_seeds(server: TestServer) -> TestServer {
    let app = server.app().clone().with_seeds(Arc::new(|| 7));
    server.with_app(app)
}

fn scope() -> Scope {
    Scope {
        project: PROJECT.into(),
        environment: ENVIRONMENT.into(),
        request: Some(ChangeRequestId(1)),
        now: START,
    }
}

fn arb_case() -> impl Strategy<Value = (Snapshot, Vec<PlannedChange>, Vec<vexil_domain::Context>)> {
    arb_snapshot().prop_flat_map(|snapshot| {
        // one approval must do
        let mut snapshot = snapshot;
        for project in snapshot.projects.values_mut() {
            for rules in Arc::make_mut(project).environments.values_mut() {
                rules.change_requests = None;
            }
        }
        let changes = arb_planned_changes(&snapshot, &scope(), 1..=6);
        (
            Just(snapshot),
            changes,
            proptest::collection::vec(arb_context(), 3),
        )
    })
}

fn in_review(changes: Vec<PlannedChange>) -> ChangeRequest {
    ChangeRequest {
        id: ChangeRequestId(1),
        title: None,
        project: PROJECT.into(),
        environment: ENVIRONMENT.into(),
        min_approvals: 1,
        state: State::InReview,
        changes,
        approvals: Vec::new(),
        rejections: Vec::new(),
        comments: Vec::new(),
        requested_reviewers: Vec::new(),
        created_by: Actor {
            id: ActorId(1),
            name: "ada".to_owned(),
        },
        created_at: START,
        state_timestamps: [(State::InReview, START)].into(),
        schedule: None,
        setback: None,
        earlier_titles: Vec::new(),
    }
}

/// Puts the instance and the change request into an empty store; `false` when a text in them
/// cannot be stored.
fn furnish(store: &dyn Store, snapshot: &Snapshot, changes: Vec<PlannedChange>) -> bool {
    let counters = Counters {
        segment: 1000,
        change_request: 2,
        change: 1000,
        ..Counters::default()
    };
    let commit = Commit {
        expected: 0,
        counters,
        delta: snapshot.since(&Snapshot::default()),
        change_requests: vec![Write::Upsert(Arc::new(in_review(changes)))],
        ..Commit::default()
    };
    match store.commit(&commit) {
        Ok(_) => true,
        Err(CommitError::Store(StoreError::Unstorable(_))) => false,
        Err(error) => panic!("{error}"),
    }
}

fn question(context: &vexil_domain::Context) -> Value {
    let mut sent = serde_json::Map::new();
    sent.insert("appName".to_owned(), json!("a"));
    let fields = [
        ("userId", &context.user_id),
        ("sessionId", &context.session_id),
        ("remoteAddress", &context.remote_address),
        ("environment", &context.environment),
    ];
    for (name, value) in fields {
        sent.extend(
            value
                .as_ref()
                .map(|value| (name.to_owned(), json!(value.replace(',', ";")))),
        );
    }
    let properties: serde_json::Map<_, _> = context
        .properties
        .iter()
        .map(|(name, value)| (name.to_owned(), json!(value.replace(',', ";"))))
        .collect();
    sent.insert("properties".to_owned(), properties.into());
    sent.into()
}

async fn check(
    database: &Database,
    snapshot: &Snapshot,
    changes: Vec<PlannedChange>,
    contexts: &[Value],
) -> TestCaseResult {
    let store = database.open();
    prop_assume!(furnish(&*store, snapshot, changes));
    let server = with_seeds(TestServer::with(store, Limits::default()));
    let path = format!("/api/admin/projects/{PROJECT}/change-requests/1/state");
    server.put(&path, json!({ "state": "Approved" })).await.ok();
    let before = server.app().reader().load().unwrap();

    let mut previews = Vec::new();
    for context in contexts {
        let answer = server
            .post(
                "/api/admin/playground/change-request/1",
                json!({ "context": context }),
            )
            .await;
        prop_assert!(
            matches!(answer.status, 200 | 400),
            "{} {}",
            answer.status,
            answer.text
        );
        previews.push(answer);
    }
    prop_assert_eq!(
        &server.app().reader().load().unwrap(),
        &before,
        "a preview leaves no trace"
    );

    let applied = server.put(&path, json!({ "state": "Applied" })).await;
    prop_assert!(
        matches!(applied.status, 200 | 400),
        "{} {}",
        applied.status,
        applied.text
    );
    for preview in &previews {
        let refused = preview.status == 400 && !preview.text.contains("/body/");
        prop_assert_eq!(
            refused || preview.text.contains("/body/"),
            applied.status == 400 || preview.text.contains("/body/"),
            "{} {}",
            preview.text,
            applied.text
        );
    }
    if applied.status == 400 {
        prop_assert_eq!(
            &server.app().reader().load().unwrap(),
            &before,
            "a refused apply changes nothing"
        );
        return Ok(());
    }
    let reread = TestServer::with(database.open(), Limits::default());
    prop_assert_eq!(
        &reread.app().serving().snapshot,
        &server.app().serving().snapshot,
        "what is read back is what was applied"
    );
    for side in [server, with_seeds(reread)] {
        for (context, preview) in contexts
            .iter()
            .zip(&previews)
            .filter(|(_, preview)| preview.status == 200)
        {
            let question =
                json!({ "environments": [ENVIRONMENT], "projects": [PROJECT], "context": context });
            let after = side
                .post(
                    "/api/admin/playground/advanced?strategyResult=documented",
                    question,
                )
                .await
                .ok();
            prop_assert_eq!(&after["features"], &preview.json()["features"]);
        }
    }
    Ok(())
}

fn law(cases: u32, database: impl Fn() -> Option<Database>) {
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    });
    let result = runner.run(&arb_case(), |(snapshot, changes, contexts)| {
        let Some(database) = database() else { return Ok(()) };
        let questions: Vec<_> = contexts.iter().map(question).collect();
        System::new().block_on(check(&database, &snapshot, changes, &questions))
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn preview_equals_apply_equals_read_back_in_memory() {
    law(128, || Some(Database::memory()));
}

#[test]
fn preview_equals_apply_equals_read_back_on_sqlite() {
    law(48, || Some(Database::sqlite()));
}

#[test]
fn preview_equals_apply_equals_read_back_on_postgresql() {
    law(24, Database::postgres);
}
