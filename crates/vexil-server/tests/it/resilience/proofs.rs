//! Proofs of thousands of flags are sent while they are read, and memory does not grow with them.

use std::process::Command;

use serde_json::{Value, json};

use super::program::Program;
use super::request;
use crate::folder::Folder;
use crate::support::ADMIN;

const FLAGS: usize = 2_000;
const PATH: &str = "/api/admin/playground/proof";

/// Client features with flags of which the first are on, for eight countries with long names.
fn state(on: usize) -> Value {
    let countries: Vec<String> = (0..8)
        .map(|number| format!("{number}{}", "x".repeat(100)))
        .collect();
    let flag = |number: usize| {
        json!({
            "name": format!("flag-{number:05}"), "enabled": number < on,
            "strategies": [{ "name": "default", "segments": [1] }],
        })
    };
    json!({
        "version": 2,
        "features": (0..FLAGS).map(flag).collect::<Vec<_>>(),
        "segments": [{ "id": 1, "constraints": [{ "contextName": "country", "operator": "IN", "values": countries }] }],
        "query": { "environment": "production" },
    })
}

/// What the program answers to a proof of one state against another.
fn proof(program: &Program, before: &Value, after: &Value) -> String {
    let body = json!({ "before": { "state": before }, "after": { "state": after } }).to_string();
    let reply = super::reply(&mut program.sent(&request("POST", PATH, ADMIN, Some(&body))));
    assert_eq!(reply.status, 200, "{}", reply.text);
    if reply
        .head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked")
    {
        joined(&reply.text)
    } else {
        reply.text
    }
}

/// The text of chunks (RFC 9112, section 7.1).
fn joined(mut chunks: &str) -> String {
    let mut text = String::new();
    loop {
        let (size, rest) = chunks.split_once("\r\n").unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            assert_eq!(rest, "\r\n", "nothing is missing");
            return text;
        }
        text.push_str(&rest[..size]);
        chunks = rest[size..].strip_prefix("\r\n").unwrap();
    }
}

#[test]
fn a_proof_of_thousands_of_flags_comes_whole_and_memory_hardly_grows() {
    let program = Program::start(&["--request-body-limit", "10000000"]);
    let [off, some, on] = [0, FLAGS / 10, FLAGS].map(state);
    // what the states take, and what is used once for all answers
    for _ in 0..2 {
        proof(&program, &off, &some);
    }
    let before = program.peak();
    let told = proof(&program, &off, &on);
    assert!(told.len() > 4_000_000, "{}", told.len());
    let grown = program.peak().zip(before).map(|(after, before)| after - before);
    println!("{} bytes told, {grown:?} more held", told.len());
    // regions, a document and its text at once would be six times of what is told; some of it is the allocator's
    if let Some(grown) = grown {
        assert!(grown < 3 * told.len(), "{grown} for {}", told.len());
    }

    // the command writes the same document at once
    let folder = Folder::new();
    let [off, on] = [("off", off), ("on", on)].map(|(name, state)| folder.file(name, state.to_string()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_vexil"));
    let output = command
        .arg("compare")
        .args([off, on])
        .arg("--json")
        .output()
        .unwrap();
    let document = String::from_utf8(output.stdout).unwrap();
    let head =
        r#"{"before":{"environment":"production"},"after":{"environment":"production"},"project":null,"#;
    let rest = told.strip_prefix(head).unwrap();
    assert!(document.trim_end().strip_prefix('{') == Some(rest));
}
