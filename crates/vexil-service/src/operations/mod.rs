//! What the handlers run, without HTTP.
//!
//! # Errors
//!
//! An operation that can fail answers with an [`Error`], whose variant says why, and whose text names the place and the way
//! out: `Invalid` where what was asked is wrong in itself, `NotFound` where something that is named is not there,
//! `Forbidden` where whoever asks may not, `Conflict` where it does not fit what there is. What goes beyond that stands with
//! the operation. One that edits gets a [`Transaction`](crate::Transaction), and where it fails nothing is committed.

pub mod application_words;
pub mod applications;
pub mod audit;
pub(crate) mod authority;
pub mod change_requests;
pub mod compare;
pub mod context_fields;
pub mod dependencies;
pub mod diff;
pub mod direct;
pub mod edge_tokens;
pub mod environment_view;
pub mod environments;
mod error;
pub mod export;
pub mod favorites;
pub mod flag_search;
pub mod flag_upkeep;
pub mod flags;
pub mod frontend;
pub mod given_state;
pub(crate) mod gone_favorites;
pub mod groups;
pub mod import;
pub mod insights;
pub mod invitations;
pub mod json_text;
pub mod known_applications;
pub mod known_fields;
pub mod known_lifetimes;
pub mod legal_values;
pub mod lifetimes;
pub mod maintenance;
pub mod move_flag;
pub(crate) mod not_understood;
pub mod password_links;
mod patches;
pub mod paths;
pub mod playground;
pub mod project_access;
pub mod project_figures;
pub mod project_settings;
pub mod projects;
pub mod proof;
pub mod reports;
pub mod roles;
mod same_name;
pub mod segments;
pub mod sign_in;
pub mod sign_on;
pub mod signed_effects;
pub mod strategies;
pub mod strategy_types;
pub mod switches;
pub mod tags;
mod ties;
pub mod token_document;
pub mod tokens;
mod unleash_reading;
pub mod users;
pub mod variants;

pub use error::Error;
pub(crate) use error::TOO_LONG;
pub use error::{RETRY_BUSY, chain};
