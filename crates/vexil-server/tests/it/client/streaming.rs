//! `GET /api/client/streaming`: what an SDK is told of changes, as they happen.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Service, ServiceResponse};
use actix_web::web::Data;
use actix_web::{App as ActixApp, test};
use vexil_client_api::read_delta;
use vexil_domain::{Context, EnvironmentSnapshot};
use vexil_engine::{Ambient, Engine};
use vexil_server::configure;
use vexil_service::Limits;

use super::*;
use crate::support::START;

const STREAMING: &str = "/api/client/streaming";

/// What is streamed to one client.
pub struct Stream {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    body: Pin<Box<BoxBody>>,
}

/// Opens a stream.
pub async fn open(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Stream {
    let service = test::init_service(
        ActixApp::new()
            .app_data(Data::new(server.app().clone()))
            .configure(|config| configure("", config)),
    )
    .await;
    let mut request = test::TestRequest::get().uri(path);
    if !headers.iter().any(|(name, _)| *name == "accept") {
        request = request.insert_header(("accept", "text/event-stream"));
    }
    for header in headers {
        request = request.append_header(*header);
    }
    let answer: ServiceResponse<_> = service.call(request.to_request()).await.unwrap();
    let headers = answer.headers().iter();
    Stream {
        status: answer.status().as_u16(),
        headers: headers
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect(),
        body: Box::pin(answer.into_body().boxed()),
    }
}

impl Stream {
    /// What comes next within a second; `None` where the stream has ended.
    pub async fn next(&mut self) -> Option<String> {
        let next = poll_fn(|context| self.body.as_mut().poll_next(context));
        let next = tokio::time::timeout(Duration::from_secs(1), next).await;
        let piece = next.unwrap()?;
        Some(String::from_utf8(piece.unwrap().to_vec()).unwrap())
    }

    /// What comes next within some seconds; `None` where the stream has ended.
    pub async fn soon(&mut self) -> Option<String> {
        let next = poll_fn(|context| self.body.as_mut().poll_next(context));
        let next = tokio::time::timeout(Duration::from_secs(20), next).await;
        Some(String::from_utf8(next.unwrap()?.unwrap().to_vec()).unwrap())
    }

    /// The id, the name and the data of the event that comes next.
    pub async fn event(&mut self) -> (String, String, Value) {
        let text = self.next().await.unwrap();
        let field = |name: &str| {
            let mut lines = text.lines();
            lines
                .find_map(|line| line.strip_prefix(name))
                .unwrap_or_default()
                .to_owned()
        };
        assert!(text.ends_with("\n\n"), "{text}");
        let data = serde_json::from_str(&field("data: ")).unwrap();
        (field("id: "), field("event: "), data)
    }
}

async fn stream(server: &TestServer, headers: &[(&str, &str)]) -> Stream {
    let mut all = vec![("authorization", CLIENT)];
    all.extend(headers);
    open(server, STREAMING, &all).await
}

#[actix_web::test]
async fn an_edit_reaches_open_streams_at_once() {
    let server = TestServer::new();
    put_flag(&server, "old", |_| {});
    let mut first = stream(&server, &[]).await;
    assert_eq!(first.status, 200);
    let header = |name: &str| {
        let mut headers = first.headers.iter();
        headers
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    assert_eq!(header("content-type"), Some("text/event-stream"));
    assert_eq!(header("cache-control"), Some("no-store"));
    assert_eq!(header("x-accel-buffering"), Some("no"));
    let (id, name, data) = first.event().await;
    assert_eq!(
        (name.as_str(), data["events"][0]["type"].as_str()),
        ("unleash-connected", Some("hydration"))
    );
    let mut second = stream(&server, &[]).await;
    assert_eq!(second.event().await.0, id);

    put_flag(&server, "new", |_| {});
    let (next, name, data) = first.event().await;
    assert_ne!(next, id);
    assert_eq!(name, "unleash-updated");
    assert_eq!(data["events"][0]["feature"]["name"], "new");
    assert_eq!(second.event().await, (next.clone(), name, data));

    // who comes back goes on from where it was, and hears at once that somebody is there
    let mut back = stream(&server, &[("last-event-id", &id)]).await;
    assert_eq!(back.event().await.0, next);
    let mut back = stream(&server, &[("last-event-id", &next)]).await;
    assert_eq!(back.next().await.unwrap(), ":\n\n");
    let mut back = stream(&server, &[("last-event-id", "nonsense")]).await;
    assert_eq!(back.event().await.1, "unleash-connected");
}

#[actix_web::test]
async fn who_does_not_read_is_told_less_often_and_ends_in_the_same_state() {
    let server = TestServer::new();
    let mut slow = stream(&server, &[]).await;
    slow.event().await;
    for number in 0..100 {
        put_flag(&server, "f", |flag| flag.description = Some(number.to_string()));
    }
    let (_, _, data) = slow.event().await;
    assert_eq!(data["events"].as_array().unwrap().len(), 1);
    assert_eq!(data["events"][0]["feature"]["description"], "99");
}

#[actix_web::test]
async fn an_edit_elsewhere_is_told_to_nobody() {
    let server = TestServer::new();
    let mut production = open(&server, STREAMING, &[("authorization", PRODUCTION_CLIENT)]).await;
    let (id, _, _) = production.event().await;
    let mut development = stream(&server, &[]).await;
    development.event().await;
    put_flag(&server, "f", |flag| on(flag, vec![]));
    production.event().await;
    development.event().await;
    put_flag(&server, "f", |flag| on(flag, vec![for_values("userId", &["a"])]));
    development.event().await;
    put_flag(&server, "g", |_| {});
    let (next, _, data) = production.event().await;
    assert_ne!(id, next);
    assert_eq!(data["events"][0]["feature"]["name"], "g");
}

#[actix_web::test]
async fn a_stream_ends_when_its_token_is_gone() {
    let server = TestServer::new();
    let made = server
        .post(
            "/api/admin/api-tokens",
            json!({ "tokenName": "t", "type": "client", "environment": "development", "projects": ["*"] }),
        )
        .await
        .ok();
    let secret = made["secret"].as_str().unwrap();
    let mut stream = open(&server, STREAMING, &[("authorization", secret)]).await;
    stream.event().await;
    server
        .delete(&format!("/api/admin/api-tokens/{secret}"))
        .await
        .ok();
    assert_eq!(stream.next().await, None);
}

#[actix_web::test]
async fn there_are_so_many_places_and_who_leaves_gives_one_back() {
    let server = TestServer::with_limits(Limits {
        streams: 2,
        ..Limits::default()
    });
    let first = stream(&server, &[]).await;
    let second = stream(&server, &[]).await;
    assert_eq!(stream(&server, &[]).await.status, 429);
    drop(first);
    assert_eq!(stream(&server, &[]).await.status, 200);
    drop(second);
}

#[actix_web::test]
async fn who_does_not_take_events_is_told_how_to_ask() {
    let server = TestServer::new();
    let refused = get(&server, STREAMING, &[("accept", "application/json")]).await;
    let refused = refused.refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("Accept: text/event-stream")
    );
}

/// The steps of file 20 of the client specification, made as edits; a client hears of each.
#[actix_web::test]
async fn a_client_that_listens_decides_as_file_20_of_the_client_specification_says() {
    let server = TestServer::new();
    let mut stream = stream(&server, &[]).await;
    let mut state = EnvironmentSnapshot::default();
    let mut hear = async |stream: &mut Stream| {
        let (_, _, data) = stream.event().await;
        read_delta(data.to_string().as_bytes()).unwrap().apply(&mut state);
        state.clone()
    };
    hear(&mut stream).await;
    for name in ["delta.api.events.updated.1", "delta.api.events.updated.2"] {
        put_flag(&server, name, |flag| {
            on(flag, vec![ActivationStrategy::new(name, "default")])
        });
        hear(&mut stream).await;
    }
    edit(&server, |tx| {
        drop(tx.snapshot.flags.remove("delta.api.events.updated.2"))
    });
    hear(&mut stream).await;
    put_segment(&server, 1, "appName", &["abc", "edf", "gbd"]);
    put_flag(&server, "delta.api.events.updated.3", |flag| {
        let mut strategy = ActivationStrategy::new("3", "default");
        strategy.segments = vec![SegmentId(1)];
        on(flag, vec![strategy]);
    });
    let state = hear(&mut stream).await;
    let (engine, _) = Engine::compile(&state);
    let ambient = Ambient::new(START, 0);
    let app = Context::default().with("appName", "abc");
    let is_on = |name: &str, context: &Context| engine.is_enabled(name, context, &ambient);
    assert!(is_on("delta.api.events.updated.1", &Context::default()));
    assert!(!is_on("delta.api.events.updated.2", &Context::default()));
    assert!(is_on("delta.api.events.updated.3", &app));
    assert!(!is_on("delta.api.events.updated.3", &Context::default()));
}

#[actix_web::test]
async fn whoever_takes_events_in_whatever_words_is_told_them() {
    let server = TestServer::new();
    for (accept, status) in [
        (&[][..], 200),
        (&["text/event-stream"], 200),
        (&["Text/Event-Stream"], 200),
        (&["text/*"], 200),
        (&["*/*"], 200),
        (&[""], 400),
        (&[" , "], 400),
        (&["application/json, text/event-stream;q=0.1"], 200),
        (&["application/json", "text/event-stream"], 200),
        (&["text/event-stream ; charset=utf-8"], 200),
        (&["text/event-stream, */*;q=0"], 200),
        (&["application/json"], 400),
        (&["text/event-stream;q=0"], 400),
        (&["text/event-stream;q=0.000, */*"], 400),
        (&["text/*; Q=0, */*"], 400),
        (&["*/*;q=0"], 400),
        (&["text/event-streams"], 400),
    ] {
        let mut headers = vec![("authorization", CLIENT)];
        headers.extend(accept.iter().map(|value| ("accept", *value)));
        assert_eq!(
            open(&server, STREAMING, &headers).await.status,
            status,
            "{accept:?}"
        );
    }
}
