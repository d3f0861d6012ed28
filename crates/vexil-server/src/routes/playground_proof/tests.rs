use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::http::StatusCode;
use actix_web::rt::time::sleep;
use futures_util::future::poll_fn;
use time::macros::datetime;
use vexil_service::{Limits, TextHolder};
use vexil_store::MemoryStore;

use super::*;

/// More than whatever stands between a writer and its reader can hold.
const LINES: usize = 1_000_000;

fn app() -> App {
    let now = datetime!(2026-11-27 12:00 UTC);
    App::open(
        Arc::new(MemoryStore::new()),
        Limits::default(),
        Arc::new(move || now),
    )
    .unwrap()
}

fn text(lines: usize) -> ProofText {
    let mut rest = TextHolder::default();
    for line in 0..lines {
        rest.take(format!("line {line}\n").as_bytes());
    }
    ProofText::new(b"opening\n".to_vec(), rest.finish())
}

async fn answered(app: &App, lines: usize) -> HttpResponse {
    let reply = answer(app, Accepted::Plain, move |_| Ok(text(lines))).await;
    let response = Reply::of(reply).into_response();
    assert_eq!(response.status(), StatusCode::OK);
    response
}

async fn piece(body: &mut BoxBody) -> Option<Vec<u8>> {
    let piece = poll_fn(|context| Pin::new(&mut *body).poll_next(context)).await;
    piece.map(|piece| piece.unwrap().to_vec())
}

/// Whether no answer takes any room.
fn is_free(app: &App) -> bool {
    app.memory.answers.try_take(usize::MAX).is_some()
}

#[actix_web::test]
async fn a_short_proof_is_sent_at_once_and_says_how_long_it_is() {
    let app = app();
    let body = answered(&app, 1).await.into_body();
    assert_eq!(body.size(), BodySize::Sized(15));
    assert_eq!(body.try_into_bytes().unwrap(), "opening\nline 0\n");
    assert!(is_free(&app));
}

#[actix_web::test]
async fn a_long_proof_comes_whole_and_takes_room_until_then() {
    let app = app();
    let mut body = answered(&app, LINES).await.into_body();
    assert!(!is_free(&app));
    let mut told = Vec::new();
    while let Some(piece) = piece(&mut body).await {
        told.extend(piece);
    }
    let mut lines = told.split(|byte| *byte == b'\n');
    assert_eq!(lines.next(), Some(&b"opening"[..]));
    assert_eq!(lines.next_back(), Some(&b""[..]));
    let all = (0..LINES).map(|line| format!("line {line}").into_bytes());
    assert!(lines.map(<[u8]>::to_vec).eq(all));
    assert!(freed(&app).await);
}

#[actix_web::test]
async fn for_a_client_that_goes_away_nothing_more_is_written() {
    let app = app();
    let mut body = answered(&app, LINES).await.into_body();
    assert_eq!(piece(&mut body).await.as_deref(), Some(&b"opening\n"[..]));
    assert!(!is_free(&app), "most is not written yet");
    drop(body);
    assert!(freed(&app).await, "the writer has ended");
}

#[actix_web::test]
async fn a_long_proof_for_which_there_is_no_room_is_refused_before_it_is_begun() {
    let app = app();
    let held = app.memory.answers.try_take(usize::MAX);
    let reply = answer(&app, Accepted::Plain, |_| Ok(text(LINES))).await;
    assert_eq!(
        Reply::of(reply).into_response().status(),
        StatusCode::SERVICE_UNAVAILABLE
    );
    drop(held);
}

/// Waits until no answer takes any room.
async fn freed(app: &App) -> bool {
    let begun = Instant::now();
    while !is_free(app) && begun.elapsed() < Duration::from_secs(10) {
        sleep(Duration::from_millis(5)).await;
    }
    is_free(app)
}
