//! Every development task of the workspace. `cargo xtask help` lists them.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task talks to the person who runs it"
)]
#![expect(
    clippy::indexing_slicing,
    reason = "JSON values answer an unknown field with null"
)]

mod acceptance;
mod bench;
mod built;
mod ci;
mod endpoints;
mod http;
mod licences;
mod metadata;
mod npm;
mod outcome;
mod packages;
mod parity;
mod postgres;
mod program;
mod python;
mod report;
mod semver;
mod server;
mod solvers;
mod spdx;
mod specification;
mod test;
mod tidy;
mod ui;
mod unleash;
mod watchdog;

use std::process::{Command, ExitCode};

use anyhow::Error;
use outcome::Outcome;
use postgres::Postgres;

const HELP: &str = "\
cargo xtask TASK

  test                    every test: units, laws, databases, documentation, real SDKs
  acceptance [URL]        the real SDKs and the crash tests alone; with URL the SDKs against that server
  acceptance nodes        two servers on one PostgreSQL with 5,000 flags, 50 edits a second: how far they lag
  acceptance examples     the examples of the libraries alone, the web service for as many seconds as SERVICE_SECONDS says
  acceptance crash        the crash tests and the database that stands still alone, of usage as many rounds as VEXIL_CRASH_ROUNDS says
  ui [NAME…]              the web pages in a browser: `looks`, `weight`, `first`, `usable`, `big`, `states`,
                          `hostile`, `walk`, `sign-on`, `unleash` (Unleash's own pages), or all; `compare`
                          beside a real Unleash; pictures are kept in target/xtask/ui-pictures
  solvers                 proofs against z3 and cvc5, as many changes as CHANGES says (20), from number SEED on
  with-postgres COMMAND   one command with VEXIL_TEST_POSTGRES set to a private PostgreSQL
  specification           where the official client specification lies; fetches it when needed
  parity [--seeds A:B]    compares answers with a real Unleash, where one can be started (default 1:5)
  tidy                    rules for the whole tree: crate arrows, file sizes, documents
  endpoints               writes docs/endpoints.md from the server's list of routes
  licences                every dependency's licence is a permissive one
  semver [keep]           the engine's public surface is compatible with the last version's; `keep` keeps the present one
  packages                what is published can be packaged and embedded, and each README's program is right
  bench [NAME]            benchmarks: `engine`, `peers` (other vendors' engines), `server`, `preview`, or, beside a real
                          Unleash, `playground` and `http` (with wrk)
  ci                      all of it, as it must pass before a change lands

Environment: PG_BIN (folder with PostgreSQL's programs), CI (when set, nothing may be left out), VEXIL_PROGRAM (a
`vexil` that is built already, for acceptance, ui, parity and what benchmarks run), CHROMIUM (the browser for ui).";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Outcome {
    match arguments {
        ["test"] => test::run(),
        ["acceptance"] => acceptance::run(),
        ["acceptance", "crash"] => acceptance::run_crashes(),
        ["acceptance", "examples"] => acceptance::run_examples(),
        ["acceptance", "nodes"] => acceptance::run_nodes(),
        ["acceptance", url] => acceptance::run_against(url),
        ["with-postgres", program, arguments @ ..] => with_postgres(program, arguments),
        ["packages"] => packages::run(),
        ["solvers"] => solvers::run(),
        ["specification"] => {
            println!("{}", specification::find_or_fetch()?.display());
            Ok(())
        }
        ["parity"] => parity::run("1:5"),
        ["parity", "--seeds", seeds] => parity::run(seeds),
        ["tidy"] => tidy::run(),
        ["ui", names @ ..] => ui::run(names),
        ["endpoints"] => endpoints::write(),
        ["licences"] => licences::run(),
        ["semver"] => semver::run(),
        ["semver", "keep"] => semver::keep(),
        ["bench"] => bench::run(None),
        ["bench", which] => bench::run(Some(which)),
        ["ci"] => ci::run(),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        other => Err(Error::msg(format!("no task `{}`\n\n{HELP}", other.join(" ")))),
    }
}

/// Runs one command beside a private PostgreSQL.
fn with_postgres(program: &str, arguments: &[&str]) -> Outcome {
    let postgres = Postgres::start()?;
    program::run(
        Command::new(program)
            .args(arguments)
            .env("VEXIL_TEST_POSTGRES", &postgres.url),
    )
}
