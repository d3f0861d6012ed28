//! Requests at the same time: one wins, the others are told so, and nothing happens twice.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{FEATURES, in_development, server_with};
use crate::support::TestServer;

async fn statuses(server: &TestServer, path: &str, body: &Value) -> Vec<u16> {
    let mut statuses: Vec<u16> = join_all((0..12).map(|_| server.post(path, body.clone())))
        .await
        .iter()
        .map(|answer| answer.status)
        .collect();
    statuses.sort_unstable();
    statuses
}

#[actix_web::test]
async fn of_many_equal_creations_one_succeeds_and_the_others_conflict() {
    let server = TestServer::new();
    let cases = [
        (FEATURES, json!({ "name": "checkout" })),
        ("/api/admin/segments", json!({ "name": "s", "constraints": [] })),
        (
            "/api/admin/strategies",
            json!({ "name": "byRegion", "parameters": [] }),
        ),
        ("/api/admin/projects", json!({ "id": "shop", "name": "Shop" })),
        (
            "/api/admin/environments",
            json!({ "name": "staging", "type": "test" }),
        ),
    ];
    for (path, body) in cases {
        let statuses = statuses(&server, path, &body).await;
        assert_eq!((statuses[0], &statuses[1..]), (201, &[409; 11][..]), "{path}");
    }
}

#[actix_web::test]
async fn a_flag_that_is_turned_on_many_times_at_once_gets_one_default_strategy() {
    let server = server_with("checkout").await;
    let path = format!("{FEATURES}/checkout/environments/development");
    let switches = (0..12).map(|turn| {
        let path = format!("{path}/{}", if turn % 3 == 2 { "off" } else { "on" });
        let server = server.clone();
        async move { server.post(&path, json!({})).await.status }
    });
    assert_eq!(join_all(switches).await, [200; 12]);
    assert_eq!(
        in_development(&server, "checkout").await["strategies"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}
