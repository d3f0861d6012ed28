//! `vexil lint`: what never changes anything, from a file.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::Value;
use time::OffsetDateTime;
use vexil_budget::Budget;
use vexil_preview::quoted;
use vexil_service::operations::{given_state, insights::of_environment};

use super::error::{CommandError, read_json};
use super::output;
use super::prove::finish;
use super::warnings;
use crate::whole_numbers::whole;

const EXAMPLES: &str = "\
Examples:
  vexil lint --state state.json
  vexil lint --state state.json --environment production --json

Exit codes:
  0  everything decides something
  1  something never changes anything for anybody
  2  the arguments are wrong, or there is no answer
  3  not everything could be decided within the budget";

/// What `vexil lint` can be told.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct LintArguments {
    /// The flags: an export or the client features of one environment, as JSON.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// The environment; by default the one that the state names, else `development`.
    #[arg(long)]
    environment: Option<String>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
    /// How much work may be done, in units of some hundred nanoseconds.
    #[arg(long, default_value_t = 200_000_000, value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    budget: u64,
}

/// Runs `vexil lint`.
#[must_use]
pub fn run(arguments: &LintArguments) -> ExitCode {
    let mut out = std::io::stdout().lock();
    finish("lint", lint(arguments, &mut out))
}

fn lint(arguments: &LintArguments, out: &mut impl Write) -> Result<u8, CommandError> {
    let now = OffsetDateTime::now_utc();
    let document = read_json(&arguments.state)?;
    let state = given_state::read(&document, arguments.environment.as_deref(), now)?;
    let (_, snapshot) = state.side();
    let flags: Vec<_> = snapshot.flags.keys().cloned().collect();
    let budget = Budget::new(arguments.budget);
    let answer = Value::Object(of_environment(&snapshot, &flags, now, &budget, |_| None));
    warnings::tell("lint", &answer);
    let printed = if arguments.json {
        format!("{answer}\n")
    } else {
        text(&answer)
    };
    output::write(out, &printed)?;
    Ok(match (list(&answer, "findings"), list(&answer, "undecided")) {
        ([], []) => 0,
        ([], _) => 3,
        _ => 1,
    })
}

fn list<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    let found = document.get(key).and_then(Value::as_array);
    found.map(Vec::as_slice).unwrap_or_default()
}

/// One line for each finding, such as `checkout: constantOn: strategy 1 (default) lets everybody in`.
fn text(document: &Value) -> String {
    let mut text = String::new();
    for finding in list(document, "findings") {
        let name = finding
            .get("feature")
            .or_else(|| finding.pointer("/segment/name"));
        let said = |name: &str| finding.get(name).and_then(Value::as_str).map(str::to_owned);
        let name = name.and_then(Value::as_str).map(quoted);
        let words = [name, said("kind"), said("reason")].into_iter().flatten();
        text.push_str(&words.collect::<Vec<_>>().join(": "));
        text.push('\n');
    }
    for name in list(document, "undecided").iter().filter_map(Value::as_str) {
        text.push_str(&format!("{}: not everything could be decided\n", quoted(name)));
    }
    if text.is_empty() {
        text.push_str("Everything decides something: proven.\n");
    }
    text
}
