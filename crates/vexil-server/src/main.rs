//! The program `vexil`.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use itertools::Itertools;
use vexil_server::{Arguments, Command, RoutesFormat};

/// What a large request took is given back to the system within seconds; glibc keeps it, once for each thread.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Serve(arguments) => vexil_server::run_server(&arguments).map_err(|error| error.explain()),
        Command::Demo(arguments) => vexil_server::run_demo(&arguments).map_err(|error| error.explain()),
        Command::Admin(command) => vexil_server::run_admin(&command).map_err(|error| error.explain()),
        Command::Preview(arguments) => return vexil_server::run_preview(&arguments),
        Command::Prove(arguments) => return vexil_server::run_prove(&arguments),
        Command::Compare(arguments) => return vexil_server::run_compare(&arguments),
        Command::Lint(arguments) => return vexil_server::run_lint(&arguments),
        Command::Routes(arguments) => print_routes(arguments.format).map_err(|error| error.to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // nothing is left to tell when even stderr is closed
            let _ = writeln!(std::io::stderr(), "vexil: {message}");
            ExitCode::FAILURE
        }
    }
}

fn print_routes(format: RoutesFormat) -> std::io::Result<()> {
    let text = match format {
        RoutesFormat::Markdown => vexil_server::routes_as_markdown(),
        RoutesFormat::Openapi => format!("{:#}\n", vexil_server::routes_as_openapi()),
        RoutesFormat::Text => vexil_server::all_routes()
            .iter()
            .map(|route| format!("{} {}\n", route.method, route.path))
            .sorted()
            .collect(),
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        // whoever has closed the pipe has read enough
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
