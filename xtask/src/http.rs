//! The little of HTTP that driving a server on loopback takes: one request, one connection, JSON both ways.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::failure::{During, Failure, Outcome};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server and the identity that it is asked with.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    /// `http://HOST:PORT`, nothing after it.
    pub(crate) url: String,
    /// What the header `Authorization` says.
    pub(crate) token: String,
}

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Api {
    /// Sends a request; fails only when there is no answer.
    pub(crate) fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Outcome<Answer> {
        let doing = format!("{method} {path}");
        let host = self.url.strip_prefix("http://").unwrap_or(&self.url);
        let mut stream = TcpStream::connect(host).during(&doing)?;
        stream.set_read_timeout(Some(PATIENCE)).during(&doing)?;
        let json = body.map(Value::to_string).unwrap_or_default();
        let mut request = format!("{method} {path} HTTP/1.0\r\nHost: {host}\r\nAccept: application/json\r\n");
        request.push_str(&format!("Authorization: {}\r\nConnection: close\r\n", self.token));
        if body.is_some() {
            request.push_str("Content-Type: application/json\r\n");
        }
        if method != "GET" {
            request.push_str(&format!("Content-Length: {}\r\n", json.len()));
        }
        request.push_str(&format!("\r\n{json}"));
        stream.write_all(request.as_bytes()).during(&doing)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).during(&doing)?;
        parse(&String::from_utf8_lossy(&answer))
            .ok_or_else(|| Failure::new(format!("{doing}: no HTTP answer")))
    }

    /// Sends a request that must succeed and gives back its JSON, `null` when there is none.
    pub(crate) fn json(&self, method: &str, path: &str, body: Option<&Value>) -> Outcome<Value> {
        let answer = self.call(method, path, body)?;
        if !(200..300).contains(&answer.status) {
            return Err(Failure::new(format!(
                "{method} {path}: {} {}",
                answer.status, answer.body
            )));
        }
        if answer.body.trim().is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_str(&answer.body).during(format_args!("{method} {path} answered no JSON"))
    }
}

/// Splits an answer that was read until the connection closed.
fn parse(text: &str) -> Option<Answer> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer {
        status,
        body: body.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn status_and_body_are_read() {
        let answer = parse("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}").unwrap();
        assert_eq!((answer.status, answer.body.as_str()), (404, "{}"));
    }

    #[test]
    fn what_is_no_http_is_no_answer() {
        for text in ["", "HTTP/1.1 200 OK\r\n", "nonsense\r\n\r\n"] {
            assert!(parse(text).is_none(), "{text:?}");
        }
    }
}
