//! The examples of the libraries, run against a real server.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::service;
use crate::http::Api;
use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::packages::PUBLISHED;
use crate::program::{cargo, read, root, run as run_program};
use crate::server::{ADMIN_TOKEN, CLIENT_TOKEN, Server, fresh_folder};
use anyhow::{Context, Error};

const FLAG: &str = "example-flag";
/// The examples that are run here.
const EXAMPLES: [&str; 3] = ["decide", "poll", "service"];

/// Builds and runs each example.
pub(crate) fn run(vexil: &Path) -> Outcome {
    none_is_forgotten()?;
    run_program(&mut example("service", &[]))?;
    let folder = fresh_folder(&target_directory()?, "examples")?;
    let database = format!("sqlite:{}", folder.join("vexil.db").display());
    let server = Server::start(vexil, &database, &folder.join("vexil.log"))?;
    let api = Api {
        url: server.url.clone(),
        token: ADMIN_TOKEN.to_owned(),
    };
    let flags = "/api/admin/projects/default/features";
    let flag = json!({ "name": FLAG, "type": "release" });
    api.json("POST", flags, Some(&flag))?;
    let on = format!("{flags}/{FLAG}/environments/development/on");
    api.json("POST", &on, Some(&json!({})))?;

    let polled = read(&mut example("poll", &[&server.url, CLIENT_TOKEN, FLAG]))?;
    for line in [
        "registered: 202",
        "example-flag is on",
        "reported: 202",
        "polled: 304",
    ] {
        if !polled.contains(line) {
            return Err(Error::msg(format!(
                "the example `poll` did not say `{line}`:\n{polled}"
            )));
        }
    }
    service::run(&api, &mut example("service", &[&server.url, CLIENT_TOKEN]))?;
    let usage = format!("/api/admin/client-metrics/features/{FLAG}");
    let usage = api.json("GET", &usage, None)?;
    let applications = usage["seenApplications"].to_string();
    if !applications.contains("service-example") || !applications.contains("poll-example") {
        return Err(Error::msg(format!(
            "the reports of the examples are not there: {usage}"
        )));
    }

    let client = Api {
        token: CLIENT_TOKEN.to_owned(),
        ..api
    };
    let document = folder.join("features.json");
    let features = client.json("GET", "/api/client/features", None)?;
    fs::write(&document, features.to_string()).with_context(|| document.display().to_string())?;
    let decided = read(&mut example(
        "decide",
        &[&document.display().to_string(), FLAG, "userId=7"],
    ))?;
    // before it stands what is wrong with others: their strategy is one of the service's own
    if decided.lines().any(|line| line.starts_with("example-flag is on")) {
        return Ok(());
    }
    Err(Error::msg(format!("the example `decide` said:\n{decided}")))
}

/// An example of a published crate that is not run here is an error.
fn none_is_forgotten() -> Outcome {
    for library in PUBLISHED {
        let folder = root().join(format!("crates/{library}/examples"));
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry.with_context(|| folder.display().to_string())?.path();
            let name = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
            if path.is_file() && !EXAMPLES.contains(&name) {
                return Err(Error::msg(format!("nobody runs the example {}", path.display())));
            }
        }
    }
    Ok(())
}

fn example(name: &str, arguments: &[&str]) -> std::process::Command {
    let mut command = cargo();
    command.args([
        "run",
        "--quiet",
        "-p",
        "vexil-client-api",
        "--all-features",
        "--example",
        name,
        "--",
    ]);
    command.args(arguments);
    command
}
