//! Where nothing that is written would be found again, the server is not ready and acknowledges nothing; SDKs are
//! served on.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use vexil_service::Limits;

use crate::change_requests::failing_store::{FailingStore, Outage};
use crate::databases::scratch::Database;
use crate::support::{Answer, CLIENT, TestServer};
use actix_web::http::Method;

/// What is done to a file, with another file at hand.
type Way<'a> = &'a dyn Fn(&Path, &Path);

const FLAGS: &str = "/api/admin/projects/default/features";

fn report() -> Value {
    json!({ "appName": "a", "bucket": { "start": "2026-11-27T12:20:00Z", "stop": "2026-11-27T12:21:00Z", "toggles": { "f": { "yes": 1, "no": 0 } } } })
}

/// What is answered to everything that would have to be stored.
async fn writes(server: &TestServer) -> [(&'static str, Answer); 4] {
    let registration =
        json!({ "appName": "a", "interval": 10, "started": "2026-11-27T12:00:00Z", "strategies": [] });
    let flag = json!({ "name": format!("f-{}", uuid::Uuid::new_v4()) });
    let post = async |path: &str, body: Value| server.call(CLIENT, Method::POST, path, Some(&body)).await;
    [
        ("/ready", server.get("/ready").await),
        ("an edit", server.post(FLAGS, flag).await),
        ("a report", post("/api/client/metrics", report()).await),
        ("a registration", post("/api/client/register", registration).await),
    ]
}

async fn assert_unusable(server: &TestServer, why: &str) {
    for (what, answer) in writes(server).await {
        assert_eq!(answer.status, 503, "{why}: {what}: {}", answer.text);
        assert!(answer.header("retry-after").is_some(), "{why}: {what}");
        assert!(
            !answer.text.contains("vexil.db"),
            "{why}: {what}: {}",
            answer.text
        );
    }
    let served = server
        .call(CLIENT, Method::GET, "/api/client/features", None)
        .await;
    assert_eq!(served.status, 200, "{why}: {}", served.text);
}

async fn assert_usable(server: &TestServer, why: &str) {
    for (what, answer) in writes(server).await {
        assert!(answer.status < 300, "{why}: {what}: {}", answer.text);
    }
}

#[actix_web::test]
async fn nothing_is_acknowledged_where_nothing_can_be_stored_until_it_can() {
    let store = Arc::new(FailingStore::default());
    let server = TestServer::with(store.clone(), Limits::default());
    for (why, failure) in [
        ("no room", Outage::Full),
        ("read only", Outage::ReadOnly),
        ("no file", Outage::Moved),
        ("a later version", Outage::Newer),
    ] {
        store.fail(Some(failure));
        assert_unusable(&server, why).await;
        store.fail(None);
        assert_usable(&server, why).await;
    }
}

#[actix_web::test]
async fn a_database_file_that_is_gone_or_another_is_noticed_until_it_is_back() {
    let remove = |file: &Path, kept: &Path| std::fs::rename(file, kept).unwrap();
    let replace = |file: &Path, kept: &Path| {
        std::fs::rename(file, kept).unwrap();
        std::fs::copy(kept, file).unwrap();
    };
    let ways: [(&str, Way<'_>); 2] = [("deleted", &remove), ("replaced", &replace)];
    for (why, disturb) in ways {
        let database = Database::sqlite();
        let Database::Sqlite(folder) = &database else {
            panic!()
        };
        let server = TestServer::with(database.open(), Limits::default());
        assert_usable(&server, why).await;
        let (file, kept) = (folder.join("vexil.db"), folder.join("kept.db"));
        disturb(&file, &kept);
        assert_unusable(&server, why).await;
        std::fs::rename(&kept, &file).unwrap();
        assert_usable(&server, why).await;
    }
}
