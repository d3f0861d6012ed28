//! The program ends soon after it is told to, whatever its peers do then.

use std::io::{Read, Write};
use std::time::Duration;

use super::program::Program;
use crate::databases::scratch::Database;
use crate::support::ADMIN;

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

/// The answer to a request on a connection of its own.
fn answer(program: &Program, head: &str, body: &str) -> String {
    let length = body.len();
    let mut stream = program.sent(&format!(
        "{head} HTTP/1.1\r\nHost: x\r\nAuthorization: {ADMIN}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ));
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_server_that_was_stopped_leaves_everything_in_the_file_of_its_database() {
    let database = Database::sqlite();
    let Database::Sqlite(folder) = &database else {
        panic!()
    };
    let (file, copy) = (folder.join("vexil.db"), folder.join("copy.db"));
    let flags = "/api/admin/projects/default/features";
    let run = |name: &str, known: &str| {
        let program = Program::start_on(&format!("sqlite:{}", file.display()), &[]);
        let made = answer(
            &program,
            &format!("POST {flags}"),
            &format!(r#"{{"name":"{name}"}}"#),
        );
        assert!(made.starts_with("HTTP/1.1 201"), "{made}");
        let listed = answer(&program, &format!("GET {flags}"), "");
        assert!(listed.contains(known), "{listed}");
        program.end();
        listed
    };
    run("kept", "kept");
    std::fs::copy(&file, &copy).unwrap();
    run("lost", "kept");
    // whoever restores a copy of the file alone has what was there then, and nothing that came later
    std::fs::copy(&copy, &file).unwrap();
    let restored = run("new", "kept");
    assert!(!restored.contains("lost"), "{restored}");
}
