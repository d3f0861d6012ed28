//! Tokens that Edge gets by itself, with requests that it signs.

mod issued;
mod refusals;

use actix_web::http::{Method, StatusCode};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};
use vexil_service::EdgeClients;

use crate::support::{ADMIN, Answer, START, TestServer};

const PATH: &str = "/edge/issue-token";
const SECRET: &str = "koom8ceiGaeBee9Eivahweideimak4aV";
const OTHER: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// A request as Edge signs it, before it is sent.
#[derive(Clone)]
struct Signed {
    client: &'static str,
    key: &'static str,
    path: &'static str,
    time: String,
    nonce: String,
    body: Vec<u8>,
}

/// The same with what it is sent with.
#[derive(Clone)]
struct Sent {
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Signed {
    fn new(nonce: &str, body: &Value) -> Self {
        Self {
            client: "edge",
            key: SECRET,
            path: PATH,
            time: START.format(&Rfc3339).unwrap(),
            nonce: nonce.to_owned(),
            body: body.to_string().into_bytes(),
        }
    }

    fn at(self, time: OffsetDateTime) -> Self {
        let time = time.format(&Rfc3339).unwrap();
        Self { time, ..self }
    }

    fn sign(&self) -> Sent {
        let digest = hexadecimal(&Sha256::digest(&self.body));
        let text = ["POST", self.path, &self.time, &self.nonce, &digest].join("\n");
        let key = BASE64_URL_SAFE_NO_PAD.decode(self.key).unwrap();
        let mac = Hmac::<Sha256>::new_from_slice(&key).unwrap().chain_update(text);
        let signature = BASE64_URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes());
        Sent {
            headers: vec![
                ("authorization", format!("HMAC {}:{signature}", self.client)),
                ("x-timestamp", self.time.clone()),
                ("x-nonce", self.nonce.clone()),
                ("content-sha256", digest),
                ("content-type", "application/json".to_owned()),
            ],
            body: self.body.clone(),
        }
    }
}

impl Sent {
    fn with(&self, name: &'static str, value: &str) -> Self {
        let mut sent = self.clone();
        sent.headers.retain(|(known, _)| *known != name);
        sent.headers.push((name, value.to_owned()));
        sent
    }

    fn without(&self, name: &'static str) -> Self {
        let mut sent = self.clone();
        sent.headers.retain(|(known, _)| *known != name);
        sent
    }

    fn header(&self, name: &str) -> &str {
        &self.headers.iter().find(|(known, _)| *known == name).unwrap().1
    }

    async fn to(&self, server: &TestServer) -> Answer {
        let headers: Vec<_> = self
            .headers
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        server.send(Method::POST, PATH, &headers, self.body.clone()).await
    }
}

fn knowing(server: TestServer, clients: &[&str]) -> TestServer {
    let clients: Vec<String> = clients.iter().map(|text| (*text).to_owned()).collect();
    let app = server
        .app()
        .clone()
        .with_edge_clients(EdgeClients::read(&clients).unwrap());
    server.with_app(app)
}

fn server() -> TestServer {
    knowing(
        TestServer::new(),
        &[&format!("edge:{SECRET}"), &format!("second:{OTHER}")],
    )
}

fn asking(environment: &str, projects: &[&str]) -> Value {
    json!({ "tokens": [{ "environment": environment, "projects": projects }] })
}

/// The secrets of an answer.
fn secrets(answer: &Answer) -> Vec<String> {
    let tokens = answer.ok()["tokens"].as_array().unwrap().clone();
    tokens
        .iter()
        .map(|token| token["token"].as_str().unwrap().to_owned())
        .collect()
}

async fn issued(server: &TestServer, nonce: &str, body: &Value) -> Vec<String> {
    secrets(&Signed::new(nonce, body).sign().to(server).await)
}

#[track_caller]
fn refused(answer: &Answer, status: StatusCode, name: &str, words: &str) {
    let body = answer.refused(status, name);
    let text = body.to_string();
    assert!(text.contains(words), "{words}: {text}");
}

/// How many tokens Edge clients have, and which.
async fn tokens(server: &TestServer) -> Vec<Value> {
    let all = server.get("/api/admin/api-tokens").await.ok()["tokens"]
        .as_array()
        .unwrap()
        .clone();
    let is_of_edge = |token: &Value| token["tokenName"].as_str().unwrap().starts_with("edge-client:");
    all.into_iter().filter(is_of_edge).collect()
}
