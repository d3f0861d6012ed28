//! The store on SQLite and PostgreSQL.
//!
//! [`open`] takes a URL and gives a [`DieselStore`], which implements `vexil_store::Store`. The
//! tables are made on the first start and brought up to date on later ones. SQLite, libpq and TLS
//! are compiled in.
//!
//! | URL | |
//! | --- | --- |
//! | `sqlite:flags.db`, `sqlite:///var/lib/vexil/flags.db` | a file; made when it is not there |
//! | `sqlite::memory:` | gone when the store is dropped |
//! | `postgres://user:password@host/database` (or `postgresql:`) | a PostgreSQL database, with [libpq's parameters](https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS) |
//!
//! # Durability
//!
//! SQLite runs in WAL mode with `synchronous = FULL`: what a method has answered `Ok` survives a
//! killed process and a loss of power. There is one connection that writes, and a few that read.
//! With PostgreSQL it is up to the server's own settings.
//!
//! # Cargo features
//!
//! * `sqlite` (on by default)
//! * `postgres` (on by default)

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("choose a database: enable the feature `sqlite`, `postgres`, or both");

mod access;
mod applications;
mod batches;
mod change_log;
mod change_requests;
mod commit;
mod configuration;
mod connection;
mod error;
mod events;
mod file;
mod foreign;
mod instant;
mod json;
mod loading;
mod location;
mod migrate;
mod pool;
mod schema;
mod short;
mod sign_ins;
mod store;
mod tokens;
mod transaction_access;
mod usage;
mod users;

pub use error::OpenError;
pub use store::{DieselStore, is_missing, open};
