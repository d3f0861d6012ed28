//! What was acknowledged survives `kill -9`.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::postgres::Postgres;
use crate::server::{Server, fresh_folder};
use anyhow::{Context, Error};

/// How often the server is killed on each database.
const ROUNDS: u64 = 20;

/// The flag whose usage is reported.
const FLAG: &str = "crash-usage";

/// Kills the server again and again, on SQLite and where there is one on PostgreSQL.
pub(super) fn run(vexil: &Path, postgres: Option<&Postgres>) -> Outcome {
    let folder = fresh_folder(&target_directory()?, "crash")?;
    let log = folder.join("vexil.log");
    survive(
        vexil,
        &format!("sqlite:{}", folder.join("vexil.db").display()),
        &log,
    )?;
    println!("crash: {ROUNDS} rounds on SQLite, nothing lost");
    if let Some(postgres) = postgres {
        survive(vexil, &postgres.database("crash")?, &log)?;
        println!("crash: {ROUNDS} rounds on PostgreSQL, nothing lost");
    }
    Ok(())
}

/// Every round: acknowledge, kill, start again, look. What comes last before the kill alternates.
fn survive(vexil: &Path, database: &str, log: &Path) -> Outcome {
    let mut server = Server::start(vexil, database, log)?;
    create_flag(&server, FLAG)?;
    for round in 1..=ROUNDS {
        let flag = format!("crash-{round}");
        if round % 2 == 0 {
            report_usage(&server, round)?;
        }
        let change_request = edit(&server, &flag)?;
        if round % 2 == 1 {
            report_usage(&server, round)?;
        }
        server.kill()?;
        server = Server::start(vexil, database, log)?;
        edit_is_there(&server, &flag, &change_request)?;
        usage_is_there(&server, round)?;
    }
    let status = server.terminate()?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::msg(format!("SIGTERM did not end `vexil` well: {status}")))
    }
}

fn create_flag(server: &Server, flag: &str) -> Outcome {
    let body = json!({ "name": flag, "type": "release" });
    server
        .admin()
        .json("POST", "/api/admin/projects/default/features", Some(&body))
        .map(drop)
}

/// Edits of a flag, the last of them through a change request that is applied. Gives back its id.
fn edit(server: &Server, flag: &str) -> Outcome<Value> {
    create_flag(server, flag)?;
    let api = server.admin();
    let environment = format!("/api/admin/projects/default/features/{flag}/environments/development");
    api.json(
        "POST",
        &format!("{environment}/strategies"),
        Some(&strategy("25")),
    )?;
    api.json("POST", &format!("{environment}/on"), None)?;
    let change = json!({ "feature": flag, "action": "addStrategy", "payload": strategy("75") });
    let requests = "/api/admin/projects/default/environments/development/change-requests";
    let id = api.json("POST", requests, Some(&change))?["id"].clone();
    for state in ["In review", "Approved", "Applied"] {
        let path = format!("/api/admin/projects/default/change-requests/{id}/state");
        api.json("PUT", &path, Some(&json!({ "state": state })))?;
    }
    Ok(id)
}

fn strategy(rollout: &str) -> Value {
    json!({ "name": "flexibleRollout", "parameters": { "rollout": rollout, "stickiness": "default" } })
}

/// Looks for what each edit did.
fn edit_is_there(server: &Server, flag: &str, change_request: &Value) -> Outcome {
    let api = server.admin();
    let feature = api.json(
        "GET",
        &format!("/api/admin/projects/default/features/{flag}"),
        None,
    )?;
    let environments = feature["environments"].as_array().into_iter().flatten();
    let development = environments
        .clone()
        .find(|environment| environment["name"] == "development");
    let rollouts = development
        .and_then(|environment| environment["strategies"].as_array())
        .map(|strategies| {
            strategies
                .iter()
                .map(|strategy| strategy["parameters"]["rollout"].clone())
                .collect::<Vec<_>>()
        });
    let on = development.is_some_and(|environment| environment["enabled"] == true);
    let path = format!("/api/admin/projects/default/change-requests/{change_request}");
    let state = api.json("GET", &path, None)?["state"].clone();
    if on && rollouts == Some(vec![json!("25"), json!("75")]) && state == "Applied" {
        return Ok(());
    }
    Err(Error::msg(format!(
        "after `kill -9` an edit of {flag} is lost: {state}, {feature}"
    )))
}

/// Reports `round` times yes and once no, and expects 202.
fn report_usage(server: &Server, round: u64) -> Outcome {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .context("the clock")?
        .as_secs();
    let toggles = json!({ FLAG: { "yes": round, "no": 1, "variants": { "blue": round } } });
    let body = json!({ "appName": "crash", "bucket": { "start": now, "stop": now, "toggles": toggles } });
    let answer = server.client().call("POST", "/api/client/metrics", Some(&body))?;
    if answer.status == 202 {
        return Ok(());
    }
    Err(Error::msg(format!(
        "a usage report was answered {} {}",
        answer.status, answer.body
    )))
}

/// Looks for the sum of all reports.
fn usage_is_there(server: &Server, rounds: u64) -> Outcome {
    let usage = server
        .admin()
        .json("GET", &format!("/api/admin/client-metrics/features/{FLAG}"), None)?;
    let item = &usage["lastHourUsage"][0];
    let yes = rounds * (rounds + 1) / 2;
    let found = (
        item["yes"].as_u64(),
        item["no"].as_u64(),
        item["variants"]["blue"].as_u64(),
    );
    if found == (Some(yes), Some(rounds), Some(yes)) {
        return Ok(());
    }
    Err(Error::msg(format!(
        "after {rounds} times `kill -9` usage that was answered 202 is lost: {usage}"
    )))
}
