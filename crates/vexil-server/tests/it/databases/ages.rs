//! Flags that are older than expected, on each database.

use actix_web::http::Method;
use serde_json::{Value, json};
use time::Duration;
use vexil_service::Limits;
use vexil_service::operations::lifetimes::mark_aged;

use super::scratch::Database;
use crate::support::{CLIENT, START, TestServer};

const FLAGS: &str = "/api/admin/projects/default/features";
const OLD: &str = "/api/admin/search/features?state=IS:potentially-stale&sortBy=name";
const EVENTS: &str = "/api/admin/search/events?type=IS:feature-potentially-stale-on";

async fn names(server: &TestServer) -> Vec<Value> {
    let found = server.get(OLD).await.ok();
    let flags = found["features"].as_array().unwrap().iter();
    flags.map(|flag| flag["name"].clone()).collect()
}

#[actix_web::test]
async fn each_flag_is_marked_once_by_several_servers_and_stays_so_after_a_restart() {
    for database in Database::each() {
        let servers = [(); 2].map(|()| TestServer::with(database.open(), Limits::default()));
        let [first, second] = &servers;
        for name in ["a", "b", "c"] {
            first.post(FLAGS, json!({ "name": name })).await.ok();
        }
        let kind = json!([{ "op": "replace", "path": "/type", "value": "kill-switch" }]);
        first.patch(&format!("{FLAGS}/b"), kind).await.ok();
        let lifetime = json!({ "lifetimeDays": 3 });
        first
            .put("/api/admin/feature-types/release/lifetime", lifetime)
            .await
            .ok();
        let features = first
            .call(CLIENT, Method::GET, "/api/client/features", None)
            .await;
        let tag = features.header("etag").map(str::to_owned);
        std::thread::scope(|scope| {
            for server in &servers {
                server.set_time(START + Duration::days(3));
                scope.spawn(|| {
                    server.app().follow().unwrap();
                    mark_aged(server.app()).unwrap();
                });
            }
        });
        first.app().follow().unwrap();
        second.app().follow().unwrap();
        let restarted = TestServer::with(database.open(), Limits::default());
        for server in [first, second, &restarted] {
            assert_eq!(names(server).await, ["a", "c"]);
            assert_eq!(server.get(EVENTS).await.ok()["total"], 2);
            let types = server.get("/api/admin/feature-types").await.ok();
            assert_eq!(types["types"][0]["lifetimeDays"], 3);
            // no SDK has anything new for that
            let features = server
                .call(CLIENT, Method::GET, "/api/client/features", None)
                .await;
            assert_eq!(features.header("etag").map(str::to_owned), tag);
        }
        restarted
            .put(
                "/api/admin/feature-types/release/lifetime",
                json!({ "lifetimeDays": null }),
            )
            .await
            .ok();
        mark_aged(restarted.app()).unwrap();
        assert_eq!(names(&restarted).await, [""; 0]);
    }
}
