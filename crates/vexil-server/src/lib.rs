//! The feature-flag server: HTTP, authentication, configuration, time and threads around the libraries.
//!
//! A handler reads the request, runs an operation, renders the answer. What a change means, how a
//! flag is decided and what usage adds up to is known to the libraries alone.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "a test that waits for ever is ended by who runs it"
    )
)]

mod accept_encoding;
mod answer_counts;
mod app;
mod arguments;
mod bootstrap;
mod bounded;
mod cli;
mod client_address;
mod clock;
mod compression;
pub mod config;
mod connections;
mod content_coding;
mod deadlines;
mod demo;
mod edge_clients;
mod entry_templates;
mod features_cache;
mod front_ends;
mod held_text;
mod incoming;
mod lanes;
mod limits;
mod listener;
mod log;
mod mail;
mod memory;
mod numbers;
mod operations;
mod packing;
mod passwords;
pub mod permission;
mod pipe;
mod pool;
mod principal;
mod proven_effects;
mod recent_contexts;
mod reported_names;
mod rescue;
mod routes;
mod sealing;
mod serve;
mod served_access;
mod served_environment;
mod serving_state;
mod side_by_side;
mod sign_in;
mod single_sign_on;
mod slashes;
mod streams;
mod system;
mod tagged;
mod tokens;
mod tokens_by_secret;
mod transaction;
mod usage_writer;
mod users;

pub use app::{App, ClockError, Reader};
pub use arguments::{
    AdminCommand, Arguments, Command, ResetPasswordArguments, RoutesArguments, RoutesFormat,
};
pub use bootstrap::{InitialTokens, bootstrap};
pub use cli::{
    CompareArguments, LintArguments, PreviewArguments, ProveArguments, run_compare, run_lint, run_preview,
    run_prove,
};
pub use client_address::{Proxies, ProxiesError};
pub use clock::{Clock, SeedSource};
pub use demo::run as run_demo;
pub use edge_clients::{EdgeClients, EdgeClientsError};
pub use front_ends::{FrontEndOptions, OriginError};
pub use mail::{MailError, MailOptions};
pub use operations::Error;
pub use operations::change_requests::apply_due;
pub use principal::Principal;
pub use rescue::{reset_password, run as run_admin};
pub use routes::{ApiError, Route, all as all_routes, configure, routes_as_markdown, routes_as_openapi};
pub use sealing::ShortKey;
pub use serve::{StartError, run as run_server, serve, system_clock};
pub use served_access::ServedAccess;
pub use served_environment::ServedEnvironment;
pub use serving_state::ServingState;
pub use sign_in::{PublicUrlError, SignInOptions};
pub use single_sign_on::{IssuerError, OidcSettings};
pub use slashes::Slashes;
pub use tokens_by_secret::Tokens;
pub use transaction::Transaction;
pub use usage_writer::UsageWriter;
pub use users::Users;
