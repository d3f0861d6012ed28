//! What all commands of the program have in common: their help, their exit codes, and readers that leave.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::folder::Folder;

/// A folder with a state and a change of a flag that is drawn by chance for those without a user.
fn folder() -> Folder {
    let folder = Folder::new();
    let rollout = |percent: &str, countries: &[&str]| {
        let variant = |name: &str| json!({ "name": name, "weight": 500, "stickiness": "userId" });
        json!({
            "name": "flexibleRollout",
            "parameters": { "rollout": percent, "stickiness": "userId", "groupId": "checkout" },
            "constraints": [{ "contextName": "country", "operator": "IN", "values": countries }],
            "variants": [variant("blue"), variant("green")],
        })
    };
    let flag = json!({ "name": "checkout", "enabled": true, "strategies": [rollout("0", &["NO"])] });
    folder.json("state.json", &json!({ "version": 2, "features": [flag] }));
    let mut payload = rollout("50", &["NO", "SE"]);
    payload["id"] = json!("0");
    let change = json!({ "feature": "checkout", "action": "updateStrategy", "payload": payload });
    folder.json("changes.json", &json!([change]));
    folder
}

fn command(folder: &Folder, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vexil"));
    command.current_dir(folder).args(arguments.split(' '));
    command
}

fn run(folder: &Folder, arguments: &str) -> Output {
    command(folder, arguments).output().unwrap()
}

fn said(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn help(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_vexil"))
        .args([command, "--help"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{command}");
    String::from_utf8(output.stdout).unwrap()
}

/// The names of the commands, as the program lists them.
fn commands() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_vexil"))
        .arg("--help")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, list) = text.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    list.lines()
        .filter_map(|line| line.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

/// The options that a line for a shell names, once it is one for the program.
fn options(line: &str) -> Option<(String, BTreeSet<String>)> {
    let line = line.trim_start();
    let rest = line
        .strip_prefix("vexil ")
        .or_else(|| line.strip_prefix("cargo run --release -- "))
        .or_else(|| line.split_once("./target/release/vexil ").map(|(_, rest)| rest))?;
    let mut words = rest.split_whitespace();
    let command = words.next()?.to_owned();
    let options = words.filter(|word| word.starts_with("--"));
    Some((command, options.map(str::to_owned).collect()))
}

#[test]
fn every_command_that_answers_tells_its_exit_codes_and_shows_examples() {
    for command in commands() {
        if ["serve", "demo", "admin", "routes", "help"].contains(&command.as_str()) {
            continue;
        }
        let text = help(&command);
        assert!(text.contains("\nExamples:\n  vexil "), "{text}");
        let (_, codes) = text.split_once("\nExit codes:\n").expect(&command);
        let codes: Vec<&str> = codes
            .lines()
            .filter_map(|line| line.trim().split(' ').next())
            .collect();
        assert!(codes.starts_with(&["0", "1", "2"]), "{text}");
    }
}

#[test]
fn whatever_help_readme_and_docs_tell_a_shell_the_program_knows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_dir(root.join("docs")).unwrap();
    let mut texts: Vec<String> = docs
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    texts.push(std::fs::read_to_string(root.join("README.md")).unwrap());
    let known = commands();
    texts.extend(known.iter().filter(|name| *name != "help").map(|name| help(name)));
    let mut seen = 0;
    for line in texts.iter().flat_map(|text| text.lines()) {
        let Some((command, options)) = options(line) else {
            continue;
        };
        if !known.contains(&command) {
            continue;
        }
        seen += 1;
        let help = match command.as_str() {
            "admin" => said(
                &Command::new(env!("CARGO_BIN_EXE_vexil"))
                    .args(["admin", "reset-password", "--help"])
                    .output()
                    .unwrap()
                    .stdout,
            )
            .to_owned(),
            _ => help(&command),
        };
        for option in options {
            let option = option.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '-');
            assert!(
                help.contains(&format!("{option} ")) || help.contains(&format!("{option}\n")),
                "{option} in {line}"
            );
        }
    }
    assert!(seen > 15, "{seen}");
}

/// As `head -1` does once it has its line.
#[test]
fn whoever_reads_no_further_changes_no_exit_code_and_is_told_nothing() {
    let folder = folder();
    for (arguments, code) in [
        ("prove --state state.json --changes changes.json", 0),
        ("prove --state state.json --changes changes.json --json", 0),
        (
            "prove --state state.json --changes changes.json --never country=NO",
            1,
        ),
        ("prove --state state.json --changes changes.json --budget 1", 3),
        (
            "prove --state state.json --changes changes.json --proofs proofs.json",
            0,
        ),
        (
            "prove --state state.json --changes changes.json --check proofs.json",
            0,
        ),
        ("preview --state state.json --changes changes.json", 0),
        ("compare state.json state.json", 0),
        ("lint --state state.json", 1),
        ("routes", 0),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command(&folder, arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments} {output:?}");
        assert_eq!(said(&output.stderr), "", "{arguments}");
    }
    let full = std::fs::File::options().write(true).open("/dev/full");
    if let Ok(full) = full {
        let compare = "compare state.json state.json";
        let output = command(&folder, compare).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

#[test]
fn golden_contexts_stand_for_every_region_that_nothing_is_drawn_for_and_the_others_are_told() {
    let folder = folder();
    let files = "--state state.json --changes changes.json";
    let output = run(
        &folder,
        &format!("prove {files} --golden golden.json --never plan=pro"),
    );
    let proof = said(&output.stdout);
    assert!(
        proof.contains("BROKEN") && !proof.contains("--seed"),
        "nothing is drawn for users: {proof}"
    );
    assert_eq!(said(&output.stderr), "");
    let golden: Value = serde_json::from_slice(&std::fs::read(folder.join("golden.json")).unwrap()).unwrap();
    assert_eq!(golden.as_array().unwrap().len(), 2, "{golden}");
    let kept = run(&folder, &format!("preview {files} --expect golden.json"));
    assert!(
        said(&kept.stdout).contains("2 expectations checked, all are met"),
        "{kept:?}"
    );

    let mut changes: Value =
        serde_json::from_slice(&std::fs::read(folder.join("changes.json")).unwrap()).unwrap();
    changes[0]["payload"]["parameters"]["stickiness"] = json!("random");
    folder.json("changes.json", &changes);
    let output = run(&folder, &format!("prove {files} --golden golden.json"));
    assert!(
        said(&output.stderr).contains("no golden context for 2 of the regions of checkout"),
        "{output:?}"
    );
    let kept = run(&folder, &format!("preview {files} --expect golden.json"));
    assert!(
        said(&kept.stdout).contains("0 expectations checked, there are none in the file"),
        "{kept:?}"
    );
}

#[test]
fn an_expectation_that_cannot_be_asked_is_named_and_needs_no_application() {
    let folder = folder();
    let context = json!({ "country": "DK" });
    folder.json(
        "golden.json",
        &json!([{ "flag": "checkout", "context": context, "unchanged": true }]),
    );
    let asked = "preview --state state.json --changes changes.json --expect golden.json";
    let kept = run(&folder, asked);
    assert_eq!(kept.status.code(), Some(0), "{kept:?}");
    assert!(
        said(&kept.stdout).contains("1 expectation checked, all are met"),
        "{kept:?}"
    );
    folder.json(
        "golden.json",
        &json!([{ "flag": "checkout", "context": 5, "enabled": true }]),
    );
    let refused = run(&folder, asked);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        said(&refused.stderr).starts_with("vexil preview: expectation 1: "),
        "{refused:?}"
    );
}

#[test]
fn an_answer_that_is_none_of_vexil_ends_with_2() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 65_536]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
        }
    });
    for command in ["prove", "preview"] {
        let output = Command::new(env!("CARGO_BIN_EXE_vexil"))
            .args([
                command,
                "--server",
                &format!("http://{address}"),
                "--change-request",
                "1",
            ])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(
            said(&output.stderr).contains("is it Vexil that answers there"),
            "{output:?}"
        );
    }
}

