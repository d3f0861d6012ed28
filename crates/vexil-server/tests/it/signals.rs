//! What the program does when it is told something by a signal.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server started by a line for a shell, which stands before the program; and the address that it listens on.
fn start(folder: &Path, before: &str) -> (Child, String) {
    let program = env!("CARGO_BIN_EXE_vexil");
    let mut child = Command::new("sh")
        .args([
            "-c",
            &format!("{before} exec '{program}' serve --http-port 0 --http-workers 1"),
        ])
        .current_dir(folder)
        .env("DATABASE_URL", "sqlite:vexil.db")
        .env("INIT_ADMIN_API_TOKENS", "*:*.signals")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let printed = BufReader::new(child.stdout.take().unwrap()).lines();
    let listens = printed.map(Result::unwrap).find(|line| line.contains("http://"));
    let address = listens.unwrap().rsplit_once("http://").unwrap().1.to_owned();
    (child, address)
}

fn is_alive(address: &str) -> bool {
    ureq::get(format!("http://{address}/health")).call().is_ok()
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_server_whose_terminal_is_closed_stops_as_if_it_was_told_to() {
    let folder = std::env::temp_dir().join(format!("vexil-signals-{}", uuid::Uuid::new_v4().simple()));
    std::fs::create_dir(&folder).unwrap();
    for signal in ["-TERM", "-INT", "-QUIT", "-HUP"] {
        let (mut child, address) = start(&folder, "");
        assert!(is_alive(&address));
        send(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        let log = std::fs::metadata(folder.join("vexil.db-wal"));
        assert_eq!(log.map_or(0, |log| log.len()), 0, "{signal}");
    }
    // as `nohup` starts it
    let (mut child, address) = start(&folder, "trap '' HUP;");
    send(&child, "-HUP");
    assert!(is_alive(&address));
    send(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    std::fs::remove_dir_all(folder).unwrap();
}
