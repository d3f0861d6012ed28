//! What users of the server can see.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    unreachable_pub,
    reason = "a failed assertion is what a test is for, and support is shared by all modules"
)]

mod admin;
mod any_request;
mod audit;
mod authority;
mod base_path;
mod callers;
mod chance;
mod change_requests;
mod client;
mod clocks;
mod commands;
mod credentials;
mod databases;
mod first_start;
mod flags;
mod folder;
mod frontend;
mod live;
mod ofrep;
mod open_streams;
mod options;
mod permissions;
mod playground;
mod preview_changes;
mod preview_command;
mod preview_diff;
mod prometheus;
mod proof;
mod readiness;
mod rebirth;
mod resilience;
mod roles;
mod served;
mod settings;
mod sign_in;
mod sign_on;
#[cfg(target_os = "linux")]
mod signals;
mod support;
mod ui;
mod usage;
mod users;
mod widening;
