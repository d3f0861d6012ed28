//! Bodies that never end, come too slowly, or are too many.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::{Listening, reply, request, short};
use crate::support::{ADMIN, CLIENT, FRONTEND};

const HALF: &str = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"tokens\":";

/// One route for each way in which a body is read.
const ROUTES: [(&str, &str, &str); 6] = [
    ("POST", "/edge/validate", ""),
    ("POST", "/auth/simple/login", ""),
    ("POST", "/api/frontend/client/metrics", FRONTEND),
    ("POST", "/api/client/metrics", CLIENT),
    ("POST", "/api/admin/playground", ADMIN),
    ("PATCH", "/api/admin/projects/default/features/f", ADMIN),
];

#[test]
fn a_body_that_does_not_come_is_told_that_it_is_too_slow_on_every_route() {
    let server = Listening::with(short());
    let mut waiting: Vec<TcpStream> = ROUTES
        .iter()
        .map(|(method, path, token)| {
            server.sent(format!(
                "{method} {path} HTTP/1.1\r\nAuthorization: {token}\r\n{HALF}"
            ))
        })
        .collect();
    server.serves_others();
    for stream in &mut waiting {
        reply(stream).refused(408, "RequestTimeoutError");
    }
}

#[test]
fn half_a_chunk_is_too_slow_as_well() {
    let server = Listening::with(short());
    let head = "POST /edge/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{";
    reply(&mut server.sent(head)).refused(408, "RequestTimeoutError");
}

#[test]
fn a_body_that_trickles_is_cut_off_although_something_always_comes() {
    let server = Listening::with(short());
    let mut stream = server.sent(format!("POST /edge/validate HTTP/1.1\r\n{HALF}"));
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let mut sent = 0;
    // 100 bytes are announced; at ten a second they would come in time, were it not too slow
    while sent < 60 && stream.write_all(b"x").is_ok() {
        sent += 1;
        if std::io::Read::read(&mut stream, &mut [0; 12]).is_ok_and(|read| read > 0) {
            break;
        }
    }
    assert!(sent < 60, "it was read for {sent} tenths of a second");
}

#[test]
fn an_upgrade_that_is_not_spoken_here_does_not_make_a_body_that_never_ends() {
    let server = Listening::with(short());
    let body = r#"{"tokens":["x"]}"#;
    let length = body.len();
    for (head, body, status) in [
        (String::new(), "", 400),
        (format!("Content-Length: {length}\r\n"), body, 200),
    ] {
        let text = format!(
            "POST /edge/validate HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\nContent-Type: application/json\r\n{head}\r\n{body}"
        );
        let reply = reply(&mut server.sent(text));
        assert_eq!(reply.status, status, "{reply:?}");
    }
}

#[test]
fn a_body_beyond_the_limit_is_refused_before_it_is_read() {
    let server = Listening::with(short());
    let head = "POST /edge/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n";
    reply(&mut server.sent(head)).refused(413, "PayloadTooLargeError");
}

#[test]
fn many_half_sent_bodies_take_bounded_room_and_keep_nobody_out() {
    let server = Listening::with(short());
    let part = "x".repeat(900 << 10);
    let head = "POST /edge/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n";
    let mut streams = Vec::new();
    for _ in 0..100 {
        let mut stream = server.connect();
        stream.set_write_timeout(Some(Duration::from_millis(20))).unwrap();
        // those that find no room are not read
        let _ = stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(part.as_bytes()));
        streams.push(stream);
    }
    server.serves_others();
}

/// More connections than there may be, none of which sends a whole request.
#[test]
fn half_sent_requests_make_room_for_whole_ones() {
    let limits = vexil_service::Limits {
        connections: 32,
        ..vexil_service::Limits::default()
    };
    let server = Listening::with(limits);
    let mut held = Vec::new();
    for _ in 0..100 {
        held.push(server.sent(format!("POST /edge/validate HTTP/1.1\r\n{HALF}")));
    }
    // after a second those that were waited for longest go
    let begun = Instant::now();
    let mut answered = false;
    while !answered && begun.elapsed() < Duration::from_secs(8) {
        let mut stream = server.sent(request("GET", "/health", "", None));
        answered = reply(&mut stream).status == 200;
    }
    assert!(answered);
}
