//! Just enough HTTP for the examples: one request for each connection, plain text, no TLS. An application uses a client
//! library.

use std::io::{Error, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) tag: Option<String>,
    pub(crate) body: Vec<u8>,
}

/// A server, such as `http://127.0.0.1:4242`, and the token to ask it with.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) token: String,
}

impl Server {
    /// Asks for a document, unless it is still the one with this tag.
    pub(crate) fn get(&self, path: &str, tag: Option<&str>) -> Result<Answer, Error> {
        let tag = tag.map(|tag| format!("if-none-match: {tag}\r\n"));
        self.ask("GET", path, &tag.unwrap_or_default(), "")
    }

    /// Sends a document.
    pub(crate) fn post(&self, path: &str, body: &str) -> Result<Answer, Error> {
        let head = format!(
            "content-type: application/json\r\ncontent-length: {}\r\n",
            body.len()
        );
        self.ask("POST", path, &head, body)
    }

    fn ask(&self, method: &str, path: &str, head: &str, body: &str) -> Result<Answer, Error> {
        let host = self.url.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host)?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        let request = format!(
            "{method} {path} HTTP/1.0\r\nhost: {host}\r\nauthorization: {}\r\n{head}\r\n{body}",
            self.token
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let end = answer.windows(4).position(|part| part == b"\r\n\r\n");
        let end = end.ok_or_else(|| Error::other("the answer has no head"))?;
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let tag = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("etag").then(|| value.trim().to_owned())
        });
        Ok(Answer {
            status: status.ok_or_else(|| Error::other("the answer has no status"))?,
            tag,
            body: answer.split_off(end + 4),
        })
    }
}
