//! Requests that come at the same moment.

use std::sync::Arc;

use actix_web::http::StatusCode;
use serde_json::json;
use vexil_service::Limits;
use vexil_store::{MemoryStore, Store};

use super::fixture::{ALL, PROPOSE, approved, furnish, number, read, server, settings, turn_off};
use crate::support::{Answer, TestServer};

const CALLERS: usize = 8;

/// Lets every server propose a change at once, and returns what they answered.
async fn all_propose(servers: Vec<TestServer>) -> Vec<Answer> {
    let calls: Vec<_> = servers
        .into_iter()
        .map(|server| actix_web::rt::spawn(async move { server.post(PROPOSE, turn_off()).await }))
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    answers
}

async fn assert_one_request_with_all_changes(server: &TestServer, answers: &[Answer]) {
    let list = server.get(ALL).await.ok();
    assert_eq!(list.as_array().unwrap().len(), 1);
    let id = number(&list[0]);
    for answer in answers {
        assert_eq!(number(&answer.ok()), id);
    }
    let mut changes: Vec<i64> = read(server, id).await["features"][0]["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(number)
        .collect();
    changes.dedup();
    assert_eq!(changes.len(), CALLERS);
}

#[actix_web::test]
async fn o01_parallel_first_changes_of_one_caller_make_one_request_that_holds_them_all() {
    for _ in 0..10 {
        let server = server();
        let answers = all_propose(vec![server.clone(); CALLERS]).await;
        assert_one_request_with_all_changes(&server, &answers).await;
    }
}

#[actix_web::test]
async fn o01_the_same_holds_over_several_servers_on_one_database() {
    for _ in 0..10 {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let first = TestServer::with(Arc::clone(&store), Limits::default());
        furnish(&first);
        let servers: Vec<TestServer> = (0..CALLERS)
            .map(|_| TestServer::with(Arc::clone(&store), Limits::default()))
            .collect();
        let answers = all_propose(servers).await;
        assert_one_request_with_all_changes(&first, &answers).await;
    }
}

#[actix_web::test]
async fn of_parallel_applies_one_succeeds() {
    let server = server();
    let strategy = super::fixture::change("checkout", "addStrategy", json!({ "name": "default" }));
    let id = approved(&server, strategy).await;
    let calls: Vec<_> = (0..CALLERS)
        .map(|_| {
            let server = server.clone();
            actix_web::rt::spawn(async move {
                server
                    .put(&format!("{ALL}/{id}/state"), json!({ "state": "Applied" }))
                    .await
            })
        })
        .collect();
    let mut applied = 0;
    for call in calls {
        let answer = call.await.unwrap();
        if answer.status == 200 {
            applied += 1;
        } else {
            answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        }
    }
    assert_eq!(applied, 1);
    assert_eq!(settings(&server, "checkout").strategies.len(), 2);
}
