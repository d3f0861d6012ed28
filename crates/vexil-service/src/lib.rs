//! What a feature-flag server does, without HTTP: the operations, the state that requests are answered from, who may do
//! what, usage as it comes in, and the threads and deadlines for all of it.
//!
//! What a change means, how a flag is decided and what usage adds up to is known to the libraries below. Who embeds this
//! crate brings a store and a clock, and asks an [`App`].
//!
//! ```
//! use std::sync::Arc;
//!
//! use serde_json::json;
//! use time::macros::datetime;
//! use vexil_admin_api::flag::NewFlag;
//! use vexil_change_request::UpdateEnabled;
//! use vexil_domain::{Context, EnvironmentName, ProjectId};
//! use vexil_engine::Ambient;
//! use vexil_service::operations::{Error, flags, switches};
//! use vexil_service::{App, InitialTokens, Limits, bootstrap, system};
//! use vexil_store::MemoryStore;
//!
//! let now = datetime!(2026-01-01 12:00 UTC);
//! let app = App::open(Arc::new(MemoryStore::default()), Limits::default(), Arc::new(move || now))?;
//! bootstrap(&app, &InitialTokens::default())?;
//!
//! let (project, environment) = (ProjectId::from("default"), EnvironmentName::from("development"));
//! let new = NewFlag::read(&json!({ "name": "new-checkout" })).map_err(|problems| format!("{problems:?}"))?;
//! app.edit_blocking(&system(), |tx| -> Result<(), Error> {
//!     let flag = flags::create(tx, &project, &new)?;
//!     let on = UpdateEnabled { enabled: true, activate_disabled: false };
//!     switches::turn(tx, &project, &environment, &[flag.name], on)
//! })?;
//!
//! let serving = app.serving();
//! let served = serving.environment("development").ok_or("it is there from the start")?;
//! let everybody = Context::default();
//! assert!(served.engine().is_enabled("new-checkout", &everybody, &Ambient::new(now, 0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::too_many_lines)]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "a test that waits for ever is ended by who runs it"
    )
)]

#[macro_use]
mod opaque;

mod answer_counts;
mod app;
mod bootstrap;
mod bounded;
mod clock;
mod coding;
pub mod deadlines;
mod edge_clients;
mod entry_templates;
pub mod features_cache;
mod front_ends;
mod held_text;
mod instance;
mod lanes;
mod limits;
mod mail;
pub mod memory;
pub mod numbers;
pub mod operations;
mod origin;
pub mod packing;
pub mod passwords;
pub mod permission;
pub mod pipe;
mod pool;
mod principal;
mod proven_effects;
mod proxies;
mod recent_contexts;
mod reported_names;
mod sealing;
mod served_access;
mod served_environment;
mod serving_state;
mod side_by_side;
pub mod sign_in;
pub mod single_sign_on;
mod streams;
mod system;
mod tagged;
mod tokens;
mod tokens_by_secret;
mod transaction;
mod usage_writer;
mod users;

pub use app::{App, Background, ById, ClockError, Credentials, ORIGINS, Reader};
pub use bootstrap::{InitialTokens, bootstrap, first_admin, tokens_without_place};
pub use clock::{Clock, SeedSource};
pub use coding::Coding;
pub use edge_clients::{CheckedHead, EdgeClients, EdgeClientsError, SignatureError, SignedHead};
pub use front_ends::{FrontEndOptions, OriginError};
pub use held_text::{HeldText, TextHolder};
pub use instance::INSTANCE_ID;
pub use lanes::Lane;
pub use limits::{CONNECTIONS, Limits, STREAMS};
pub use mail::{MailError, MailOptions, Mailer};
pub use pool::wait_for;
pub use principal::{Principal, hash_secret, token_actor, user_actor};
pub use proxies::{ForwardingHeader, ForwardingHeaderError, Proxies, ProxiesError, TrustedProxies};
pub use sealing::{Sealer, ShortKey};
pub use served_access::ServedAccess;
pub use served_environment::ServedEnvironment;
pub use serving_state::ServingState;
pub use streams::Streams;
pub use system::system;
pub use tagged::Tagged;
pub use tokens_by_secret::Tokens;
pub use transaction::Transaction;
pub use usage_writer::{UsageNumbers, UsageWriter};
pub use users::Users;
