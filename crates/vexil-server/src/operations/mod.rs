//! What the handlers run, without HTTP.

pub(crate) mod applications;
pub(crate) mod audit;
pub(crate) mod authority;
pub(crate) mod change_requests;
pub(crate) mod compare;
pub(crate) mod dependencies;
pub(crate) mod diff;
pub(crate) mod direct;
pub(crate) mod environment_view;
pub(crate) mod environments;
mod error;
pub(crate) mod flag_search;
pub(crate) mod flags;
pub(crate) mod frontend;
pub(crate) mod json_text;
mod patches;
pub(crate) mod paths;
pub(crate) mod playground;
pub(crate) mod projects;
pub(crate) mod proof;
pub(crate) mod reports;
pub(crate) mod segments;
pub(crate) mod sign_in;
pub(crate) mod strategies;
pub(crate) mod strategy_types;
pub(crate) mod switches;
pub(crate) mod token_document;
pub(crate) mod tokens;
mod unleash_reading;
pub(crate) mod users;

pub use error::Error;
pub(crate) use error::{RETRY_BUSY, chain};
