//! Guards of `vexil prove` from files: what breaks one can be replayed, and what cannot be meant is refused.

use std::process::{Command, Output};

use serde_json::{Value, json};

use super::{state, vexil};
use crate::folder::Folder;

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The change of the only strategy to these parameters and constraints.
fn changed(strategy: Value) -> String {
    let mut payload = strategy;
    payload["id"] = json!("0");
    json!([{ "feature": "checkout", "action": "updateStrategy", "payload": payload }]).to_string()
}

fn constraint(field: &str, operator: &str, value: &str) -> Value {
    match operator {
        "REGEX" => json!({ "contextName": field, "operator": operator, "value": value }),
        _ => json!({ "contextName": field, "operator": operator, "values": [value] }),
    }
}

/// What a shell makes of the line that names an example.
fn replayed(state: &str, changes: &str, guard: &str) -> Value {
    let (_, example) = guard.split_once(", for example by ").unwrap();
    let example = example.replace(" (an empty context)", "");
    let line = format!(
        "'{}' preview --state '{state}' --changes '{changes}' --json --context {example}",
        env!("CARGO_BIN_EXE_vexil")
    );
    let output = Command::new("bash").args(["-c", &line]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{line} {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn whatever_a_context_holds_a_broken_guard_and_golden_contexts_can_be_replayed() {
    let folder = Folder::new();
    let norway = folder.file("state.json", state(&["NO"]).to_string());
    let needles = [
        ",", "a,b", ";", "=", "\\", "\\,", "'", "\"", "`|<b>", "$(id)", "\u{202e}", "\u{1}", "a,b;c=d",
    ];
    let asked = needles.map(|needle| constraint("company", "STR_CONTAINS", needle));
    let others = [
        constraint("company", "REGEX", "^ $"),
        constraint("company", "REGEX", "^\\n,$"),
        constraint("properties", "IN", "x"),
        constraint("a;b", "IN", "x"),
        constraint("a=b", "IN", "x"),
        constraint("currentTime", "IN", "noon"),
        constraint("appName", "IN", "x"),
    ];
    let mut strategies: Vec<Value> = asked
        .into_iter()
        .chain(others)
        .map(|constraint| json!({ "name": "default", "constraints": [constraint] }))
        .collect();
    let rollout = |stickiness: &str| json!({ "name": "flexibleRollout", "parameters": { "rollout": "1", "stickiness": stickiness } });
    strategies.extend(["random", "appName", "default"].map(rollout));
    for strategy in strategies {
        let changes = folder.file("changes.json", changed(strategy.clone()));
        let golden = folder.path("golden.json");
        let files = ["prove", "--state", &norway, "--changes", &changes];
        let guards = ["--never", "country=DK", "--only", "country=", "--golden", &golden];
        let output = vexil(&[&files[..], &guards].concat());
        assert_eq!(output.status.code(), Some(1), "{strategy} {output:?}");
        let said = text(&output);
        let broken: Vec<&str> = said.lines().filter(|line| line.starts_with("guard ")).collect();
        assert_eq!(broken.len(), 2, "{said}");
        for guard in broken {
            let shown = replayed(&norway, &changes, guard);
            assert_eq!(shown["flags"]["changed"], json!(1), "{guard} {shown:#}");
        }
        let files = ["preview", "--state", &norway, "--changes", &changes];
        let kept = vexil(&[&files[..], &["--expect", &golden]].concat());
        assert_eq!(kept.status.code(), Some(0), "{strategy} {kept:?}");
    }
}

#[test]
fn what_cannot_be_meant_ends_with_2_and_nothing_that_is_asked_is_passed_over() {
    let folder = Folder::new();
    let norway = folder.file("state.json", state(&["NO"]).to_string());
    let both = json!({ "name": "default", "constraints": [{ "contextName": "country", "operator": "IN", "values": ["NO", "SE"] }] });
    let changes = folder.file("changes.json", changed(both));
    let proofs = folder.path("proofs.json");
    let prove = |more: &[&str]| {
        let files = ["prove", "--state", &norway, "--changes", &changes];
        vexil(&[&files[..], more].concat())
    };
    assert_eq!(prove(&["--proofs", &proofs]).status.code(), Some(0));
    let effect = format!("sha256:{}", "0".repeat(64));
    for (more, code) in [
        (&["--never", "=SE"][..], 2),
        (&["--never", "country=SE;country=DK"], 2),
        (&["--only", "country=NO, SE"], 2),
        (&["--only", "country=SE "], 2),
        (&["--at-most", "50%%"], 2),
        (&["--at-most=-1%"], 2),
        (&["--at-most", "1e2"], 2),
        (&["--expect-effect", ""], 2),
        (&["--expect-effect", "sha256:0"], 2),
        (&["--expect-effect", &effect[7..]], 2),
        (&["--expect-effect", &effect], 1),
        (&["--expect-effect", &effect, "--budget", "10"], 3),
        (&["--check", &proofs], 0),
        (&["--check", &proofs, "--never", "country=SE"], 2),
        (&["--check", &proofs, "--only", "country=SE"], 2),
        (&["--check", &proofs, "--at-most", "1%"], 2),
        (&["--check", &proofs, "--expect-effect", &effect], 2),
        (&["--check", &proofs, "--golden", &proofs], 2),
        (&["--check", &proofs, "--proofs", &proofs], 2),
        (&["--check", &proofs, "--json"], 2),
        (&["--check", &proofs, "--markdown"], 2),
        (&["--never", "country=SE", "--check"], 1),
        (&["--only", "country=SE", "--check", "--markdown"], 0),
    ] {
        let output = prove(more);
        assert_eq!(output.status.code(), Some(code), "{more:?} {output:?}");
    }
    let json = prove(&["--json", "--expect-effect", &effect]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(
        json["guards"][0],
        json!({ "guard": format!("effect {effect}"), "verdict": "broken" })
    );
}

#[test]
fn a_mark_before_utf_8_is_no_matter_and_utf_16_is_named() {
    let folder = Folder::new();
    let plain = state(&["NO"]).to_string();
    let norway = folder.file("state.json", &plain);
    let marked = folder.file("marked.json", format!("\u{feff}{plain}\r\n"));
    assert_eq!(vexil(&["compare", &norway, &marked]).status.code(), Some(0));
    let wide: Vec<u8> = format!("\u{feff}{plain}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let wide = folder.file("wide.json", wide);
    let refused = vexil(&["compare", &norway, &wide]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("save it as UTF-8"));
}

#[test]
fn a_preview_says_whether_others_change_than_those_that_it_tried() {
    let folder = Folder::new();
    let norway = folder.file("state.json", state(&["NO"]).to_string());
    let changes = folder.file(
        "changes.json",
        changed(json!({ "name": "default", "constraints": [constraint("country", "IN", "SE")] })),
    );
    for (context, said) in [
        (None, "Nobody else changes: proven."),
        (Some("country=NO,SE"), "Nobody else changes: proven."),
        (
            Some("country=NO,DK"),
            "Others change: 1 of 2 regions are not tried here",
        ),
        (
            Some("country=DK"),
            "Others change: 2 of 2 regions are not tried here",
        ),
        (Some(""), "Others change: 2 of 2 regions are not tried here"),
    ] {
        let files = ["preview", "--state", &norway, "--changes", &changes];
        let context = context
            .map(|context| vec!["--context", context])
            .unwrap_or_default();
        let output = vexil(&[&files[..], &context].concat());
        assert!(text(&output).contains(said), "{context:?} {}", text(&output));
    }
}

#[test]
fn a_budget_beside_a_server_ends_with_2_before_it_is_asked() {
    // nobody listens there: an answer would be another one
    let server = ["prove", "--server", "http://127.0.0.1:9", "--change-request", "1"];
    let said = |more: &[&str]| {
        let output = vexil(&[&server[..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let refused = said(&["--budget", "10"]);
    assert_eq!(
        refused,
        "vexil prove: a server has its own limit: leave out `--budget`\n"
    );
    assert!(said(&[]).contains("cannot ask http://127.0.0.1:9"));
}
