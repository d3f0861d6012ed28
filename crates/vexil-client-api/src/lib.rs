#![doc = include_str!("../README.md")]
//!
//! Unleash's old vocabulary (`toggle`) lives here and nowhere else. What clients send is read strictly: all that is wrong
//! with a document is listed at once, each problem with its place.

mod context;
mod delta;
mod features;
mod number_text;
mod polled;
mod raw_document;
mod read;

#[cfg(feature = "server")]
pub mod client_delta;
#[cfg(feature = "server")]
pub mod client_features;
#[cfg(feature = "server")]
pub mod edge;
#[cfg(feature = "server")]
pub mod frontend;
#[cfg(feature = "server")]
pub mod json;
#[cfg(feature = "server")]
pub mod ofrep;
#[cfg(feature = "server")]
pub mod query;
#[cfg(feature = "server")]
pub mod register;
pub mod report;
#[cfg(feature = "server")]
pub mod usage;

pub use context::read_context;
pub use delta::{Delta, Event, read_delta};
pub use features::{Features, Loaded, load_engine, load_engine_with, read_features};
pub use polled::{News, PolledEngine};
pub use read::{Problem, ReadError};
