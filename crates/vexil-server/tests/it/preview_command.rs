//! `vexil preview`: the program itself, from files.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

use crate::folder::Folder;

fn vexil(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vexil"))
        .arg("preview")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn export() -> Value {
    json!({
        "features": [{ "name": "checkout", "type": "release", "project": "shop", "stale": false }],
        "featureStrategies": [{
            "name": "default", "id": "s1", "featureName": "checkout", "segments": [],
            "constraints": [{ "contextName": "country", "operator": "IN", "values": ["NO"] }],
        }],
        "featureEnvironments": [{ "enabled": true, "featureName": "checkout", "environment": "production", "variants": [] }],
        "segments": [], "dependencies": [],
    })
}

fn client_features() -> Value {
    json!({
        "version": 2,
        "features": [{
            "name": "checkout", "type": "release", "project": "shop", "enabled": true, "variants": [],
            "strategies": [{
                "name": "default", "parameters": {},
                "constraints": [{ "contextName": "country", "operator": "IN", "values": ["NO"] }],
            }],
        }],
        "query": { "environment": "production" },
    })
}

/// Lets Sweden in and Norway out.
fn changes(strategy: &str) -> Value {
    let swedes = json!([{ "contextName": "country", "operator": "IN", "values": ["SE"] }]);
    json!([{ "feature": "checkout", "action": "updateStrategy",
             "payload": { "id": strategy, "name": "default", "constraints": swedes } }])
}

#[test]
fn both_kinds_of_state_give_the_same_preview() {
    let folder = Folder::new();
    for (state, strategy) in [(export(), "s1"), (client_features(), "0")] {
        let (state, changes) = (
            folder.json("state.json", &state),
            folder.json("changes.json", &changes(strategy)),
        );
        let context = "userId=a,b;country=NO,SE,DK";
        let output = vexil(&[
            "--state",
            &state,
            "--changes",
            &changes,
            "--context",
            context,
            "--json",
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&answer["environment"], &answer["project"]),
            (&json!("production"), &json!("shop"))
        );
        let counts = &answer["counts"];
        assert_eq!(
            (&counts["offToOn"], &counts["onToOff"], &counts["unchanged"]),
            (&json!(2), &json!(2), &json!(2))
        );
        let groups = answer["features"][0]["groups"].as_array().unwrap();
        let sentences: Vec<&str> = groups
            .iter()
            .map(|group| group["sentence"].as_str().unwrap())
            .collect();
        assert_eq!(sentences, ["country is NO", "country is SE"]);
    }
}

#[test]
fn a_person_reads_a_table() {
    let folder = Folder::new();
    let (state, changes) = (
        folder.json("state.json", &export()),
        folder.json("changes.json", &changes("s1")),
    );
    let output = vexil(&["--state", &state, "--changes", &changes, "--population", "100"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    for part in [
        "off>on",
        "checkout",
        "on -> off",
        "country is NO",
        "of 100 synthetic users are hit",
    ] {
        assert!(table.contains(part), "no {part} in {table}");
    }
}

#[test]
fn a_broken_expectation_ends_with_1_and_names_the_cell() {
    let folder = Folder::new();
    let (state, changes) = (
        folder.json("state.json", &export()),
        folder.json("changes.json", &changes("s1")),
    );
    let kept = json!([{ "flag": "checkout", "context": "userId=ceo;country=SE", "enabled": true }]);
    let broken = json!([
        { "flag": "checkout", "context": "country=DK", "unchanged": true },
        { "name": "the ceo keeps checkout", "flag": "checkout", "context": "userId=ceo;country=DK,NO", "unchanged": true },
    ]);
    let (kept, broken) = (
        folder.json("kept.json", &kept),
        folder.json("broken.json", &broken),
    );
    let output = vexil(&["--state", &state, "--changes", &changes, "--expect", &kept]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = vexil(&["--state", &state, "--changes", &changes, "--expect", &broken]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    let sentence = "expectation 2 (\"the ceo keeps checkout\") is broken: checkout for userId=ceo, country=NO: was on, becomes off, expected unchanged";
    assert!(told.contains(sentence), "{told}");
    let output = vexil(&[
        "--state",
        &state,
        "--changes",
        &changes,
        "--expect",
        &broken,
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let cells = answer["expectations"]["broken"].as_array().unwrap();
    assert_eq!(
        (cells.len(), &cells[0]["cell"]["context"]["country"]),
        (1, &json!("NO"))
    );
}

#[test]
fn mistakes_end_with_2_and_say_the_way_out() {
    let folder = Folder::new();
    let (state, changes) = (
        folder.json("state.json", &export()),
        folder.json("changes.json", &changes("gone")),
    );
    let empty = folder.json(
        "empty.json",
        &json!([{ "flag": "checkout", "context": "userId=a" }]),
    );
    let fine = folder.json("fine.json", &self::changes("s1"));
    let misspelt = folder.json(
        "misspelt.json",
        &json!([{ "feature": "checkout", "action": "updateEnabled", "payload": { "enable": true } }]),
    );
    let empty_list = folder.json("empty_list.json", &json!([]));
    let nobody = ["--server", "http://127.0.0.1:9", "--change-request", "7"];
    for (arguments, part) in [
        (&["--state", &state][..], "--changes"),
        (&["--state", "missing.json", "--changes", &fine], "missing.json"),
        (
            &["--state", &fine, "--changes", &fine],
            "neither an export nor client features",
        ),
        (&["--state", &state, "--changes", &changes], "gone"),
        (
            &["--state", &state, "--changes", &misspelt],
            "`--changes/0/payload`",
        ),
        (&["--state", &state, "--changes", &empty_list], "`--changes`"),
        (
            &["--state", &state, "--changes", &fine, "--context", "userId"],
            "userId",
        ),
        (
            &["--state", &state, "--changes", &fine, "--environment", "test"],
            "production",
        ),
        (
            &["--state", &state, "--changes", &fine, "--expect", &empty],
            "unchanged",
        ),
        (&nobody, "cannot ask http://127.0.0.1:9"),
        (
            &["--server", "127.0.0.1:9", "--change-request", "7"],
            "such as `https://",
        ),
        (
            &["--server", "ftp://127.0.0.1", "--change-request", "7"],
            "such as `https://",
        ),
        (
            &["--server", "http://", "--change-request", "7"],
            "such as `https://",
        ),
        (
            &["--server", "http://127.0.0.1:9/?x", "--change-request", "7"],
            "such as `https://",
        ),
    ] {
        let output = vexil(arguments);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(part), "{arguments:?}: {told}");
        assert!(!told.contains("/body"), "{arguments:?}: {told}");
    }
}

#[test]
fn the_help_shows_examples_and_exit_codes() {
    let output = vexil(&["--help"]);
    let help = text(&output.stdout);
    assert!(
        help.contains("Examples:") && help.contains("Exit codes:"),
        "{help}"
    );
}

/// `vexil demo`, which ends with this value.
pub(crate) struct Demo {
    process: Child,
    pub(crate) url: String,
    // what it leaves behind when it is killed lies in here
    _folder: Folder,
}

impl Demo {
    pub(crate) fn start() -> Self {
        let folder = Folder::new();
        let mut command = Command::new(env!("CARGO_BIN_EXE_vexil"));
        let command = command
            .args(["demo", "--http-port", "0"])
            .env("TMPDIR", &*folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let found = lines.map_while(Result::ok).find_map(|line| {
            let rest = line.strip_prefix("Vexil demo at ")?;
            rest.split_whitespace().next().map(str::to_owned)
        });
        Self {
            process,
            url: found.unwrap(),
            _folder: folder,
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

#[test]
fn a_server_is_asked_about_its_change_request() {
    let folder = Folder::new();
    let kept = json!([{ "flag": "dark-mode", "context": "userId=a,b", "enabled": true, "unchanged": true }]);
    let kept = folder.json("kept.json", &kept);
    let demo = Demo::start();
    let server = [
        "--server",
        &demo.url,
        "--change-request",
        "1",
        "--token",
        "*:*.demo-admin",
    ];
    let asked = [
        "--context",
        "userId=alice,bob,carol,dave,erin,frank;country=NO,DK",
        "--expect",
        &kept,
        "--json",
    ];
    let output = vexil(&[&server[..], &asked].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["changeRequest"], &answer["combinations"]),
        (&json!(1), &json!(12))
    );
    assert_eq!(answer["features"][0]["name"], "checkout-redesign");
    assert!(answer["counts"]["offToOn"].as_u64().unwrap() > 0, "{answer}");
    assert_eq!(answer["expectations"], json!({ "checked": 1, "broken": [] }));

    let refused = vexil(&[
        "--server",
        &demo.url,
        "--change-request",
        "1",
        "--token",
        "*:*.wrong",
    ]);
    assert_eq!(refused.status.code(), Some(2));
    let told = text(&refused.stderr);
    assert!(
        told.contains("401") && told.contains("--token or VEXIL_TOKEN"),
        "{told}"
    );
}

#[test]
fn the_readme_shows_what_the_demo_answers() {
    let shown = include_str!("../../../../README.md")
        .split("```")
        .map(str::trim_start)
        .find(|block| block.starts_with("Change request 1: "))
        .unwrap();
    let demo = Demo::start();
    let output = vexil(&[
        "--server",
        &demo.url,
        "--token",
        "*:*.demo-admin",
        "--change-request",
        "1",
        "--context",
        "userId=alice,bob,carol;country=NO,SE,DK",
    ]);
    assert_eq!(text(&output.stdout), shown, "{}", text(&output.stderr));
}
