//! A server in this process, over the store in memory, with a clock that tests set.

use std::sync::{Arc, Mutex};

use actix_http::Request;
use actix_web::body::MessageBody;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::http::{Method, StatusCode, header};
use actix_web::test;
use actix_web::web::Bytes;
use serde_json::Value;
use time::OffsetDateTime;
use time::macros::datetime;
use vexil_service::{App, InitialTokens, Limits, bootstrap};
use vexil_store::{MemoryStore, Store, TokenKind};

use crate::served::{Built, Served};

pub const ADMIN: &str = "*:*.test-admin";
pub const CLIENT: &str = "default:development.test-client";
pub const PRODUCTION_CLIENT: &str = "default:production.test-client";
pub const FRONTEND: &str = "default:development.test-frontend";

/// When tests begin, unless they set the clock.
pub const START: OffsetDateTime = datetime!(2026-11-27 12:30:20 UTC);

/// A server in this process.
#[derive(Clone)]
pub struct TestServer {
    app: App,
    pub store: Arc<dyn Store>,
    pub clock: Arc<Mutex<OffsetDateTime>>,
    built: Arc<Built>,
}

/// What answers requests.
pub trait AnyService:
    Service<Request, Response = ServiceResponse<Self::Body>, Error = actix_web::Error>
{
    /// The body of an answer.
    type Body: MessageBody;
}

impl<S, B> AnyService for S
where
    S: Service<Request, Response = ServiceResponse<B>, Error = actix_web::Error>,
    B: MessageBody,
{
    type Body = B;
}

/// What the server answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub text: String,
    pub bytes: Vec<u8>,
}

impl TestServer {
    pub fn new() -> Self {
        Self::with(Arc::new(MemoryStore::default()), Limits::default())
    }

    pub fn with_limits(limits: Limits) -> Self {
        Self::with(Arc::new(MemoryStore::default()), limits)
    }

    pub fn with(store: Arc<dyn Store>, limits: Limits) -> Self {
        let clock = Arc::new(Mutex::new(START));
        let told = Arc::clone(&clock);
        let app = App::open(
            Arc::clone(&store),
            limits,
            Arc::new(move || *told.lock().unwrap()),
        )
        .unwrap();
        let tokens = [
            (TokenKind::Admin, ADMIN),
            (TokenKind::Client, CLIENT),
            (TokenKind::Client, PRODUCTION_CLIENT),
            (TokenKind::Frontend, FRONTEND),
        ];
        let tokens = tokens.map(|(kind, text)| (kind, text.to_owned())).into();
        bootstrap(&app, &InitialTokens(tokens)).unwrap();
        Self {
            app,
            store,
            clock,
            built: Arc::default(),
        }
    }

    /// What the server keeps in memory.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// The same with another program state, over the same store.
    pub fn with_app(self, app: App) -> Self {
        let built = Arc::default();
        Self { app, built, ..self }
    }

    /// Another node on the same database, with the same clock.
    pub fn another(&self) -> Self {
        let told = Arc::clone(&self.clock);
        let store = Arc::clone(&self.store);
        let app = App::open(
            Arc::clone(&store),
            Limits::default(),
            Arc::new(move || *told.lock().unwrap()),
        )
        .unwrap();
        Self {
            app,
            store,
            clock: Arc::clone(&self.clock),
            built: Arc::default(),
        }
    }

    /// Adds a token of a backend SDK and returns it.
    pub fn add_client_token(&self, text: &str) -> String {
        bootstrap(
            &self.app,
            &InitialTokens(vec![(TokenKind::Client, text.to_owned())]),
        )
        .unwrap();
        text.to_owned()
    }

    pub fn set_time(&self, now: OffsetDateTime) {
        *self.clock.lock().unwrap() = now;
    }

    /// Sends a request with any headers and any body.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Vec<u8>>,
    ) -> Answer {
        ask(&self.service().await, method, path, headers, body.into()).await
    }

    /// What answers requests, to be asked again and again.
    pub async fn service(&self) -> Served {
        self.built.service(&self.app).await
    }

    /// Sends JSON with a token.
    pub async fn call(&self, token: &str, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let mut headers = vec![(header::AUTHORIZATION.as_str(), token)];
        if body.is_some() {
            headers.push((header::CONTENT_TYPE.as_str(), "application/json"));
        }
        self.send(
            method,
            path,
            &headers,
            body.map(Value::to_string).unwrap_or_default(),
        )
        .await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call(ADMIN, Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call(ADMIN, Method::POST, path, Some(&body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.call(ADMIN, Method::PUT, path, Some(&body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.call(ADMIN, Method::PATCH, path, Some(&body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.call(ADMIN, Method::DELETE, path, None).await
    }
}

/// Sends a request with any headers and any body.
pub async fn ask(
    service: &impl AnyService,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: Vec<u8>,
) -> Answer {
    let mut request = test::TestRequest::default()
        .method(method)
        .uri(path)
        .set_payload(body);
    for header in headers {
        request = request.append_header(*header);
    }
    let response = service.call(request.to_request()).await.unwrap();
    let status = response.status().as_u16();
    let headers = response
        .headers()
        .iter()
        .map(|(name, value)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        })
        .collect();
    // what is told as it happens does not end
    let is_stream = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind == "text/event-stream");
    let body = if is_stream {
        Bytes::new()
    } else {
        test::read_body(response).await
    };
    Answer {
        status,
        headers,
        text: String::from_utf8_lossy(&body).into_owned(),
        bytes: body.into(),
    }
}

impl Answer {
    /// The body, which must be JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    /// The first header of a name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The body of a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text);
        if self.text.is_empty() {
            Value::Null
        } else {
            self.json()
        }
    }

    /// Asserts a refusal in the one shape that all errors have, and returns its body.
    #[track_caller]
    pub fn refused(&self, status: StatusCode, name: &str) -> Value {
        assert_eq!(self.status, status.as_u16(), "{}", self.text);
        let body = self.json();
        assert_eq!(body["name"], name, "{body}");
        assert!(body["id"].as_str().is_some_and(|id| id.len() == 36), "{body}");
        assert!(
            body["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty()),
            "{body}"
        );
        let details = body["details"].as_array().unwrap();
        assert!(
            !details.is_empty() && details.iter().all(|detail| detail["message"].is_string()),
            "{body}"
        );
        body
    }
}

/// The places that a refusal names.
pub fn places(refusal: &Value) -> Vec<&str> {
    let details = refusal["details"].as_array().unwrap();
    details
        .iter()
        .filter_map(|detail| detail["path"].as_str())
        .collect()
}
