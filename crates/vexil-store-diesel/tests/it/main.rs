//! The store on each database does what every store must do, and what only databases can.
#![expect(clippy::unwrap_used, reason = "a failed assertion is what a test is for")]

mod folder;
mod foreign;
mod opening;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite_file;
#[cfg(feature = "sqlite")]
mod sqlite_memory;
#[cfg(all(feature = "sqlite", feature = "postgres"))]
mod tables;
mod upgrades;
