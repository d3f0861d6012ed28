//! `vexil prove`: what a change does to every context there is, and whether guards hold.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use vexil_admin_api::playground::PlaygroundWarnings;
use vexil_proof_check::Proof;
use vexil_service::operations::{compare, diff::BeforeAfter, given_state};

use super::change_arguments::ChangeArguments;
use super::error::{CommandError, read_json};
use super::guards::GuardArguments;
use super::output;
use super::preview_remote::proof;
use super::prove_golden::golden;
use super::warnings;

const EXAMPLES: &str = "\
Examples:
  vexil prove --state state.json --changes changes.json
  vexil prove --state state.json --changes changes.json --never 'plan=enterprise' --only 'country=NO,SE' --at-most 10%
  vexil prove --server https://flags.example.com --token \"$TOKEN\" --change-request 7 --markdown
  vexil prove --state state.json --changes changes.json --golden golden.json
  vexil prove --state state.json --changes changes.json --proofs proofs.json
  vexil prove --state state.json --changes changes.json --check proofs.json

Exit codes:
  0  proven, and every guard holds
  1  a guard is broken, or the effect is not the expected one
  2  the arguments are wrong, or there is no answer
  3  not everything could be decided within the budget";

/// What `vexil prove` can be told.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES, override_usage = "vexil prove [OPTIONS] --state <FILE> --changes <FILE>\n       vexil prove [OPTIONS] --server <URL> --token <TOKEN> --change-request <ID>")]
pub struct ProveArguments {
    #[command(flatten)]
    change: ChangeArguments,
    #[command(flatten)]
    guards: GuardArguments,
    /// Also check the proof by a second method, from the same files; or check the proofs of a file instead.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "server")]
    check: Option<Option<PathBuf>>,
    /// Write the proofs, so that anybody can check them: `vexil prove --state … --changes … --check FILE`.
    #[arg(long, value_name = "FILE", conflicts_with = "server")]
    proofs: Option<PathBuf>,
    /// Write the smallest set of contexts with one for every region, as expectations for `vexil preview --expect`.
    #[arg(long, value_name = "FILE")]
    golden: Option<PathBuf>,
}

/// Runs `vexil prove`.
#[must_use]
pub fn run(arguments: &ProveArguments) -> ExitCode {
    let mut out = std::io::stdout().lock();
    finish("prove", prove(arguments, &mut out))
}

/// The exit code; a failure is told.
pub(super) fn finish(command: &str, result: Result<u8, CommandError>) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            // nothing is left to tell when even stderr is closed
            let _ = writeln!(std::io::stderr(), "vexil {command}: {failure}");
            ExitCode::from(2)
        }
    }
}

fn prove(arguments: &ProveArguments, out: &mut impl Write) -> Result<u8, CommandError> {
    let document = match arguments.change.remote()? {
        Some(remote) => {
            arguments.guards.question()?;
            arguments.guards.for_server()?;
            let answer = remote.ask("proof", &arguments.guards.body())?;
            arguments.guards.judged(proof(&answer)?)
        }
        None => {
            let now = OffsetDateTime::now_utc();
            let sides = arguments.change.sides(now)?;
            let mut head = Map::new();
            head.insert("environment".to_owned(), json!(sides.before.name.as_str()));
            head.insert("project".to_owned(), json!(sides.project.as_str()));
            if let Some(Some(path)) = &arguments.check {
                arguments.only_checked()?;
                warnings::tell("prove", &said(&sides)?);
                return checked(path, &sides, out);
            }
            if arguments.check.is_some() || arguments.proofs.is_some() {
                let proofs = sides.certificates(now, &arguments.guards.budget());
                if arguments.check.is_some() {
                    head.insert("checked".to_owned(), json!(accepted(&sides, &proofs)?));
                }
                if let Some(path) = &arguments.proofs {
                    write_json(path, &proofs)?;
                }
            }
            arguments.guards.proof(&sides, head)?
        }
    };
    if let Some(path) = &arguments.golden {
        let golden = golden(&document);
        write_json(path, &golden.expectations)?;
        warnings::write("prove", &golden.left_out);
    }
    warnings::tell("prove", &document);
    arguments.guards.print(&document, out)?;
    Ok(GuardArguments::code(&document))
}

