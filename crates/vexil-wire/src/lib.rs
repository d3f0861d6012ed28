//! Unleash's JSON documents, to and from Vexil's types.
//!
//! Old vocabulary (`toggle`, `strategies[].name`) lives here and nowhere else. Reading never stops
//! at the first fault: all that is wrong with a document is listed at once, each fault with its
//! place ([`json::Problems`]).

pub mod admin;
pub mod applications;
pub mod client;
pub mod client_features;
pub mod edge;
pub mod error;
pub mod frontend;
pub mod json;
pub mod playground;
pub mod query;
pub mod register;
pub mod usage;
