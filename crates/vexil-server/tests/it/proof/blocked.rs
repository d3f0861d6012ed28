//! Change requests that cannot be applied, those that would overwrite a newer edit, and what proofs leave behind.

use std::io::{Read, Write};
use std::net::TcpStream;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, rollout, server, vexil};
use crate::change_requests::fixture::events;
use crate::preview_command::Demo;
use crate::support::{CLIENT, FRONTEND, TestServer};
use crate::users::person;

async fn whole(server: &TestServer, id: i64) -> Value {
    let path = format!("/api/admin/projects/default/change-requests/{id}");
    server.get(&path).await.ok()
}

#[actix_web::test]
async fn a_request_that_cannot_be_applied_has_no_effect_and_holds_no_guard() {
    let (server, id) = server().await;
    let before = whole(&server, id).await;
    let words = before["effect"]["words"].as_str().unwrap();
    assert!(words.contains("checkout off -> on"), "{words}");
    server.delete(&format!("{FEATURES}/checkout")).await.ok();
    let reason = "is archived";
    let effect = whole(&server, id).await["effect"].clone();
    let words = effect["words"].as_str().unwrap();
    assert!(words.starts_with("it cannot be applied: change "), "{words}");
    assert!(words.contains(reason), "{words}");
    let path = format!("/api/admin/playground/change-request/{id}");
    let guard = json!({ "never": ["country=SE"] });
    let context = json!({ "context": { "appName": "a" } });
    for (operation, question) in [("/proof", guard), ("/diff", context.clone()), ("", context)] {
        let refusal = server
            .post(&format!("{path}{operation}"), question)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
        let message = refusal["message"].as_str().unwrap();
        assert!(message.contains("cannot be applied"), "{operation} {message}");
        let details = refusal["details"].to_string();
        assert!(details.contains(reason), "{operation} {details}");
    }
}

#[test]
fn vexil_prove_of_a_request_that_cannot_be_applied_ends_with_2_as_a_preview_does() {
    let demo = Demo::start();
    let address = demo.url.strip_prefix("http://").unwrap().trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    let archive = format!(
        "DELETE {FEATURES}/checkout-redesign HTTP/1.1\r\nHost: {address}\r\nAuthorization: *:*.demo-admin\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(archive.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    for (command, guard) in [
        ("prove", ["--never", "country=XX"]),
        ("preview", ["--context", "userId=u"]),
    ] {
        let server = [
            "--server",
            &demo.url,
            "--change-request",
            "1",
            "--token",
            "*:*.demo-admin",
        ];
        let output = vexil(&[&[command][..], &server[..], &guard].concat());
        assert_eq!(output.status.code(), Some(2), "{command} {output:?}");
        assert_eq!(output.stdout, b"", "{command}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("cannot be applied") && said.contains("is archived"),
            "{command} {said}"
        );
    }
}

#[actix_web::test]
async fn a_proof_says_that_a_newer_edit_would_be_overwritten() {
    let (server, id) = server().await;
    let path = format!("{FEATURES}/checkout/environments/development/strategies");
    let strategies = server.get(&path).await.ok();
    let strategy = strategies[0]["id"].as_str().unwrap();
    server
        .put(&format!("{path}/{strategy}"), rollout("30", &["NO"]))
        .await
        .ok();
    let path = format!("/api/admin/playground/change-request/{id}");
    let proof = server.post(&format!("{path}/proof"), json!({})).await.ok();
    let context = json!({ "context": { "appName": "a" } });
    let diff = server.post(&format!("{path}/diff"), context).await.ok();
    let told = &proof["warnings"]["changeRequestConflicts"];
    assert_eq!(told.as_array().unwrap().len(), 1, "{proof}");
    assert_eq!(told, &diff["warnings"]["changeRequestConflicts"]);
}

/// Everything that could show that something happened.
async fn traces(server: &TestServer, id: i64) -> Value {
    let loaded = server.store.load().unwrap();
    let client = server
        .call(CLIENT, Method::GET, "/api/client/features", None)
        .await;
    let events: Vec<String> = events(server).iter().map(|event| format!("{event:?}")).collect();
    json!([
        format!("{:?}", loaded.snapshot),
        format!("{:?} {:?}", loaded.revision, loaded.counters),
        format!("{:?}", server.app().reader().revision().unwrap()),
        events,
        whole(server, id).await,
        [client.header("etag"), Some(client.text.as_str())],
        server
            .get("/api/admin/client-metrics/features/checkout")
            .await
            .ok(),
    ])
}

#[actix_web::test]
async fn proofs_leave_no_trace() {
    let (server, id) = server().await;
    let before = traces(&server, id).await;
    let change =
        json!([{ "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": false } }]);
    let side = |environment: &str| json!({ "environment": environment });
    for (path, question) in [
        (
            format!("change-request/{id}/proof"),
            json!({ "never": ["country=SE"], "atMost": "1%" }),
        ),
        (
            "changes/proof".to_owned(),
            json!({ "project": "default", "environment": "development", "changes": change }),
        ),
        (
            "proof".to_owned(),
            json!({ "before": side("development"), "after": side("production") }),
        ),
    ] {
        for _ in 0..3 {
            let path = format!("/api/admin/playground/{path}");
            let proof = server.post(&path, question.clone()).await.ok();
            assert_eq!(proof["flags"]["changed"], json!(1), "{proof}");
        }
    }
    assert_eq!(traces(&server, id).await, before);
}

#[actix_web::test]
async fn whoever_may_preview_may_prove_and_nobody_else() {
    let (server, id) = server().await;
    let other = json!({ "id": "other", "name": "Other" });
    server.post("/api/admin/projects", other).await.ok();
    let token = |project: &str, kind: &str| json!({ "tokenName": "t", "type": kind, "environment": "development", "projects": [project] });
    let of_other = server
        .post("/api/admin/api-tokens", token("other", "client"))
        .await
        .ok();
    let of_other = of_other["secret"].as_str().unwrap().to_owned();
    let mut callers = vec![
        (String::new(), 401),
        ("nobody".to_owned(), 401),
        (CLIENT.to_owned(), 403),
        (FRONTEND.to_owned(), 403),
        (of_other, 403),
    ];
    for (name, role) in [("viewer", "Viewer"), ("editor", "Editor"), ("admin", "Admin")] {
        callers.push((person(&server, name, role).await.token, 200));
    }
    let context = json!({ "appName": "a" });
    let changes =
        json!([{ "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": false } }]);
    let draft = |more: &str, value: Value| {
        let mut draft = json!({ "project": "default", "environment": "development", "changes": changes });
        draft[more] = value;
        draft
    };
    let side = |environment: &str| json!({ "environment": environment });
    let asked = [
        (format!("change-request/{id}"), json!({ "context": context })),
        (format!("change-request/{id}/diff"), json!({ "context": context })),
        (format!("change-request/{id}/proof"), json!({})),
        ("changes/diff".to_owned(), draft("context", context.clone())),
        ("changes/proof".to_owned(), draft("never", json!([]))),
        (
            "proof".to_owned(),
            json!({ "before": side("development"), "after": side("production") }),
        ),
    ];
    for (token, status) in &callers {
        for (path, question) in &asked {
            let path = format!("/api/admin/playground/{path}");
            let answer = server.call(token, Method::POST, &path, Some(question)).await;
            assert_eq!(answer.status, *status, "{path} {token} {}", answer.text);
        }
    }
}
