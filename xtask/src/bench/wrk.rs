//! Loads put on a server by wrk.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Error};

use crate::outcome::Outcome;

/// What wrk says of a load, told by a script.
pub(super) fn wrk(url: &str, connections: u32, seconds: u32, script: &Path) -> Outcome<String> {
    let mut command = Command::new("wrk");
    command
        .args(["-t1", "--latency", "--timeout", "20s"])
        .arg(format!("-c{connections}"))
        .arg(format!("-d{seconds}s"))
        .arg("-s")
        .arg(script)
        .arg(url);
    let output = command.output().context("wrk")?;
    let told = String::from_utf8_lossy(&output.stderr);
    // wrk goes on without a script that it cannot read
    if !output.status.success() || !told.trim().is_empty() {
        return Err(Error::msg(format!("wrk: {told}")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A duration as wrk writes it.
pub(super) fn duration(text: &str) -> Outcome<Duration> {
    let (number, unit) = text.split_at(text.find(char::is_alphabetic).unwrap_or(text.len()));
    let number: f64 = number.parse().with_context(|| text.to_string())?;
    match unit {
        "us" => Ok(Duration::from_secs_f64(number / 1e6)),
        "ms" => Ok(Duration::from_secs_f64(number / 1e3)),
        "s" => Ok(Duration::from_secs_f64(number)),
        _ => Err(Error::msg(format!("wrk wrote a duration as {text}"))),
    }
}
