//! The first minute of a newcomer: start the demo, copy the lines that it prints.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::metadata::target_directory;
use crate::outcome::{Outcome, missing};
use crate::program::find;
use crate::server::{Server, fresh_folder};
use anyhow::{Context, Error};

/// How many lines to copy the demo prints at least: a preview, a usage report, the usage of the last hour.
const LINES: usize = 3;

/// Starts `vexil demo` and runs every `curl` line that it prints, in order.
pub(super) fn run(vexil: &Path) -> Outcome {
    let curl = find("curl").ok_or_else(|| missing("`curl` is not here"))?;
    let log = fresh_folder(&target_directory()?, "demo")?.join("vexil.log");
    let server = Server::demo(vexil, &log)?;
    let said = fs::read_to_string(&log).with_context(|| log.display().to_string())?;
    let lines = curl_lines(&said);
    if lines.len() < LINES {
        return Err(Error::msg(format!(
            "the demo at {} prints fewer than {LINES} curl lines:\n{said}",
            server.url
        )));
    }
    for line in &lines {
        let line = line.replacen(
            "curl ",
            &format!("'{}' -sS -w '\\n%{{http_code}}' ", curl.display()),
            1,
        );
        let output = Command::new("bash")
            .args(["-c", &line])
            .output()
            .context("bash")?;
        let answer = String::from_utf8_lossy(&output.stdout);
        if !output.status.success()
            || !answer
                .lines()
                .last()
                .is_some_and(|status| status.starts_with('2'))
        {
            let complaint = String::from_utf8_lossy(&output.stderr);
            return Err(Error::msg(format!(
                "a line of the demo does not work:\n{line}\n{answer}{complaint}"
            )));
        }
    }
    println!("demo: {} printed lines work", lines.len());
    Ok(())
}

/// The commands in what the demo prints; a backslash at the end of a line joins the next.
fn curl_lines(said: &str) -> Vec<String> {
    let joined = said.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.trim().trim_start_matches("$ "));
    lines
        .filter(|line| line.starts_with("curl "))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::curl_lines;

    #[test]
    fn commands_are_found_among_other_text_and_joined() {
        let said = "Ready.\n\n  $ curl http://a\n    curl -X POST \\\n      http://b\nUse curl to ask.\n";
        assert_eq!(
            curl_lines(said),
            ["curl http://a", "curl -X POST        http://b"]
        );
    }
}
