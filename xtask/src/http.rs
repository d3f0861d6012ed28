//! The little of HTTP that driving a server on loopback takes: one request, one connection, JSON both ways.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::outcome::Outcome;
use anyhow::{Context, Error};

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
    /// All before the body, in small letters.
    head: String,
}

impl Answer {
    /// Whether there is such a header.
    pub(crate) fn says_header(&self, name: &str) -> bool {
        let mut lines = self.head.lines().skip(1);
        lines.any(|line| line.split_once(':').is_some_and(|(own, _)| own == name))
    }
}

impl Api {
    /// Sends a request; fails only when there is no answer.
    pub(crate) fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Outcome<Answer> {
        let doing = format!("{method} {path}");
        let host = self.url.strip_prefix("http://").unwrap_or(&self.url);
        let mut stream = TcpStream::connect(host).with_context(|| doing.clone())?;
        stream
            .set_read_timeout(Some(PATIENCE))
            .with_context(|| doing.clone())?;
        let json = body.map(Value::to_string).unwrap_or_default();
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\n");
        request.push_str(&format!("Authorization: {}\r\nConnection: close\r\n", self.token));
        if body.is_some() {
            request.push_str("Content-Type: application/json\r\n");
        }
        if method != "GET" {
            request.push_str(&format!("Content-Length: {}\r\n", json.len()));
        }
        request.push_str(&format!("\r\n{json}"));
        stream
            .write_all(request.as_bytes())
            .with_context(|| doing.clone())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).with_context(|| doing.clone())?;
        parse(&answer).ok_or_else(|| Error::msg(format!("{doing}: no HTTP answer")))
    }

    /// Sends a request that must succeed and gives back its JSON, `null` when there is none.
    pub(crate) fn json(&self, method: &str, path: &str, body: Option<&Value>) -> Outcome<Value> {
        let answer = self.call(method, path, body)?;
        if !(200..300).contains(&answer.status) {
            return Err(Error::msg(format!(
                "{method} {path}: {} {}",
                answer.status, answer.body
            )));
        }
        if answer.body.trim().is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_str(&answer.body).with_context(|| format!("{method} {path} answered no JSON"))
    }
}

/// Splits an answer that was read until the connection closed.
fn parse(answer: &[u8]) -> Option<Answer> {
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let (head, body) = (answer.get(..end)?, answer.get(end + 4..)?);
    let head = String::from_utf8_lossy(head).to_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let chunked = head
        .lines()
        .any(|line| line.trim() == "transfer-encoding: chunked");
    let body = if chunked {
        join_chunks(body)?
    } else {
        body.to_vec()
    };
    Some(Answer {
        status,
        body: String::from_utf8_lossy(&body).into_owned(),
        head,
    })
}

/// The body whose chunks each follow a line with their length, in hexadecimal; the last one is empty.
fn join_chunks(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|bytes| bytes == b"\r\n")?;
        let length = std::str::from_utf8(rest.get(..end)?).ok()?.split(';').next()?;
        let length = usize::from_str_radix(length.trim(), 16).ok()?;
        if length == 0 {
            return Some(body);
        }
        let chunk = rest.get(end + 2..)?;
        body.extend_from_slice(chunk.get(..length)?);
        rest = chunk.get(length + 2..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn status_and_body_are_read() {
        let answer = parse(b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}").unwrap();
        assert_eq!((answer.status, answer.body.as_str()), (404, "{}"));
    }

    #[test]
    fn chunks_are_joined_and_a_broken_off_body_is_no_answer() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let whole = format!("{head}3\r\n{{\"a\r\nA;x=y\r\n\":12345678\r\n1\r\n}}\r\n0\r\n\r\n");
        assert_eq!(parse(whole.as_bytes()).unwrap().body, "{\"a\":12345678}");
        let broken = whole.strip_suffix("0\r\n\r\n").unwrap();
        assert!(parse(broken.as_bytes()).is_none());
    }

    #[test]
    fn what_is_no_http_is_no_answer() {
        for text in ["", "HTTP/1.1 200 OK\r\n", "nonsense\r\n\r\n"] {
            assert!(parse(text.as_bytes()).is_none(), "{text:?}");
        }
    }
}
