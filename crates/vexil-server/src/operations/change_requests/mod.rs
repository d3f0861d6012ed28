//! Change requests: what is done with them, and how they are shown.

mod access;
mod applying;
mod blocked;
mod changes;
mod events;
pub(crate) mod may;
mod meetings;
mod missing;
mod near;
pub(crate) mod reading;
mod reviews;
mod rules;
mod schedules;
mod states;

pub(crate) use access::{Identity, find_project};
pub(crate) use blocked::blocked;
pub(crate) use changes::{add_changes, discard_change, edit_change, propose};
pub(crate) use missing::{no_project, no_request};
pub(crate) use reviews::{
    available_reviewers, comment, discard, rename, request_reviewers, requested_reviewers, withdraw_all,
};
pub(crate) use rules::{rules_of, set_rule};
pub use schedules::apply_due;
pub(crate) use states::{Moved, change_state};

#[cfg(test)]
mod tests;
