//! Usage: what SDKs report, and what is read back.

mod access;
mod answers;
mod applications;
mod boundaries;
mod bulk;
mod caps;
mod forwarded;
mod half_letters;
mod history;
mod last_hour;
mod minutes;
mod names;
mod reports;
mod resent;
mod said;
mod stream;
mod summary;
mod unknown_flags;

use serde_json::{Value, json};
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

use crate::flags::put_flag;
use crate::support::{Answer, CLIENT, START, TestServer};
use actix_web::http::Method;

/// The usage of a flag, by the name as it stands in a path.
async fn usage(server: &TestServer, encoded: &str) -> Value {
    server
        .get(&format!("/api/admin/client-metrics/features/{encoded}"))
        .await
        .ok()
}

/// What an SDK sends.
fn report_of(application: &str, stop: OffsetDateTime, toggles: &Value) -> Value {
    let date = |instant: OffsetDateTime| instant.format(&Rfc3339).unwrap();
    let start = date(stop - Duration::MINUTE);
    json!({ "appName": application, "instanceId": "i", "bucket": { "start": start, "stop": date(stop), "toggles": toggles } })
}

async fn send_report(server: &TestServer, token: &str, body: &Value) -> Answer {
    server
        .call(token, Method::POST, "/api/client/metrics", Some(body))
        .await
}

/// Reports with the token for development, which must be accepted.
async fn report(server: &TestServer, application: &str, stop: OffsetDateTime, toggles: Value) {
    let answer = send_report(server, CLIENT, &report_of(application, stop, &toggles)).await;
    assert_eq!((answer.status, answer.text.as_str()), (202, ""));
}

/// A server with the live flag `checkout`.
fn server_with_a_flag() -> TestServer {
    let server = TestServer::new();
    put_flag(&server, "checkout", |_| {});
    server
}

/// Some time into the tests.
fn after(duration: Duration) -> OffsetDateTime {
    START + duration
}
