//! The difference beside the full preview: 500 flags, 4,096 combinations, 3 changed flags.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a benchmark stops where something is wrong, and prints what it measures"
)]

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::http::header::{AUTHORIZATION, CONTENT_TYPE};
use actix_web::web::Data;
use actix_web::{App as ActixApp, test};
use serde_json::{Value, json};
use time::macros::datetime;
use vexil_server::configure;
use vexil_service::{App, InitialTokens, Limits, bootstrap};
use vexil_store::{MemoryStore, TokenKind};

const ADMIN: &str = "*:*.bench";
const FLAGS: usize = 500;
const CHANGED: usize = 3;

fn main() {
    actix_web::rt::System::new().block_on(run());
}

async fn run() {
    let limits = Limits {
        evaluations: 10_000_000,
        ..Limits::default()
    };
    let clock = Arc::new(|| datetime!(2026-11-27 12:30:20 UTC));
    let app = App::open(Arc::new(MemoryStore::default()), limits, clock).unwrap();
    bootstrap(&app, &InitialTokens(vec![(TokenKind::Admin, ADMIN.to_owned())])).unwrap();
    for flag in 0..FLAGS {
        let path = format!("/api/admin/projects/default/features/flag-{flag}/environments/development");
        ask(
            &app,
            "/api/admin/projects/default/features",
            &json!({ "name": format!("flag-{flag}") }),
        )
        .await;
        ask(
            &app,
            &format!("{path}/strategies"),
            &strategy(flag, "20", &["NO"]),
        )
        .await;
        ask(&app, &format!("{path}/on"), &json!({})).await;
    }
    let changes: Vec<Value> = (0..CHANGED)
        .map(|flag| json!({ "feature": format!("flag-{flag}"), "action": "addStrategy", "payload": strategy(flag, "60", &["SE", "DK"]) }))
        .collect();
    let requests = "/api/admin/projects/default/environments/development/change-requests";
    let (_, _, text) = ask(&app, requests, &json!(changes)).await;
    let opened: Value = serde_json::from_slice(&text).unwrap();
    let opened = if opened.is_array() {
        opened[0].clone()
    } else {
        opened
    };
    let path = format!("/api/admin/playground/change-request/{}", opened["id"]);

    let users: Vec<String> = (0..64).map(|user| format!("user-{user}")).collect();
    let countries = ["NO", "SE", "DK", "FI", "IS", "DE", "FR", "GB"].join(",");
    let context = json!({ "appName": "a", "userId": users.join(","),
                          "properties": { "country": countries, "plan": "free,pro,team,beta,x,y,z,w" } });
    let (full, full_size, _) = ask(&app, &path, &json!({ "context": context })).await;
    let mut fastest = Duration::MAX;
    let mut size = 0;
    for _ in 0..20 {
        let (took, bytes, text) = ask(&app, &format!("{path}/diff"), &json!({ "context": context })).await;
        let answer: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(
            answer["flags"],
            json!({ "compared": CHANGED, "changed": CHANGED, "unchanged": FLAGS - CHANGED })
        );
        assert_eq!(answer["combinations"], 4096);
        fastest = fastest.min(took);
        size = bytes;
    }
    println!("full preview: {:.1} ms, {full_size} bytes", millis(full));
    println!("difference:   {:.2} ms, {size} bytes", millis(fastest));
    println!(
        "the difference takes 1/{:.0} of the time",
        full.as_secs_f64() / fastest.as_secs_f64()
    );
    assert!(size < 1_000_000, "the answer is under 1 MB");
    assert!(
        fastest * 20 < full,
        "it comes in under 1/20 of the time of the full preview"
    );
}

fn millis(took: Duration) -> f64 {
    took.as_secs_f64() * 1000.0
}

fn strategy(flag: usize, percentage: &str, countries: &[&str]) -> Value {
    json!({ "name": "flexibleRollout",
            "parameters": { "rollout": percentage, "stickiness": "userId", "groupId": format!("g{flag}") },
            "constraints": [{ "contextName": "country", "operator": "IN", "values": countries }] })
}

/// Asks the server in this process: how long it took, how many bytes came, and the first of them.
async fn ask(app: &App, path: &str, body: &Value) -> (Duration, usize, Vec<u8>) {
    const KEPT: usize = 1 << 20;
    let service = test::init_service(
        ActixApp::new()
            .app_data(Data::new(app.clone()))
            .configure(|config| configure("", config)),
    )
    .await;
    let request = test::TestRequest::post()
        .uri(path)
        .insert_header((AUTHORIZATION, ADMIN))
        .insert_header((CONTENT_TYPE, "application/json"))
        .set_payload(body.to_string());
    let start = Instant::now();
    let response = test::call_service(&service, request.to_request()).await;
    assert!(response.status().is_success(), "{path}: {}", response.status());
    let mut body = pin!(response.into_body());
    let (mut size, mut kept) = (0, Vec::new());
    while let Some(piece) = poll_fn(|context| body.as_mut().poll_next(context)).await {
        let Ok(piece) = piece else { break };
        size += piece.len();
        if kept.len() < KEPT {
            kept.extend_from_slice(&piece);
        }
    }
    (start.elapsed(), size, kept)
}
