//! The store on each database does what every store must do, and what only databases can.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a failed assertion is what a test is for; tests find their database by the environment"
)]

mod folder;
mod opening;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite_file;
#[cfg(feature = "sqlite")]
mod sqlite_memory;
#[cfg(all(feature = "sqlite", feature = "postgres"))]
mod tables;
