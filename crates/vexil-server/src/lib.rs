//! The feature-flag server: HTTP, authentication, configuration, time and threads around the libraries.
//!
//! A handler reads the request, runs an operation, renders the answer. What a change means, how a
//! flag is decided and what usage adds up to is known to the libraries alone.

mod app;
mod auth;
mod body;
mod bootstrap;
mod cli;
pub mod config;
pub mod demand;
mod demo;
mod edit;
mod entity_tag;
mod error;
mod journal;
mod operations;
mod passwords;
mod rendered;
mod routes;
mod serve;
mod tasks;
mod templates;
mod tokens;
mod users;
mod world;

pub use app::{App, Clock, Dice};
pub use auth::{Admin, Client, Frontend, May, Who};
pub use bootstrap::{InitialTokens, bootstrap};
pub use cli::{PreviewArguments, run_preview};
pub use demo::run as run_demo;
pub use edit::Draft;
pub use error::ApiError;
pub use journal::Journal;
pub use operations::change_requests::apply_due;
pub use routes::{Route, all as all_routes, configure};
pub use serve::{StartError, run as run_server, system_clock};
pub use users::Users;
pub use world::{EnvironmentWorld, Tokens, World};
