//! Real SDKs, each driven by a small script that decides everything once and reports its usage.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::decision::Decision;
use super::scenario::Scenario;
use crate::http::Api;
use crate::metadata::target_directory;
use crate::npm;
use crate::outcome::{Outcome, missing};
use crate::program::{cargo, find, read, root, run as run_program};
use crate::python;
use crate::server::fresh_folder;
use anyhow::{Context, Error};

/// The oldest Node.js that the SDKs for JavaScript run on.
const OLDEST_NODE: u32 = 20;

/// What builds the program with the SDK for Rust.
const RUST: &str = "acceptance/rust/Cargo.toml";

/// The tokens of SDKs for the environment `development`.
#[derive(Debug)]
pub(super) struct Tokens {
    pub(super) client: String,
    pub(super) frontend: String,
}

/// An SDK that is installed.
#[derive(Debug)]
pub(super) struct Sdk {
    /// The application that it reports as.
    pub(super) app_name: &'static str,
    program: PathBuf,
    /// Its script, and what that is told beside the question.
    arguments: Vec<OsString>,
    /// Whether it reports what it was asked.
    pub(super) reports: bool,
    scratch: PathBuf,
}

impl Sdk {
    /// Installs the SDKs for servers and for browsers from npm.
    pub(super) fn install_node(target: &Path) -> Outcome<Vec<Sdk>> {
        let interpreter = node()?;
        let folder = npm::install(&root().join("acceptance/node"), &target.join("acceptance-node"))?;
        let scratch = fresh_folder(target, "sdk-node")?;
        let sdk = |app_name, script: &str, argument: Option<&str>| Sdk {
            app_name,
            program: interpreter.clone(),
            arguments: [folder.join(script).into()]
                .into_iter()
                .chain(argument.map(OsString::from))
                .collect(),
            reports: !script.starts_with("openfeature"),
            scratch: scratch.clone(),
        };
        Ok(vec![
            sdk("acc-node", "server-sdk.mjs", Some("polling")),
            sdk("acc-node-delta", "server-sdk.mjs", Some("delta")),
            sdk("acc-node-streaming", "server-sdk.mjs", Some("streaming")),
            sdk("acc-browser", "browser-sdk.mjs", None),
            sdk("acc-openfeature", "openfeature-server.mjs", None),
            sdk("acc-openfeature-web", "openfeature-web.mjs", None),
        ])
    }

    /// Installs the SDKs for Python from PyPI, in a virtual environment.
    pub(super) fn install_python(target: &Path) -> Outcome<Vec<Sdk>> {
        let source = root().join("acceptance/python");
        let python = python::install(&source, &target.join("acceptance-python"))?;
        let scratch = fresh_folder(target, "sdk-python")?;
        let sdk = |app_name, script, reports| Sdk {
            app_name,
            program: python.clone(),
            arguments: vec![source.join(script).into()],
            reports,
            scratch: scratch.clone(),
        };
        Ok(vec![
            sdk("acc-python", "server_sdk.py", true),
            sdk("acc-openfeature-python", "open_feature.py", false),
        ])
    }

    /// Builds the program with the SDK for Rust from crates.io.
    pub(super) fn build_rust(target: &Path) -> Outcome<Sdk> {
        let built = target.join("acceptance-rust");
        let mut command = cargo();
        command.args(["build", "--locked", "--manifest-path", RUST]);
        run_program(command.arg("--target-dir").arg(&built))?;
        Ok(Sdk {
            app_name: "acc-rust",
            program: built.join("debug/acceptance-sdk"),
            arguments: Vec::new(),
            reports: true,
            scratch: fresh_folder(target, "sdk-rust")?,
        })
    }

    /// Lets the SDK decide each flag in each context and send its usage report.
    pub(super) fn run(&self, api: &Api, tokens: &Tokens, scenario: &Scenario) -> Outcome<Vec<Decision>> {
        let app = self.app_name;
        let question = json!({
            "url": api.url,
            "appName": app,
            "adminToken": api.token,
            "clientToken": tokens.client,
            "frontendToken": tokens.frontend,
            "flags": scenario.flag_names().collect::<Vec<_>>(),
            "edited": scenario.edited(),
            "contexts": scenario.contexts,
            "scratch": self.scratch,
        });
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .current_dir(&self.scratch)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| app.to_string())?;
        if let Some(mut input) = process.stdin.take() {
            input
                .write_all(question.to_string().as_bytes())
                .with_context(|| app.to_string())?;
        }
        let output = process.wait_with_output().with_context(|| app.to_string())?;
        let (said, complained) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        if !output.status.success() {
            return Err(Error::msg(format!(
                "{app} failed ({}):\n{said}{complained}",
                output.status
            )));
        }
        complained
            .lines()
            .filter(|line| line.contains("saw an edit"))
            .for_each(|line| println!("acceptance: {line}"));
        let answer = said
            .lines()
            .rev()
            .find_map(|line| serde_json::from_str::<Value>(line).ok());
        let answer =
            answer.ok_or_else(|| Error::msg(format!("{app} gave no answer:\n{said}{complained}")))?;
        Ok(answer["decisions"]
            .as_array()
            .into_iter()
            .flatten()
            .map(decision)
            .collect())
    }
}

/// The script that asks the evaluator of the SDK for Node.js, installed.
pub(crate) fn install_evaluator() -> Outcome<PathBuf> {
    node()?;
    let target = target_directory()?.join("acceptance-node");
    Ok(npm::install(&root().join("acceptance/node"), &target)?.join("evaluate.mjs"))
}

/// Node.js, where it is not too old.
fn node() -> Outcome<PathBuf> {
    let wanted = format!("install Node.js {OLDEST_NODE} or newer");
    let node = find("node").ok_or_else(|| missing(format!("`node` is not here: {wanted}")))?;
    let version = read(Command::new(&node).arg("--version"))?;
    let major = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|it| it.parse::<u32>().ok());
    if major.is_some_and(|major| major >= OLDEST_NODE) {
        return Ok(node);
    }
    Err(missing(format!("`node` is {}: {wanted}", version.trim())))
}

fn decision(value: &Value) -> Decision {
    Decision {
        flag: value["flag"].as_str().unwrap_or_default().to_owned(),
        context: value["context"]
            .as_u64()
            .and_then(|index| usize::try_from(index).ok())
            .unwrap_or(usize::MAX),
        enabled: value["enabled"] == true,
        variant: value["variant"].clone(),
        value: value
            .get("value")
            .map(|told| (told.clone(), value["variant"].clone())),
    }
}
