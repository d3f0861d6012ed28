//! States with what the engine cannot read: it is closed there, and every answer says so.

use std::process::Output;

use serde_json::{Value, json};

use vexil_domain::Dependency;

use super::{FEATURES, rollout, server, vexil};
use crate::change_requests::fixture::edit_flag;
use crate::folder::Folder;

/// A state with an unknown operator, a segment and a parent that are not there, and a rollout that is no number.
fn unreadable() -> Value {
    let segment = json!([{ "id": 4, "name": "s", "constraints": [{ "contextName": "age", "operator": "NUM_GT", "value": "many" }] }]);
    json!({ "version": 2, "query": { "environment": "production" }, "segments": segment, "features": [
        { "name": "operator", "enabled": true, "strategies": [{ "name": "default",
            "constraints": [{ "contextName": "country", "operator": "SOUNDS_LIKE", "values": ["NO"] }] }] },
        { "name": "segment", "enabled": true, "strategies": [{ "name": "default", "segments": [9] }, { "name": "default", "segments": [4] }] },
        { "name": "rollout", "enabled": true, "strategies": [{ "name": "flexibleRollout", "parameters": { "rollout": "most" } }] },
        { "name": "parent", "enabled": true, "dependencies": [{ "feature": "gone" }], "strategies": [{ "name": "default" }] },
        { "name": "custom", "enabled": true, "strategies": [{ "name": "onTuesdays" }] },
    ] })
}

/// What is said of it, by place.
const SAID: [(&str, &str); 5] = [
    ("flag `operator`, strategy 0, constraint 0", "SOUNDS_LIKE"),
    (
        "flag `parent`",
        "the parent `gone` does not exist, so the flag is off",
    ),
    (
        "flag `rollout`, strategy 0",
        "parameter `rollout` is missing or no number, so the strategy never holds",
    ),
    (
        "flag `segment`, strategy 0",
        "segment 9 does not exist, so the strategy never holds",
    ),
    (
        "segment 4, constraint 0",
        "`many` is not a number such as 5 or 0.25",
    ),
];

fn assert_said(warnings: &Value, sides: &Value) {
    let told = warnings["notUnderstood"].as_array().unwrap();
    assert_eq!(told.len(), SAID.len(), "{warnings:#}");
    for (one, (place, message)) in told.iter().zip(SAID) {
        assert_eq!(one["place"], place, "{warnings:#}");
        assert!(one["message"].as_str().unwrap().contains(message), "{one}");
        assert_eq!(&one["sides"], sides, "{one}");
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn commands_name_each_place_that_cannot_be_read_on_stderr_and_in_json() {
    let folder = Folder::new();
    let file = |name: &str, content: &Value| folder.json(name, content);
    let state = file("state.json", &unreadable());
    let empty = file("empty.json", &json!({ "version": 2, "features": [] }));
    let off = json!([{ "feature": "rollout", "action": "updateEnabled", "payload": { "enabled": false } }]);
    let changes = file("changes.json", &off);
    let proofs = folder.path("proofs.json");
    let files = ["--state", &state, "--changes", &changes];
    let both = json!(["before", "after"]);
    let commands: [(&str, &[&str], Value); 5] = [
        ("prove", &files, both.clone()),
        ("preview", &files, both.clone()),
        ("compare", &[&state, &state], both),
        ("compare", &[&empty, &state], json!(["after"])),
        ("lint", &files[..2], Value::Null),
    ];
    for (command, arguments, sides) in commands {
        let whole = [&[command][..], arguments].concat();
        let plain = vexil(&whole);
        let json = vexil(&[&whole[..], &["--json"]].concat());
        for output in [&plain, &json] {
            let said = stderr(output);
            let lines: Vec<&str> = said.lines().collect();
            assert_eq!(lines.len(), SAID.len(), "{whole:?} {said}");
            for (line, (place, message)) in lines.iter().zip(SAID) {
                let begin = format!("vexil {command}: warning: ");
                assert!(line.starts_with(&begin), "{line}");
                assert!(line.contains(place) && line.contains(message), "{line}");
            }
        }
        let document: Value = serde_json::from_slice(&json.stdout).unwrap();
        assert_said(&document["warnings"], &sides);
    }
    let markdown = vexil(&[&["prove"][..], &files[..], &["--markdown", "--proofs", &proofs]].concat());
    let shown = String::from_utf8(markdown.stdout).unwrap();
    assert_eq!(shown.matches("- warning: ").count(), SAID.len(), "{shown}");
    let checked = vexil(&[&["prove"][..], &files[..], &["--check", &proofs]].concat());
    assert_eq!(stderr(&checked).lines().count(), SAID.len(), "{checked:?}");
    let sound = vexil(&["compare", &empty, &empty, "--json"]);
    assert_eq!(stderr(&sound), "");
    let document: Value = serde_json::from_slice(&sound.stdout).unwrap();
    assert_eq!(document.get("warnings"), None);
}

#[actix_web::test]
async fn proofs_and_differences_name_what_cannot_be_read_on_both_sides() {
    let (server, _) = server().await;
    let ask = json!({ "before": { "state": unreadable() }, "after": { "environment": "development" } });
    let proof = server.post("/api/admin/playground/proof", ask).await.ok();
    assert_said(&proof["warnings"], &json!(["before"]));

    // a parent and a segment that are not there any more, as a hand in the database may leave them
    let broken = json!({ "name": "child" });
    server.post(FEATURES, broken).await.ok();
    edit_flag(&server, "child", |flag| {
        flag.dependencies.push(Dependency {
            parent: "gone".into(),
            enabled: true,
            variants: Vec::new(),
        });
    });
    let strategy = rollout("50", &["NO"]);
    let questions = json!({
        "project": "default", "environment": "development",
        "changes": [{ "feature": "child", "action": "addStrategy", "payload": strategy }],
    });
    let expected = json!({ "notUnderstood": [{
        "sides": ["before", "after"], "place": "flag `child`",
        "message": "the parent `gone` does not exist, so the flag is off",
    }] });
    for path in ["changes/proof", "changes/diff"] {
        let mut question = questions.clone();
        if path == "changes/diff" {
            question["context"] = json!({ "appName": "a" });
        }
        let answer = server
            .post(&format!("/api/admin/playground/{path}"), question)
            .await
            .ok();
        assert_eq!(answer["warnings"], expected, "{path}");
    }
    // of flags that cannot differ nothing is said
    let other = json!({
        "project": "default", "environment": "development",
        "changes": [{ "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": false } }],
    });
    let answer = server
        .post("/api/admin/playground/changes/proof", other)
        .await
        .ok();
    assert_eq!(answer.get("warnings"), None, "{answer}");
    let insights = server.get("/api/admin/projects/default/insights").await.ok();
    let environments = insights["environments"].as_array().unwrap();
    let closed = &environments[0]["warnings"]["notUnderstood"];
    assert_eq!(closed[0]["place"], "flag `child`", "{insights}");
}
