//! What an edit comes to when the database does not say.

use std::sync::Arc;

use actix_web::http::StatusCode;
use serde_json::json;
use vexil_service::Limits;

use crate::change_requests::failing_store::{FailingStore, Outage};
use crate::support::TestServer;

const FLAGS: &str = "/api/admin/projects/default/features";

async fn server() -> (TestServer, Arc<FailingStore>) {
    let store = Arc::new(FailingStore::default());
    (TestServer::with(store.clone(), Limits::default()), store)
}

#[actix_web::test]
async fn an_edit_that_was_carried_out_is_a_success_although_the_answer_was_lost() {
    let (server, store) = server().await;
    store.fail(Some(Outage::AnswerLost));
    server.post(FLAGS, json!({ "name": "f" })).await.ok();
    store.fail(None);
    server.get(&format!("{FLAGS}/f")).await.ok();
    server.post(FLAGS, json!({ "name": "g" })).await.ok();
}

#[actix_web::test]
async fn an_edit_that_was_not_carried_out_says_that_nothing_was_changed() {
    let (server, store) = server().await;
    store.fail(Some(Outage::QuestionLost));
    let answer = server.post(FLAGS, json!({ "name": "f" })).await;
    let body = answer.refused(StatusCode::SERVICE_UNAVAILABLE, "ServiceUnavailableError");
    assert!(
        body["message"].as_str().unwrap().contains("Nothing was changed"),
        "{body}"
    );
    assert!(answer.header("retry-after").is_some());
    store.fail(None);
    server.post(FLAGS, json!({ "name": "f" })).await.ok();
}

#[actix_web::test]
async fn an_edit_whose_outcome_nobody_knows_says_so() {
    let (server, store) = server().await;
    store.fail(Some(Outage::Gone));
    let answer = server.post(FLAGS, json!({ "name": "f" })).await;
    let body = answer.refused(StatusCode::GATEWAY_TIMEOUT, "UnknownOutcomeError");
    assert!(
        !body["message"].as_str().unwrap().contains("Nothing was changed"),
        "{body}"
    );
    assert_eq!(
        answer.header("retry-after"),
        None,
        "sending it again may do it twice"
    );
    store.fail(None);
    server.app().follow().unwrap();
    server.get(&format!("{FLAGS}/f")).await.ok();
}
