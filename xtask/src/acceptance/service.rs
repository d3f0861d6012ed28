//! The example `service` beside a server whose flags are edited twice a second: all that it counted is what the server says
//! was used.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::Api;
use crate::outcome::Outcome;
use crate::program::read;
use anyhow::{Context, Error};

const FLAGS: &str = "/api/admin/projects/default/features";
const COUNT: usize = 60;
/// How long the service runs, unless `SERVICE_SECONDS` says so.
const SECONDS: &str = "10";

/// Makes the flags, runs the service while they are edited, and compares its counts with the server's.
pub(super) fn run(api: &Api, service: &mut Command) -> Outcome {
    let strategies: Vec<String> = furnish(api)?;
    let seconds = std::env::var("SERVICE_SECONDS").unwrap_or_else(|_| SECONDS.to_owned());
    let ends = AtomicBool::new(false);
    let (said, edits) = scope(|scope| {
        let editor = scope.spawn(|| edit(api, &strategies, &ends));
        let said = read(service.env("SERVICE_SECONDS", seconds));
        ends.store(true, Ordering::Relaxed);
        let edits = editor.join().map_err(|_panic| Error::msg("the editor gave up"));
        (said, edits)
    });
    let (said, edits) = (said?, edits??);
    let (text, reported) = said.trim_end().rsplit_once('\n').unwrap_or_default();
    println!("{text}\n{edits} edits meanwhile");
    let reported: Value = serde_json::from_str(reported).context("the last line of the example `service`")?;
    let mut wrong = Vec::new();
    // of the flag that was there before, the example `poll` has reported too
    let own = |flag: &str| flag.starts_with("flag-");
    for (flag, counts) in reported
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(flag, _)| own(flag))
    {
        let usage = api.json("GET", &format!("/api/admin/client-metrics/features/{flag}"), None)?;
        let mut used = usage["lastHourUsage"][0].clone();
        if used["variants"].is_null() {
            used["variants"] = json!({});
        }
        if ["yes", "no", "variants"]
            .iter()
            .any(|key| used[key] != counts[key])
        {
            wrong.push(format!(
                "{flag}: the service reported {counts}, the server has {used}"
            ));
        }
    }
    let of_ours = reported.as_object().map_or(0, serde_json::Map::len);
    if !wrong.is_empty() || of_ours < COUNT {
        return Err(Error::msg(format!(
            "{of_ours} flags were reported; {}",
            wrong.join("\n")
        )));
    }
    Ok(())
}

/// Makes the flags, each with a variant that carries its name; gives back the ids of their strategies.
fn furnish(api: &Api) -> Outcome<Vec<String>> {
    let tenants = json!({ "name": "tenants", "type": "list", "description": "", "required": false });
    let kind = json!({ "name": "byTenant", "description": "", "parameters": [tenants] });
    api.json("POST", "/api/admin/strategies", Some(&kind))?;
    let make = |number: usize| -> Outcome<String> {
        let name = format!("flag-{number}");
        api.json("POST", FLAGS, Some(&json!({ "name": name, "type": "release" })))?;
        let path = format!("{FLAGS}/{name}/environments/development/strategies");
        let made = api.json("POST", &path, Some(&strategy(number, 50)))?;
        let on = format!("{FLAGS}/{name}/environments/development/on");
        api.json("POST", &on, Some(&json!({})))?;
        Ok(made["id"].as_str().unwrap_or_default().to_owned())
    };
    (0..COUNT).map(make).collect()
}

fn strategy(number: usize, rollout: usize) -> Value {
    let name = format!("flag-{number}");
    let variant = json!({
        "name": "one", "weight": 1000, "weightType": "variable", "stickiness": "default",
        "payload": { "type": "string", "value": name },
    });
    if number.is_multiple_of(5) {
        let tenants = if rollout.is_multiple_of(2) {
            "acme,umbrella"
        } else {
            "initech"
        };
        return json!({ "name": "byTenant", "parameters": { "tenants": tenants }, "variants": [variant] });
    }
    json!({
        "name": "flexibleRollout", "variants": [variant],
        "parameters": { "rollout": rollout.to_string(), "stickiness": "userId", "groupId": name },
        "constraints": [{ "contextName": "property7", "operator": "NOT_IN", "values": ["value-8"] }],
    })
}

/// Edits one flag after the other, twice a second: how many people it is for, and every third time whether it is on.
fn edit(api: &Api, strategies: &[String], ends: &AtomicBool) -> Outcome<usize> {
    let mut edits = 0;
    while !ends.load(Ordering::Relaxed) {
        sleep(Duration::from_millis(500));
        let number = edits * 7 % strategies.len();
        let environment = format!("{FLAGS}/flag-{number}/environments/development");
        let strategy_path = format!(
            "{environment}/strategies/{}",
            strategies.get(number).map_or("", String::as_str)
        );
        api.json("PUT", &strategy_path, Some(&strategy(number, edits % 101)))?;
        if edits % 3 == 0 {
            let switch = if edits % 2 == 0 { "off" } else { "on" };
            api.json("POST", &format!("{environment}/{switch}"), Some(&json!({})))?;
        }
        edits += 1;
    }
    Ok(edits)
}
