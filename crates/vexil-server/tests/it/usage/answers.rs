//! Evaluations that the front-end endpoints answer, counted where that is switched on.

use actix_web::http::Method;
use serde_json::json;
use vexil_service::Limits;

use super::usage;
use crate::databases::scratch::Database;
use crate::flags::put_flag;
use crate::support::{FRONTEND, TestServer};

async fn ask(server: &TestServer, application: &str) {
    let path = format!("/api/frontend?appName={application}&userId=u");
    let headers = [("authorization", FRONTEND)];
    assert_eq!(server.send(Method::GET, &path, &headers, "").await.status, 200);
}

/// As the background does, on a thread that may block.
fn store(server: &TestServer) {
    let app = server.app().clone();
    let stored = std::thread::spawn(move || app.store_answer_counts()).join();
    stored.unwrap().unwrap();
}

#[actix_web::test]
async fn what_front_ends_are_answered_counts_once_where_that_is_switched_on() {
    for database in Database::each() {
        let server = TestServer::with(database.open(), Limits::default());
        put_flag(&server, "checkout", |_| {});
        ask(&server, "shop").await;
        store(&server);
        assert_eq!(usage(&server, "checkout").await["lastHourUsage"], json!([]));

        let counting = server.app().clone().with_counted_answers(true);
        let server = server.with_app(counting);
        for application in ["shop", "shop", "till"] {
            ask(&server, application).await;
        }
        for _ in 0..2 {
            store(&server);
            let shown = usage(&server, "checkout").await;
            let item = &shown["lastHourUsage"][0];
            let sum = item["yes"].as_u64().unwrap() + item["no"].as_u64().unwrap();
            assert_eq!((sum, &item["environment"]), (3, &json!("development")));
            assert_eq!(shown["seenApplications"], json!(["shop", "till"]));
        }
    }
}
