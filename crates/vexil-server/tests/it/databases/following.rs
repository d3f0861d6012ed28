//! Servers that share a database follow each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use vexil_service::Limits;

use super::scratch::Database;
use crate::flags::put_flag;
use crate::support::{ADMIN, Answer, CLIENT, PRODUCTION_CLIENT, TestServer};

const FLAGS: &str = "/api/admin/projects/default/features";
const FEATURES: &str = "/api/client/features";

fn two(database: &Database) -> [TestServer; 2] {
    [(); 2].map(|()| TestServer::with(database.open(), Limits::default()))
}

async fn features(server: &TestServer, token: &str) -> Answer {
    server.call(token, Method::GET, FEATURES, None).await
}

/// The entity tag and the revision that an SDK is told.
async fn state(server: &TestServer, token: &str) -> (String, Value) {
    let answer = features(server, token).await;
    let revision = answer.ok()["meta"]["revisionId"].clone();
    (answer.header("etag").unwrap().to_owned(), revision)
}

async fn switch(server: &TestServer, environment: &str, how: &str) {
    let path = format!("{FLAGS}/e/environments/{environment}/{how}");
    server.post(&path, json!({})).await.ok();
}

#[actix_web::test]
async fn the_tag_of_an_environment_is_the_same_on_every_server_and_after_a_restart() {
    for database in Database::each() {
        let [first, second] = two(&database);
        first.post(FLAGS, json!({ "name": "e" })).await.ok();
        let development = state(&first, CLIENT).await;
        let mut production = vec![state(&first, PRODUCTION_CLIENT).await];
        for how in ["on", "off"] {
            switch(&first, "production", how).await;
            production.push(state(&first, PRODUCTION_CLIENT).await);
            if how == "on" {
                second.app().follow().unwrap();
                assert_eq!(state(&second, PRODUCTION_CLIENT).await, production[1]);
            }
        }
        second.app().follow().unwrap();
        let restarted = TestServer::with(database.open(), Limits::default());
        for server in [&first, &second, &restarted] {
            assert_eq!(state(server, CLIENT).await, development);
            assert_eq!(
                &state(server, PRODUCTION_CLIENT).await,
                production.last().unwrap()
            );
        }
        let revisions: Vec<_> = production.iter().map(|(_, it)| it.as_u64().unwrap()).collect();
        assert!(revisions.is_sorted_by(|a, b| a < b), "{revisions:?}");
    }
}

#[actix_web::test]
async fn who_asks_for_tags_is_told_the_same_by_every_server_and_after_a_restart() {
    for database in Database::each() {
        let [first, second] = two(&database);
        let body = json!({ "name": "e", "tags": [{ "type": "simple", "value": "größe \" 1" }] });
        first.post(FLAGS, body).await.ok();
        first.post(FLAGS, json!({ "name": "f" })).await.ok();
        let path = format!("{FEATURES}?tag=simple:gr%C3%B6%C3%9Fe%20%22%201");
        let told = async |server: &TestServer| {
            let answer = server.call(CLIENT, Method::GET, &path, None).await;
            let flags = answer.ok()["features"].as_array().unwrap().len();
            (answer.header("etag").unwrap().to_owned(), flags)
        };
        let mut states = Vec::new();
        for edit in [
            json!({ "addedTags": [], "removedTags": [] }),
            json!({ "addedTags": [{ "type": "simple", "value": "größe \" 1" }], "removedTags": [] }),
        ] {
            first.put("/api/admin/features/f/tags", edit).await.ok();
            second.app().follow().unwrap();
            let restarted = TestServer::with(database.open(), Limits::default());
            states.push(told(&first).await);
            for server in [&second, &restarted] {
                assert_eq!(told(server).await, states[states.len() - 1]);
            }
        }
        assert_eq!((states[0].1, states[1].1), (1, 2));
        assert_ne!(states[0].0, states[1].0);
    }
}

#[actix_web::test]
async fn an_environment_that_is_made_again_never_has_a_tag_that_it_had() {
    for database in Database::each() {
        let [first, second] = two(&database);
        let make = json!({ "name": "qa", "type": "test" });
        let tags = async || {
            first.post("/api/admin/environments", make.clone()).await.ok();
            let body = json!({ "tokenName": "t", "type": "client", "environment": "qa", "projects": ["*"] });
            let token = first.post("/api/admin/api-tokens", body).await.ok()["secret"].clone();
            second.app().follow().unwrap();
            let token = token.as_str().unwrap().to_owned();
            let state = state(&second, &token).await;
            first.delete("/api/admin/environments/qa").await.ok();
            state
        };
        let (before, after) = (tags().await, tags().await);
        assert_ne!(before.0, after.0);
        assert!(before.1.as_u64() < after.1.as_u64());
    }
}