impl ProveArguments {
    /// That nothing else is asked of a file of proofs, which says nothing of guards.
    fn only_checked(&self) -> Result<(), CommandError> {
        let others = [
            ("--golden", self.golden.is_some()),
            ("--proofs", self.proofs.is_some()),
        ];
        let given = self.guards.given().into_iter().chain(others);
        let given: Vec<&str> = given
            .filter_map(|(name, is_given)| is_given.then_some(name))
            .collect();
        if given.is_empty() {
            return Ok(());
        }
        Err(CommandError(format!(
            "`--check FILE` only says whether the proofs of a file hold: leave out {}, or give `--check` without a file",
            given.join(", ")
        )))
    }
}

/// What two sides alone are to be warned of.
fn said(sides: &BeforeAfter) -> Result<Value, CommandError> {
    let warnings = serde_json::to_value(sides.warned(&sides.affected(), &PlaygroundWarnings::default()));
    let warnings = warnings.map_err(|error| CommandError(error.to_string()))?;
    Ok(json!({ "warnings": warnings }))
}

/// How many proofs a second method accepts.
fn accepted(sides: &BeforeAfter, proofs: &[Proof]) -> Result<usize, CommandError> {
    let found = sides.checked(proofs);
    found.map_err(|why| CommandError(format!("the proof is refused: {why}")))
}

/// Checks the proofs of a file: exit code 3 where some flags that can differ have none that can be checked.
fn checked(path: &Path, sides: &BeforeAfter, out: &mut impl Write) -> Result<u8, CommandError> {
    let document = read_json(path)?;
    let proofs = Vec::<Proof>::deserialize(&document)
        .map_err(|error| CommandError(format!("`{}` holds no proofs: {error}", path.display())))?;
    let count = accepted(sides, &proofs)?;
    let open = sides.unproven(&proofs);
    let mut text = format!("{count} of {} proofs hold\n", proofs.len());
    for flag in &open {
        text.push_str(&format!("{flag}: there is no proof\n"));
    }
    output::write(out, &text)?;
    Ok(if open.is_empty() && count == proofs.len() {
        0
    } else {
        3
    })
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), CommandError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| CommandError(error.to_string()))?;
    std::fs::write(path, text + "\n")
        .map_err(|error| CommandError(format!("cannot write `{}`: {error}", path.display())))
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  vexil compare before.json after.json
  vexil compare before.json after.json --never 'plan=enterprise' --markdown

Exit codes:
  0  both states are equal for every context
  1  they differ, or a guard is broken
  2  the arguments are wrong, or there is no answer
  3  not everything could be decided within the budget";

/// What `vexil compare` can be told.
#[derive(Debug, Clone, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub struct CompareArguments {
    /// One state: an export or the client features of one environment, as JSON.
    #[arg(value_name = "A")]
    before: PathBuf,
    /// The other.
    #[arg(value_name = "B")]
    after: PathBuf,
    #[command(flatten)]
    guards: GuardArguments,
}

/// Runs `vexil compare`: exit code 0 where the two states are equal for every context, 1 where they differ.
#[must_use]
pub fn run_compare(arguments: &CompareArguments) -> ExitCode {
    let mut out = std::io::stdout().lock();
    finish("compare", compare(arguments, &mut out))
}

fn compare(arguments: &CompareArguments, out: &mut impl Write) -> Result<u8, CommandError> {
    let now = OffsetDateTime::now_utc();
    let side = |path: &Path| -> Result<_, CommandError> {
        Ok(given_state::read(&read_json(path)?, None, now)?.side())
    };
    let sides = compare::two(side(&arguments.before)?, side(&arguments.after)?, None);
    let document = arguments.guards.proof(&sides, Map::new())?;
    warnings::tell("compare", &document);
    arguments.guards.print(&document, out)?;
    let changed = document.pointer("/flags/changed").and_then(Value::as_u64);
    Ok(match GuardArguments::code(&document) {
        0 if changed != Some(0) => 1,
        code => code,
    })
}
