//! What SDKs read and send, to and from Vexil's types: client features and their changes, contexts, the
//! frontend API, registrations and usage reports.
//!
//! Unleash's old vocabulary (`toggle`) lives here and nowhere else. Client features are read tolerantly, as
//! an SDK must read what a newer server sends: what is not known is ignored, and what cannot be understood
//! is left out or made false, alone, and reported as a [`Problem`] with its place. Only text that is no
//! JSON at all is refused. What clients send is read strictly: all that is wrong with a document is
//! listed at once, each fault with its place ([`json::Problems`]).

mod context;
mod delta;
mod features;
mod read;

pub mod client_delta;
pub mod client_features;
pub mod edge;
pub mod frontend;
pub mod json;
pub mod query;
pub mod register;
pub mod usage;

pub use context::read_context;
pub use delta::{Delta, Event, read_delta};
pub use features::{Features, Loaded, load_engine, read_features};
pub use read::{Problem, ReadError};
