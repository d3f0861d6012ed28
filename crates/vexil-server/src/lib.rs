//! The program `vexil`: HTTP, the command line and the clock around [`vexil_service`].
//!
//! A handler reads the request, runs an operation, renders the answer. What a change means, how a
//! flag is decided and what usage adds up to is known to the libraries alone.

#![warn(clippy::too_many_lines)]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "a test that waits for ever is ended by who runs it"
    )
)]

mod accept_encoding;
mod arguments;
mod base_path;
mod cli;
mod client_address;
mod clock;
mod compression;
pub mod config;
mod connections;
mod content_coding;
mod demo;
mod incoming;
mod listener;
mod log;
mod misspelt_settings;
mod rescue;
mod routes;
mod serve;
mod sign_in;
mod slashes;
mod whole_numbers;

pub use arguments::{
    AdminCommand, Arguments, Command, ResetPasswordArguments, RoutesArguments, RoutesFormat,
};
pub use cli::{
    CompareArguments, LintArguments, PreviewArguments, ProveArguments, run_compare, run_lint, run_preview,
    run_prove,
};
pub use clock::{EARLIEST, LATEST, system_clock};
pub use demo::run as run_demo;
pub use rescue::{reset_password, run as run_admin};
pub use routes::{ApiError, Route, all as all_routes, configure, routes_as_markdown, routes_as_openapi};
pub use serve::{StartError, run as run_server, serve};
pub use slashes::Slashes;
