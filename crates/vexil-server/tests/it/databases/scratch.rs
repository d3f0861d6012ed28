//! Databases that are gone when a test ends.
//!
//! `VEXIL_TEST_POSTGRES` names a PostgreSQL. Without it tests say so and leave it out, except in CI.
#![expect(clippy::print_stderr, reason = "what is left out is said loudly")]

use std::path::PathBuf;
use std::sync::Arc;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use vexil_store::{MemoryStore, Store};

/// A database that any number of stores can be opened on.
pub enum Database {
    Memory(Arc<dyn Store>),
    Sqlite(PathBuf),
    Postgres { server: String, schema: String },
}

impl Database {
    pub fn memory() -> Self {
        Self::Memory(Arc::new(MemoryStore::new()))
    }

    pub fn sqlite() -> Self {
        let folder = std::env::temp_dir().join(format!("vexil-test-{}", uuid::Uuid::new_v4().simple()));
        std::fs::create_dir(&folder).unwrap();
        Self::Sqlite(folder)
    }

    pub fn postgres() -> Option<Self> {
        let Ok(server) = std::env::var("VEXIL_TEST_POSTGRES") else {
            let set = |name| std::env::var_os(name).is_some();
            let message = "VEXIL_TEST_POSTGRES is not set: NO SERVER IS TESTED ON POSTGRESQL; `cargo xtask test` starts one";
            assert!(!set("CI") || set("VEXIL_TESTS_MAY_SKIP"), "{message}");
            eprintln!("{message}");
            return None;
        };
        let schema = format!("vexil_server_{}", uuid::Uuid::new_v4().simple());
        run(&server, &format!("create schema {schema}"));
        Some(Self::Postgres { server, schema })
    }

    /// Every kind there is here.
    pub fn each() -> Vec<Self> {
        [Some(Self::memory()), Some(Self::sqlite()), Self::postgres()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Opens the database once more.
    pub fn open(&self) -> Arc<dyn Store> {
        match self {
            Self::Memory(store) => Arc::clone(store),
            Self::Sqlite(folder) => open(&format!("sqlite:{}", folder.join("vexil.db").display())),
            Self::Postgres { server, schema } => {
                let separator = if server.contains('?') { '&' } else { '?' };
                open(&format!("{server}{separator}options=-csearch_path%3D{schema}"))
            }
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        match self {
            Self::Memory(_) => {}
            Self::Sqlite(folder) => std::fs::remove_dir_all(folder).unwrap(),
            Self::Postgres { server, schema } => {
                run(
                    server,
                    &format!("set client_min_messages = warning; drop schema {schema} cascade"),
                );
            }
        }
    }
}

fn open(url: &str) -> Arc<dyn Store> {
    Arc::new(vexil_store_diesel::open(url).unwrap())
}

fn run(server: &str, statement: &str) {
    PgConnection::establish(server)
        .unwrap()
        .batch_execute(statement)
        .unwrap();
}
