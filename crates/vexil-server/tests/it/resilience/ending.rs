//! The program ends soon after it is told to, whatever its peers do then.

use std::time::Duration;

use super::program::Program;

#[test]
fn it_ends_within_five_seconds_whatever_is_half_sent_or_unread() {
    let program = Program::start(&[]);
    let half = "POST /edge/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let client = crate::support::CLIENT;
    let _held = [
        program.sent(""),
        program.sent("GET /hea"),
        program.sent(half),
        program.sent(&format!("POST /api/client/metrics HTTP/1.1\r\nAuthorization: {client}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{{")),
        program.sent("POST /edge/validate HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\nContent-Type: application/json\r\n\r\n"),
        program.sent("GET /health HTTP/1.1\r\nHost: x\r\n\r\n"),
    ];
    let took = program.end();
    assert!(took < Duration::from_secs(5), "{took:?}");
}
