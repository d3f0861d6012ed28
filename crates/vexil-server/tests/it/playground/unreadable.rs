//! Constraints whose own value cannot be read. The door refuses them, so they are put into the store behind it, as an older
//! version or a person with the database open may have left them.

use std::sync::Arc;

use serde_json::{Value, json};
use vexil_domain::{Constraint, FlagName, Operator, SegmentId, Snapshot};
use vexil_store::{Commit, CommitId, Loaded};

use super::{Playground, entry, everybody, preview_path};
use crate::support::TestServer;

/// Puts a constraint into the first strategy of a flag in development.
fn spoil(server: &TestServer, flag: &str, constraint: &Constraint) {
    let loaded = server.store.load().unwrap();
    let mut after = loaded.snapshot.clone();
    let flag = after.flags.get_mut(&FlagName::from(flag)).unwrap();
    let settings = Arc::make_mut(flag).environments.get_mut("development").unwrap();
    let strategies = &mut Arc::make_mut(settings).strategies;
    strategies[0].constraints.push(constraint.clone());
    commit(server, &loaded, &after);
}

fn spoil_segment(server: &TestServer, segment: i64, constraint: &Constraint) {
    let loaded = server.store.load().unwrap();
    let mut after = loaded.snapshot.clone();
    let segment = after.segments.get_mut(&SegmentId(segment)).unwrap();
    Arc::make_mut(segment).constraints.push(constraint.clone());
    commit(server, &loaded, &after);
}

fn commit(server: &TestServer, before: &Loaded, after: &Snapshot) {
    let commit = Commit {
        id: CommitId(1_000 + u128::from(before.revision.sequence)),
        expected: before.revision.sequence,
        expected_mark: before.revision.mark,
        counters: before.counters,
        delta: after.since(&before.snapshot),
        environments: vec!["development".into()],
        ..Commit::default()
    };
    server.store.commit(&commit).unwrap();
}

fn inverted_number(value: &str) -> Constraint {
    let mut constraint = Constraint::new("age", Operator::NumGt);
    constraint.value = Some(value.to_owned());
    constraint.inverted = Some(true);
    constraint
}

#[actix_web::test]
async fn a_constraint_whose_own_value_cannot_be_read_lets_nobody_in_and_is_warned_of() {
    let playground = Playground::new();
    let grown_up = json!([{ "contextName": "age", "operator": "NUM_GTE", "value": "18" }]);
    let segment = playground.segment("grown-ups", grown_up).await;
    let strategy = playground.strategy_of("own", everybody(json!([]))).await;
    let mut by_segment = everybody(json!([]));
    by_segment["segments"] = json!([segment]);
    let of_segment = playground.strategy_of("shared", by_segment).await;
    playground.flag_with("sound", &[everybody(json!([]))]).await;
    let id = playground.idle_request().await;
    spoil(&playground.server, "own", &inverted_number("many"));
    spoil_segment(&playground.server, segment, &inverted_number("1e999"));
    let server = playground.server.another();

    let context = json!({ "appName": "a", "userId": "u", "properties": { "age": "30" } });
    let consequence = "so the constraint never holds, inverted or not";
    let expected = json!({ "unreadableConstraints": [
        {
            "environment": "development", "featureName": "own", "strategyId": strategy, "contextName": "age",
            "message": format!("`many` is not a number such as 5 or 0.25, {consequence}"),
        },
        {
            "environment": "development", "featureName": "shared", "strategyId": of_segment, "segmentId": segment,
            "contextName": "age", "message": format!("`1e999` is not a number such as 5 or 0.25, {consequence}"),
        },
    ]});
    let of_request = json!({ "context": context });
    let advanced =
        json!({ "environments": ["development", "production", "development"], "context": context });
    let simple = json!({ "environment": "development", "context": { "appName": "a", "userId": "u" } });
    for (path, question) in [
        (preview_path(id), of_request),
        ("/api/admin/playground/advanced".to_owned(), advanced),
        ("/api/admin/playground".to_owned(), simple),
    ] {
        let answer = server.post(&path, question).await.ok();
        assert_eq!(answer["warnings"], expected, "{path}");
    }
    let answer = server
        .post(&preview_path(id), json!({ "context": context }))
        .await
        .ok();
    let is_on = |flag: &str| entry(&answer, flag)["isEnabled"] == Value::Bool(true);
    assert_eq!(["own", "shared", "sound"].map(is_on), [false, false, true]);
}