/// What goes wrong is printed, and kept by pipelines.
#[test]
fn no_password_of_an_address_and_no_token_is_printed() {
    let folder = folder();
    for command in ["prove", "preview"] {
        for (server, token, way_out) in [
            ("http://me:s3cret@127.0.0.1:1", "t", "--token"),
            ("http://s3cret@127.0.0.1:1/flags", "t", "--token"),
            ("http://127.0.0.1:1", "s3cret\nmore", "on one line"),
            ("http://127.0.0.1:1", "s3cretß", "on one line"),
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_vexil"))
                .current_dir(&folder)
                .args([command, "--server", server, "--change-request", "1"])
                .env("VEXIL_TOKEN", token)
                .output()
                .unwrap();
            let told = said(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{told}");
            assert!(told.contains(way_out) && !told.contains("s3cret"), "{told}");
        }
    }
}

/// The options of a command that name a file to be read.
fn files_read(help: &str) -> BTreeSet<String> {
    const WRITTEN: [&str; 2] = ["--golden", "--proofs"];
    let options = help.lines().filter_map(|line| line.trim_start().split_once(' '));
    let files = options.filter(|(name, rest)| name.starts_with("--") && rest.contains("FILE>"));
    let files = files.map(|(name, _)| name.to_owned());
    files.filter(|name| !WRITTEN.contains(&name.as_str())).collect()
}

#[test]
fn what_never_ends_is_given_up_with_its_name_and_the_limit_by_every_command() {
    let folder = folder();
    let asked = [
        "preview --state ENDLESS --changes changes.json",
        "preview --state state.json --changes ENDLESS",
        "preview --state state.json --changes changes.json --expect ENDLESS",
        "prove --state ENDLESS --changes changes.json",
        "prove --state state.json --changes ENDLESS",
        "prove --state state.json --changes changes.json --check ENDLESS",
        "compare ENDLESS state.json",
        "compare state.json ENDLESS",
        "lint --state ENDLESS",
    ];
    for command in commands().iter().filter(|name| *name != "help") {
        for option in files_read(&help(command)) {
            let tried = asked.iter().any(|line| {
                line.starts_with(&format!("{command} ")) && line.contains(&format!("{option} ENDLESS"))
            });
            assert!(tried, "{command} {option}");
        }
    }
    let given_up = |output: Output, name: &str| {
        let told = said(&output.stderr).trim_end().to_owned();
        let command = told.split(' ').nth(1).unwrap_or_default().to_owned();
        assert_eq!(output.status.code(), Some(2), "{told}");
        let expected =
            format!("vexil {command} `{name}` does not end within 128 MiB, which is more than is read");
        assert_eq!(told, expected);
    };
    for line in asked {
        given_up(run(&folder, &line.replace("ENDLESS", "/dev/zero")), "/dev/zero");
    }
    let mut yes = Command::new("yes").stdout(Stdio::piped()).spawn().unwrap();
    let pipe = yes.stdout.take().unwrap();
    let output = command(&folder, "lint --state /dev/stdin")
        .stdin(pipe)
        .output()
        .unwrap();
    yes.wait().unwrap();
    given_up(output, "/dev/stdin");
}
