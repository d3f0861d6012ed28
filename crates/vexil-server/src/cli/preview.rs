//! `vexil preview`: what a change would do, from files or from a server.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use vexil_admin_api::playground::{DiffQuestion, MOST_USERS, Part, SEED_BOUND};
use vexil_service::operations::Error;

use super::change_arguments::ChangeArguments;
use super::contexts::context;
use super::error::CommandError;
use super::output;
use super::preview_expect::{Expectations, Findings};
use super::preview_remote::difference;
use super::preview_table;
use super::prove_text;
use super::source::Source;
use super::warnings;
use crate::whole_numbers::whole;

const EXAMPLES: &str = "\
Examples:
  vexil preview --state state.json --changes changes.json --context 'userId=alice,bob;country=NO,SE'
  vexil preview --state state.json --changes changes.json --expect golden.json
  vexil preview --server https://flags.example.com --token \"$TOKEN\" --change-request 7 --json

Exit codes:
  0  the preview was made, and every expectation is met
  1  an expectation is broken
  2  the arguments are wrong, or the preview could not be made";

/// What `vexil preview` can be told.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES, override_usage = "vexil preview [OPTIONS] --state <FILE> --changes <FILE>\n       vexil preview [OPTIONS] --server <URL> --token <TOKEN> --change-request <ID>")]
pub struct PreviewArguments {
    #[command(flatten)]
    change: ChangeArguments,
    /// Context values to try, such as `userId=alice,bob;country=NO,SE`. Without any, values are
    /// suggested from the change.
    #[arg(long, value_name = "FIELD=VALUES;...")]
    context: Vec<String>,
    /// Also try values suggested from the change.
    #[arg(long)]
    suggest: bool,
    /// Also count how many of so many synthetic users are hit.
    #[arg(long, value_name = "USERS", value_parser = whole(1..=MOST_USERS), allow_negative_numbers = true)]
    population: Option<u32>,
    /// Also count for how many of the contexts anything changes that front ends asked for in the last hour.
    #[arg(long, value_name = "WHICH", value_parser = ["recent"], requires = "server")]
    contexts: Option<String>,
    /// What chance and synthetic users are drawn from.
    #[arg(long, default_value_t = 0, value_parser = whole(0..=SEED_BOUND - 1), allow_negative_numbers = true)]
    seed: u64,
    /// The time to evaluate at, RFC 3339; by default the present.
    #[arg(long)]
    now: Option<String>,
    /// How many evaluations the preview may take; a server has its own limit.
    #[arg(long, default_value_t = 5_000_000, value_parser = whole(1..=u64::MAX), allow_negative_numbers = true, conflicts_with = "server")]
    limit: u64,
    /// Expectations that the change must meet, as JSON.
    #[arg(long, value_name = "FILE")]
    expect: Option<PathBuf>,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `vexil preview`.
#[must_use]
pub fn run(arguments: &PreviewArguments) -> ExitCode {
    let mut out = std::io::stdout().lock();
    match preview(arguments, &mut out) {
        Ok(findings) if findings.broken.is_empty() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(failure) => {
            // nothing is left to tell when even stderr is closed
            let _ = writeln!(std::io::stderr(), "vexil preview: {failure}");
            ExitCode::from(2)
        }
    }
}

fn preview(arguments: &PreviewArguments, out: &mut impl Write) -> Result<Findings, CommandError> {
    let source = source(arguments)?;
    let expectations = arguments.expect.as_deref().map(Expectations::read).transpose()?;
    let common = common(arguments);
    let question = question(arguments, &common)?;
    // what is wrong with it is told by the names of the options, whoever is asked
    DiffQuestion::read(&question).map_err(Error::from)?;
    let answer = source.diff(&question, arguments.contexts.is_some())?;
    let findings = match &expectations {
        Some(expectations) => expectations.check(&source, &common)?,
        None => Findings::default(),
    };
    let document = difference(&answer)?;
    warnings::tell("preview", &document);
    let text = if arguments.json {
        with_findings(answer, expectations.is_some().then_some(&findings))?
    } else {
        let answer = document;
        let proof = source.proof(&Value::Object(Map::new()))?;
        format!(
            "{}\n{}\n{}",
            preview_table::write(&answer),
            prove_text::beyond(&proof, &answer),
            findings.text()
        )
    };
    output::write(out, &text)?;
    Ok(findings)
}

/// The answer with `expectations` behind its other members.
fn with_findings(answer: String, findings: Option<&Findings>) -> Result<String, CommandError> {
    let Some(findings) = findings else {
        return Ok(answer + "\n");
    };
    let open = answer
        .strip_suffix('}')
        .ok_or_else(|| CommandError("the answer is no object".to_owned()))?;
    Ok(format!("{open},\"expectations\":{}}}\n", findings.document()))
}

fn source(arguments: &PreviewArguments) -> Result<Source, CommandError> {
    if let Some(remote) = arguments.change.remote()? {
        return Ok(Source::Server(remote));
    }
    let sides = arguments.change.sides(OffsetDateTime::now_utc())?;
    let mut head = Map::new();
    head.insert("environment".to_owned(), json!(sides.before.name.as_str()));
    head.insert("project".to_owned(), json!(sides.project.as_str()));
    Ok(Source::Files {
        sides: Box::new(sides),
        head,
        limit: arguments.limit,
    })
}

/// What all questions have in common: time and chance.
fn common(arguments: &PreviewArguments) -> Map<String, Value> {
    let mut common = Map::new();
    common.insert("seed".to_owned(), json!(arguments.seed));
    if let Some(now) = &arguments.now {
        common.insert("now".to_owned(), json!(now));
    }
    common
}

fn question(arguments: &PreviewArguments, common: &Map<String, Value>) -> Result<Value, CommandError> {
    let mut body = common.clone();
    let suggest = arguments.suggest || arguments.context.is_empty();
    body.insert("suggest".to_owned(), json!(suggest));
    if !arguments.context.is_empty() {
        body.insert("context".to_owned(), context(&arguments.context.join(";"))?);
    }
    if let Some(size) = arguments.population {
        body.insert(
            "population".to_owned(),
            json!({ "size": size, "seed": arguments.seed }),
        );
    }
    Ok(Value::Object(body))
}
