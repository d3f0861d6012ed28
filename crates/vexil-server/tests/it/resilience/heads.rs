//! Heads of requests that never end, come too slowly, or are no HTTP.

use std::io::{Read, Write};

use super::{Listening, reply, short};
use crate::support::{ADMIN, CLIENT};

#[test]
fn a_head_that_does_not_end_is_told_that_it_is_too_slow() {
    let server = Listening::with(short());
    let mut stream = server.sent("GET /health HTTP/1.1\r\nHost: x\r\n");
    server.serves_others();
    reply(&mut stream).refused(408, "RequestTimeoutError");
}

#[test]
fn the_second_head_on_a_connection_has_a_deadline_too() {
    let server = Listening::with(short());
    let mut stream = server.sent("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
    let mut first = [0; 1024];
    let read = stream.read(&mut first).unwrap();
    assert!(first[..read].starts_with(b"HTTP/1.1 200"));
    stream.write_all(b"GET /health HTTP/1.1\r\nHost").unwrap();
    reply(&mut stream).refused(408, "RequestTimeoutError");
}

#[test]
fn a_connection_on_which_nothing_comes_is_closed_without_a_word() {
    let server = Listening::with(short());
    let reply = reply(&mut server.connect());
    assert_eq!((reply.status, reply.head.as_str()), (0, ""));
}

#[test]
fn what_is_no_request_is_refused_in_the_shape_of_all_errors() {
    let server = Listening::with(short());
    for text in [
        "nonsense\r\n\r\n",
        "GET /health HTTP/1.1\r\nbroken header\r\n\r\n",
        "GET /a b HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: +2\r\n\r\n{}",
        "POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    ] {
        reply(&mut server.sent(text)).refused(400, "BadDataError");
    }
    let head = format!("GET /health HTTP/1.1\r\nX: {}\r\n", "x".repeat(200_000));
    reply(&mut server.sent(head)).refused(431, "HeaderFieldsTooLargeError");
}

#[test]
fn no_answer_is_taken_for_something_else_and_none_that_may_tell_a_secret_is_kept() {
    let server = Listening::with(short());
    let token = r#"{"tokenName":"t","type":"client","environment":"development","projects":["*"]}"#;
    let no_store = "cache-control: no-store";
    for (method, path, token, body, kept) in [
        ("GET", "/health", "", None, false),
        ("GET", "/nowhere", "", None, true),
        ("GET", "/api/client/features", CLIENT, None, true),
        ("GET", "/api/client/features", "unknown", None, true),
        ("GET", "/api/admin/api-tokens", ADMIN, None, false),
        ("POST", "/api/admin/api-tokens", ADMIN, Some(token), false),
        ("POST", "/edge/validate", "", Some(r#"{"tokens":[]}"#), false),
        (
            "POST",
            "/api/admin/playground",
            ADMIN,
            Some(r#"{"environment":"development","projects":"*","context":{"appName":"a"}}"#),
            false,
        ),
    ] {
        let reply = server.ask(method, path, token, body);
        let head = reply.head.to_ascii_lowercase();
        assert!(
            head.contains("x-content-type-options: nosniff"),
            "{method} {path}: {head}"
        );
        assert_eq!(head.contains(no_store), !kept, "{method} {path}: {head}");
    }
}

#[test]
fn a_coding_that_cannot_be_sent_is_refused_in_the_shape_of_all_errors() {
    let server = Listening::with(short());
    for accepted in ["identity;q=0", "*;q=0", "br, identity;q=0"] {
        let text = format!(
            "GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: {accepted}\r\n\r\n"
        );
        reply(&mut server.sent(text)).refused(406, "NotAcceptableError");
    }
}
