//! Answers that nobody reads.

use std::io::Read;
use std::net::TcpStream;
use std::time::Duration;

use super::{Listening, request, short};
use crate::support::{ADMIN, CLIENT};

/// A server with a flag of some hundred kilobytes.
fn server() -> Listening {
    let server = Listening::with(short());
    for number in 0..20 {
        let name = format!("f{number}");
        let values: Vec<String> = (0..250)
            .map(|value| format!("{value}{}", "x".repeat(90)))
            .collect();
        let mut strategy = serde_json::json!({ "name": "default", "constraints": [] });
        strategy["constraints"] =
            serde_json::json!([{ "contextName": "userId", "operator": "IN", "values": values }]);
        let flags = "/api/admin/projects/default/features";
        let made = server.ask("POST", flags, ADMIN, Some(&format!(r#"{{"name":"{name}"}}"#)));
        assert_eq!(made.status, 201, "{made:?}");
        let path = format!("{flags}/{name}/environments/development/strategies");
        assert_eq!(
            server
                .ask("POST", &path, ADMIN, Some(&strategy.to_string()))
                .status,
            200
        );
    }
    server
}

/// Reads a little, and says whether more would come.
fn is_open(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    loop {
        match stream.read(&mut [0; 65_536]) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return true,
            Err(_) => return false,
        }
    }
}

fn ends(mut stream: TcpStream) {
    assert!(!is_open(&mut stream));
}

#[test]
fn readers_that_do_not_read_hold_no_thread_and_are_cut_off() {
    let server = server();
    let question = r#"{"environments":["development","production"],"projects":"*","context":{"appName":"a","userId":"LIST"}}"#;
    let users: Vec<String> = (0..200).map(|user| format!("u{user}")).collect();
    let question = question.replace("LIST", &users.join(","));
    let streamed = request("POST", "/api/admin/playground/advanced", ADMIN, Some(&question));
    let listed = request("GET", "/api/client/features", CLIENT, None);
    let mut unread = Vec::new();
    for _ in 0..40 {
        unread.push(server.sent(&streamed));
        unread.push(server.sent(&listed));
    }
    server.serves_others();
    unread.into_iter().for_each(ends);
}

#[test]
fn whoever_reads_gets_all_of_a_large_answer() {
    let server = server();
    let reply = server.ask("GET", "/api/client/features", CLIENT, None);
    let body: serde_json::Value = serde_json::from_str(&reply.text).unwrap();
    assert_eq!(body["features"].as_array().unwrap().len(), 20);
    assert!(reply.text.len() > 400_000, "{}", reply.text.len());
}
