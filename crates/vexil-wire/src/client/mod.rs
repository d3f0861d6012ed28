//! What SDKs receive and send, read: client features, their changes, contexts.
//!
//! Reading is tolerant, as an SDK must be of a newer server: what is not known is ignored, and what
//! cannot be understood is left out or made false, alone, and reported as a [`Problem`] with its place.
//! Only text that is no JSON at all is refused.

mod context;
mod delta;
mod features;
mod read;

pub use context::read_context;
pub use delta::{Delta, Event, read_delta};
pub use features::{Features, Loaded, load_engine, read_features};
pub use read::{Problem, ReadError};
