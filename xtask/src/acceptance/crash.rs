//! What was acknowledged survives `kill -9`.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;

use crate::failure::{During, Failure, Outcome};
use crate::metadata::target_directory;
use crate::postgres::Postgres;
use crate::server::{Server, fresh_folder};

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
            edit(&server, &flag)?;
        } else {
            edit(&server, &flag)?;
            report_usage(&server, round)?;
        }
        server.kill()?;
        server = Server::start(vexil, database, log)?;
        edit_is_there(&server, &flag)?;
        usage_is_there(&server, round)?;
    }
    let status = server.terminate()?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!(
            "SIGTERM did not end `vexil` well: {status}"
        )))
    }
}

fn create_flag(server: &Server, flag: &str) -> Outcome {
    let body = json!({ "name": flag, "type": "release" });
    server
        .admin()
        .json("POST", "/api/admin/projects/default/features", Some(&body))
        .map(drop)
}

/// Three edits, each acknowledged.
fn edit(server: &Server, flag: &str) -> Outcome {
    create_flag(server, flag)?;
    let environment = format!("/api/admin/projects/default/features/{flag}/environments/development");
    let strategy =
        json!({ "name": "flexibleRollout", "parameters": { "rollout": "25", "stickiness": "default" } });
    server
        .admin()
        .json("POST", &format!("{environment}/strategies"), Some(&strategy))?;
    server
        .admin()
        .json("POST", &format!("{environment}/on"), None)
        .map(drop)
}

/// Looks for what the last and the second last of the edits did.
fn edit_is_there(server: &Server, flag: &str) -> Outcome {
    let feature = server.admin().json(
        "GET",
        &format!("/api/admin/projects/default/features/{flag}"),
        None,
    )?;
    let environments = feature["environments"].as_array().into_iter().flatten();
    let development = environments
        .clone()
        .find(|environment| environment["name"] == "development");
    let there = development.is_some_and(|environment| {
        environment["enabled"] == true && environment["strategies"][0]["parameters"]["rollout"] == "25"
    });
    if there {
        Ok(())
    } else {
        Err(Failure::new(format!(
            "after `kill -9` an edit of {flag} is lost: {feature}"
        )))
    }
}

/// Reports `round` times yes and once no, and expects 202.
fn report_usage(server: &Server, round: u64) -> Outcome {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .during("the clock")?
        .as_secs();
    let toggles = json!({ FLAG: { "yes": round, "no": 1, "variants": { "blue": round } } });
    let body = json!({ "appName": "crash", "bucket": { "start": now, "stop": now, "toggles": toggles } });
    let answer = server.client().call("POST", "/api/client/metrics", Some(&body))?;
    if answer.status == 202 {
        return Ok(());
    }
    Err(Failure::new(format!(
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
    Err(Failure::new(format!(
        "after {rounds} times `kill -9` usage that was answered 202 is lost: {usage}"
    )))
}
