//! Change requests: what is done with them, and how they are shown.

mod access;
mod applying;
mod blocked;
mod changes;
mod events;
pub mod may;
mod meetings;
mod missing;
mod near;
pub mod reading;
mod reviews;
mod rules;
mod schedules;
mod states;

pub(crate) use access::find_environment;
pub use access::{Identity, find_project};
pub use blocked::blocked;
pub(crate) use changes::make_at_once;
pub use changes::{add_changes, discard_change, edit_change, propose};
pub use missing::{no_project, no_request};
pub use reviews::{
    available_reviewers, comment, discard, rename, request_reviewers, requested_reviewers, withdraw_all,
};
pub use rules::{rules_of, set_rule};
pub use schedules::apply_due;
pub use states::{Moved, change_state};

#[cfg(test)]
mod tests;
