//! A database that was put back to an earlier state, from a copy or by a standby that took over, goes on from there: with
//! numbers that there were before, for something else. Nobody takes one for the other.

use std::path::Path;

use actix_web::http::Method;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use serde_json::{Value, json};
use vexil_service::Limits;

use super::scratch::Database;
use crate::support::{CLIENT, TestServer};

const FLAGS: &str = "/api/admin/projects/default/features";
const USAGE: &str = "/api/admin/client-metrics/features/a";
const QUESTIONS: [&str; 4] = [
    "/api/client/features",
    "/api/client/features?project=default",
    "/api/client/features?namePrefix=a",
    "/api/client/delta",
];

async fn switch(server: &TestServer, flag: &str, how: &str) {
    let path = format!("{FLAGS}/{flag}/environments/development/{how}");
    server.post(&path, json!({})).await.ok();
}

async fn report(server: &TestServer, yes: u32) {
    let body = json!({ "appName": "a", "bucket": {
        "start": "2026-11-27T12:20:00Z", "stop": "2026-11-27T12:21:00Z", "toggles": { "a": { "yes": yes, "no": 0 } } } });
    let answer = server
        .call(CLIENT, Method::POST, "/api/client/metrics", Some(&body))
        .await;
    assert_eq!(answer.status, 202, "{}", answer.text);
}

async fn used(server: &TestServer) -> Value {
    let usage = server.get(USAGE).await.ok();
    usage["lastHourUsage"][0]["yes"].clone()
}

/// What an SDK is told that has been told `tag`.
async fn told(server: &TestServer, question: &str, tag: Option<&str>) -> (u16, String, Value) {
    let headers = [
        ("authorization", CLIENT),
        ("if-none-match", tag.unwrap_or("\"\"")),
    ];
    let answer = server.send(Method::GET, question, &headers, "").await;
    let tag = answer.header("etag").unwrap().to_owned();
    let body = serde_json::from_str(&answer.text).unwrap_or_default();
    (answer.status, tag, body)
}

/// A server with flags that are on, and the file of its database, with a copy of that beside it.
async fn server_with_copy(database: &Database) -> (TestServer, &Path) {
    let Database::Sqlite(folder) = database else {
        panic!()
    };
    let server = TestServer::with(database.open(), Limits::default());
    for flag in ["a", "b", "c"] {
        server.post(FLAGS, json!({ "name": flag })).await.ok();
        switch(&server, flag, "on").await;
    }
    report(&server, 1).await;
    server.store.checkpoint().unwrap();
    std::fs::copy(folder.join("vexil.db"), folder.join("copy.db")).unwrap();
    (server, folder)
}

#[derive(QueryableByName)]
struct Table {
    #[diesel(sql_type = Text)]
    name: String,
}

/// Puts the database back to its copy, in one transaction, as SQLite's own tool does.
fn put_back(folder: &Path) {
    let mut connection = SqliteConnection::establish(folder.join("vexil.db").to_str().unwrap()).unwrap();
    let copy = folder.join("copy.db");
    // it waits for servers that write in the background
    connection
        .batch_execute(&format!(
            "pragma busy_timeout = 10000; attach '{}' as copy; begin immediate",
            copy.display()
        ))
        .unwrap();
    let tables = diesel::sql_query("select name from main.sqlite_master where type = 'table'");
    for Table { name } in tables.load::<Table>(&mut connection).unwrap() {
        connection
            .batch_execute(&format!(
                "delete from main.{name}; insert into main.{name} select * from copy.{name}"
            ))
            .unwrap();
    }
    connection.batch_execute("commit").unwrap();
}

#[actix_web::test]
async fn sdks_are_told_everything_where_their_state_was_of_edits_that_are_no_more() {
    let database = Database::sqlite();
    let (before, folder) = server_with_copy(&database).await;
    switch(&before, "a", "off").await;
    switch(&before, "b", "off").await;
    let mut known = Vec::new();
    for question in QUESTIONS {
        known.push(told(&before, question, None).await);
    }
    drop(before);
    put_back(folder);
    let after = TestServer::with(database.open(), Limits::default());
    switch(&after, "c", "off").await;
    switch(&after, "c", "on").await;
    for further in [false, true] {
        if further {
            switch(&after, "c", "off").await;
        }
        for (question, (_, tag, body)) in QUESTIONS.into_iter().zip(&known) {
            let whole = told(&after, question, None).await;
            if !further {
                let number = |body: &Value| body["meta"]["revisionId"].clone();
                assert_eq!(
                    number(body),
                    number(&whole.2),
                    "the same number, or nothing is tried"
                );
            }
            assert_eq!(told(&after, question, Some(tag)).await, whole, "{question}");
            assert_eq!(told(&after, question, Some(&whole.1)).await.0, 304, "{question}");
        }
    }
}

#[actix_web::test]
async fn a_server_whose_database_is_put_back_serves_what_is_there_now() {
    let database = Database::sqlite();
    let (server, folder) = server_with_copy(&database).await;
    let other = TestServer::with(database.open(), Limits::default());
    let body =
        json!({ "tokenName": "t", "type": "client", "environment": "development", "projects": ["default"] });
    let lost = other.post("/api/admin/api-tokens", body).await.ok()["secret"].clone();
    let lost = lost.as_str().unwrap();
    switch(&other, "a", "off").await;
    report(&server, 5).await;
    assert_eq!(used(&server).await, 6);
    server.app().follow_credentials().unwrap();
    let ask = async |server: &TestServer| {
        let answer = server.call(lost, Method::GET, QUESTIONS[0], None).await;
        answer.status
    };
    assert_eq!(ask(&server).await, 200);
    server.app().follow().unwrap();

    put_back(folder);
    let new = TestServer::with(database.open(), Limits::default());
    switch(&new, "c", "off").await;
    switch(&new, "c", "on").await;
    for server in [&server, &other] {
        server.app().follow_credentials().unwrap();
        server.app().follow().unwrap();
        assert_eq!(ask(server).await, 401);
        for question in QUESTIONS {
            assert_eq!(
                told(server, question, None).await,
                told(&new, question, None).await
            );
        }
        assert_eq!(used(server).await, 1);
    }
    report(&server, 1).await;
    assert_eq!(used(&server).await, 2);
    switch(&server, "b", "off").await;
    new.app().follow().unwrap();
    assert_eq!(
        told(&new, QUESTIONS[0], None).await,
        told(&server, QUESTIONS[0], None).await
    );
}
