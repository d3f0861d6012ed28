//! The frontend API: contexts as browsers and apps send them, and the flags that are on for them.

mod body;
mod query;
mod text;
mod toggles;

pub use body::read_context;
pub use query::context_of_query;
pub use toggles::{Toggle, write_all_toggles, write_toggle, write_toggles};

/// The context fields that have a meaning of their own.
const STANDARD: [&str; 6] = [
    "userId",
    "sessionId",
    "remoteAddress",
    "environment",
    "appName",
    "currentTime",
];

#[cfg(test)]
mod tests;
