//! What the program can be told to do.

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::cli::{CompareArguments, LintArguments, PreviewArguments, ProveArguments};
use crate::config::{DemoArguments, ServeArguments};

/// A feature-flag server that speaks Unleash's API, and previews a change before it is applied.
#[derive(Debug, Parser)]
#[command(name = "vexil", version, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one in a process")]
pub enum Command {
    /// Run the server.
    Serve(ServeArguments),
    /// Run a server with a temporary database and a demo project, and print how to ask it.
    Demo(DemoArguments),
    /// Show what a change would do, and to whom: from files, or from a change request on a server.
    Preview(PreviewArguments),
    /// Prove what a change does to every context there is, and whether guards hold.
    Prove(ProveArguments),
    /// Prove that two states are equal for every context, or show how they differ.
    Compare(CompareArguments),
    /// Help an admin who is locked out.
    #[command(subcommand)]
    Admin(AdminCommand),
    /// Show what never changes anything: constant flags, strategies and conditions that decide nothing.
    Lint(LintArguments),
    /// Print every route of the server.
    Routes(RoutesArguments),
}

/// What `vexil routes` can be told.
#[derive(Debug, Clone, Args)]
pub struct RoutesArguments {
    /// How they are printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: RoutesFormat,
}

/// How routes are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum RoutesFormat {
    /// One `METHOD path` a line.
    #[default]
    Text,
    /// A page with a table for each group.
    Markdown,
    /// An OpenAPI document.
    Openapi,
}

/// What `vexil admin` can do.
#[derive(Debug, Clone, Subcommand)]
pub enum AdminCommand {
    /// Set a new password for a user, print it once, and switch passwords on. It works on the database: the server
    /// may run meanwhile.
    ResetPassword(ResetPasswordArguments),
}

/// What `vexil admin reset-password` can be told.
#[derive(Debug, Clone, clap::Args)]
pub struct ResetPasswordArguments {
    /// The username or email address; one that nobody has becomes a new admin.
    #[arg(default_value = "admin")]
    pub login: String,
    /// Where the data lives, as for `vexil serve`.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:vexil.db",
        hide_env_values = true
    )]
    pub database_url: String,
}
