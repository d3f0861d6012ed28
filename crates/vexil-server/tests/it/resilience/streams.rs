//! Those who listen keep nobody else from the server, and it ends without waiting for them.

use std::io::Read;

use super::*;

const LISTEN: &str = "GET /api/client/streaming HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n";

fn listener(server: &Listening) -> TcpStream {
    server.sent(format!("{LISTEN}Authorization: {CLIENT}\r\n\r\n"))
}

/// Reads until this comes.
fn read_until(stream: &mut TcpStream, wanted: &str) {
    read_on_until(stream, wanted);
}

/// Reads until this comes, and says all that came.
fn read_on_until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut text = String::new();
    let mut piece = [0; 4096];
    while !text.contains(wanted) {
        let read = stream.read(&mut piece).unwrap();
        assert_ne!(read, 0, "ended before `{wanted}`: {text}");
        text.push_str(&String::from_utf8_lossy(&piece[..read]));
    }
    text
}

fn create(server: &Listening, name: &str, description: &str) {
    let body = serde_json::json!({ "name": name, "description": description }).to_string();
    let made = server.ask("POST", "/api/admin/projects/default/features", ADMIN, Some(&body));
    assert_eq!(made.status, 201, "{}", made.text);
}

#[test]
fn who_never_reads_is_let_go_and_others_hear_of_every_edit() {
    let mut limits = short();
    limits.deadlines.answer_bytes = 64 << 10;
    let server = Listening::with(limits);
    let mut deaf = listener(&server);
    let mut heard = listener(&server);
    read_until(&mut heard, "unleash-connected");
    let long = "x".repeat(200 << 10);
    for number in 0..60 {
        create(&server, &format!("f{number}"), &long);
        read_until(&mut heard, &format!("\"f{number}\""));
    }
    server.serves_others();
    // nothing is read before the connection is closed; then there is an end
    let begun = Instant::now();
    let mut taken = Vec::new();
    let _ = deaf.read_to_end(&mut taken);
    assert!(begun.elapsed() < FOR_EVER);
    assert!(taken.len() < 12 << 20, "{}", taken.len());
}

#[test]
fn who_listens_for_longer_than_any_answer_may_take_stays() {
    let mut limits = short();
    limits.deadlines.answer = Duration::from_millis(300);
    let server = Listening::with(limits);
    let mut heard = listener(&server);
    read_until(&mut heard, "unleash-connected");
    let mut slow = [0; 1];
    heard.set_read_timeout(Some(Duration::from_millis(1500))).unwrap();
    let waited = heard.read(&mut slow).unwrap_err();
    assert!(matches!(
        waited.kind(),
        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
    ));
    heard.set_read_timeout(Some(FOR_EVER)).unwrap();
    create(&server, "late", "");
    read_until(&mut heard, "\"late\"");
}

/// Chunks are for HTTP/1.1: a proxy or a program of before is told the same, until the connection ends.
#[test]
fn what_is_sent_while_it_is_written_has_no_chunks_before_http_1_1() {
    let server = Listening::with(short());
    let question = r#"{"environments":["development"],"context":{"appName":"x"}}"#;
    let asks = [
        format!(
            "GET /api/client/streaming HTTP/1.0\r\nAccept: text/event-stream\r\nAuthorization: {CLIENT}\r\n"
        ),
        format!("GET /api/admin/live HTTP/1.0\r\nAccept: text/event-stream\r\nAuthorization: {ADMIN}\r\n"),
        format!(
            "POST /api/admin/playground/advanced HTTP/1.0\r\nAuthorization: {ADMIN}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            question.len()
        ),
    ];
    for (ask, begins) in asks.iter().zip(["id: ", "retry: ", "{\"features\":"]) {
        for kept in ["", "Connection: keep-alive\r\n"] {
            let body = if ask.starts_with("POST") { question } else { "" };
            let mut answer = server.sent(format!("{ask}{kept}\r\n{body}"));
            let text = read_on_until(&mut answer, begins);
            let (head, told) = text.split_once("\r\n\r\n").unwrap();
            let head = head.to_ascii_lowercase();
            assert!(head.starts_with("http/1.0 200"), "{head}");
            assert!(
                !head.contains("transfer-encoding") && !head.contains("keep-alive"),
                "{head}"
            );
            assert!(told.starts_with(begins), "{told}");
            if !body.is_empty() {
                let mut rest = String::new();
                answer.read_to_string(&mut rest).unwrap();
                let document = serde_json::from_str::<serde_json::Value>(&format!("{told}{rest}"));
                assert!(document.is_ok(), "{told}{rest}");
            }
        }
    }
}