#[actix_web::test]
async fn whoever_wrote_reads_it_on_every_server_by_naming_the_revision() {
    for database in Database::each() {
        let [first, second] = two(&database);
        let written = first.post(FLAGS, json!({ "name": "mine" })).await;
        written.ok();
        let revision = written.header("vexil-revision").unwrap();
        let get = async |path: &str, revision: &str| {
            let headers = [("authorization", ADMIN), ("vexil-revision", revision)];
            second.send(Method::GET, path, &headers, "").await
        };
        let path = format!("{FLAGS}/mine");
        assert_eq!(
            second.get(&path).await.status,
            404,
            "it does not follow by itself here"
        );
        for nonsense in ["", "x", "-1", "1e3", "99999999999999999999"] {
            assert_eq!(get(&path, nonsense).await.status, 404, "{nonsense}");
        }
        get(&path, revision).await.ok();
        assert_eq!(get("/health", "18446744073709551615").await.status, 200);
    }
}

#[actix_web::test]
async fn reads_name_no_revision_and_refused_writes_neither() {
    let server = TestServer::new();
    assert_eq!(server.get(FLAGS).await.header("vexil-revision"), None);
    let refused = server.post(FLAGS, json!({})).await;
    refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(refused.header("vexil-revision"), None);
}

#[actix_web::test]
async fn whoever_is_turned_away_on_one_server_is_turned_away_on_others_ahead_of_all_else() {
    for database in Database::each() {
        let [first, second] = two(&database);
        let body = json!({ "username": "ada", "rootRole": "Admin" });
        let ada = first.post("/api/admin/user-admin", body).await.ok()["id"].clone();
        let body = json!({ "description": "laptop", "expiresAt": "2030-01-01T00:00:00Z" });
        let path = format!("/api/admin/user-admin/{ada}/tokens");
        let personal = first.post(&path, body).await.ok()["secret"].clone();
        let body =
            json!({ "tokenName": "t", "type": "client", "environment": "development", "projects": ["*"] });
        let token = first.post("/api/admin/api-tokens", body).await.ok()["secret"].clone();
        let (personal, token) = (personal.as_str().unwrap(), token.as_str().unwrap());
        let me = async || {
            second
                .call(personal, Method::GET, "/api/admin/user", None)
                .await
                .status
        };
        let sdk = async || features(&second, token).await.status;

        second.app().follow_credentials().unwrap();
        assert_eq!(
            (me().await, sdk().await),
            (200, 200),
            "who is let in is known at once as well"
        );
        first.delete(&format!("/api/admin/user-admin/{ada}")).await.ok();
        first.delete(&format!("/api/admin/api-tokens/{token}")).await.ok();
        second.app().follow_credentials().unwrap();
        assert_eq!((me().await, sdk().await), (401, 401));
        second.app().follow().unwrap();
        assert_eq!((me().await, sdk().await), (401, 401));
        second.app().follow_credentials().unwrap();
        assert_eq!((me().await, sdk().await), (401, 401));
    }
}

#[actix_web::test]
async fn whoever_gets_another_role_on_one_server_has_it_on_others() {
    for database in Database::each() {
        let [first, second] = two(&database);
        let body = json!({ "username": "ada", "rootRole": "Admin" });
        let ada = first.post("/api/admin/user-admin", body).await.ok()["id"].clone();
        let body = json!({ "description": "laptop", "expiresAt": "2030-01-01T00:00:00Z" });
        let path = format!("/api/admin/user-admin/{ada}/tokens");
        let personal = first.post(&path, body).await.ok()["secret"].clone();
        let personal = personal.as_str().unwrap();
        second.app().follow().unwrap();
        let users = async || {
            second
                .call(personal, Method::GET, "/api/admin/user-admin", None)
                .await
                .status
        };
        assert_eq!(users().await, 200);
        let body = json!({ "username": "ada", "rootRole": "Viewer" });
        first
            .put(&format!("/api/admin/user-admin/{ada}"), body)
            .await
            .ok();
        second.app().follow_credentials().unwrap();
        assert_eq!(users().await, 403);
    }
}

/// The other server commits without a pause for as long as this one edits.
#[test]
fn an_edit_gets_through_however_fast_another_server_edits() {
    for database in Database::each() {
        let [first, second] = two(&database);
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0.. {
                    if done.load(Ordering::Acquire) {
                        return;
                    }
                    put_flag(&first, &format!("hurried-{}", number % 100), |_| {});
                }
            });
            for number in 0..10 {
                put_flag(&second, &format!("patient-{number}"), |_| {});
            }
            done.store(true, Ordering::Release);
        });
        first.app().follow().unwrap();
        let flags = &first.app().serving().snapshot.flags;
        let patient = flags.keys().filter(|name| name.as_str().starts_with("patient"));
        assert_eq!(patient.count(), 10);
    }
}
