//! Two days of usage of some flags from many applications, for what people ask about it.

use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::measured::Measured;
use crate::http::Api;
use crate::outcome::Outcome;
use crate::program::read;
use anyhow::Error;

/// Hours that something is reported in, the current one included.
const HOURS: usize = 48;
/// Flags that are reported, and by how many applications in each of two environments: 240,000 rows in all, 9,600 of
/// them of one flag. Unleash keeps no more than 100 applications.
const FLAGS: usize = 25;
const APPLICATIONS: usize = 100;
/// How often a report is sent anew that came too soon, and how long after.
const TURNS: usize = 30;
const PAUSE: Duration = Duration::from_secs(5);

/// Reports the usage, and waits until it is shown.
pub(super) fn report_two_days(server: &Measured) -> Outcome {
    let token =
        json!({ "tokenName": "history", "type": "client", "environment": "production", "projects": ["*"] });
    let made = server.admin.json("POST", "/api/admin/api-tokens", Some(&token))?;
    let production = Api {
        token: made["secret"].as_str().unwrap_or_default().to_owned(),
        ..server.client.clone()
    };
    for hour in 0..HOURS {
        let mut date = Command::new("date");
        let at = read(date.args(["-u", "-d", &format!("-{hour} hours"), "+%Y-%m-%dT%H:%M:%S.000Z"]))?;
        for (environment, api) in [("development", &server.client), ("production", &production)] {
            for flag in 0..FLAGS {
                let report = report(flag, environment, at.trim());
                send(api, &report)?;
            }
        }
    }
    let shown = "/api/admin/client-metrics/features/flag-0/raw?hoursBack=48";
    for _ in 0..60 {
        let answer = server.admin.json("GET", shown, None)?;
        let rows = answer["data"].as_array().map_or(0, Vec::len);
        if rows >= HOURS * APPLICATIONS * 2 {
            return Ok(());
        }
        thread::sleep(Duration::from_secs(1));
    }
    Err(Error::msg(format!(
        "{} does not show two days of usage",
        server.name
    )))
}

/// Sends a report; where so many a minute are too many, as for Unleash, in the next minute.
fn send(api: &Api, report: &Value) -> Outcome {
    const PATH: &str = "/api/client/metrics/bulk";
    for _ in 0..TURNS {
        let answer = api.call("POST", PATH, Some(report))?;
        match answer.status {
            200..300 => return Ok(()),
            429 => thread::sleep(PAUSE),
            status => return Err(Error::msg(format!("POST {PATH}: {status} {}", answer.body))),
        }
    }
    Err(Error::msg(format!(
        "POST {PATH}: too many requests, again and again"
    )))
}

/// What the applications counted of one flag in one hour.
fn report(flag: usize, environment: &str, at: &str) -> Value {
    let counted = |application: usize| {
        let variants = if flag.is_multiple_of(5) {
            json!({ "blue": application, "red": 5 })
        } else {
            json!({})
        };
        json!({ "featureName": format!("flag-{flag}"), "appName": format!("app-{application}"), "environment": environment,
                "timestamp": at, "yes": flag * 7 + application, "no": 3, "variants": variants })
    };
    json!({ "applications": [], "metrics": (0..APPLICATIONS).map(counted).collect::<Vec<_>>() })
}
