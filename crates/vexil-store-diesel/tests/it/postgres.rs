//! PostgreSQL, each test in a schema of its own.
//!
//! `VEXIL_TEST_POSTGRES` names a database. Without it these tests say so and pass, except in CI
//! (`CI` is set), where they fail unless `VEXIL_TESTS_MAY_SKIP` is set too.
#![expect(
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests find their database by the environment, and say loudly when they cannot"
)]

mod few;
mod isolation;
mod outcome;
mod recovery;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use vexil_store::conformance::Subject;

use crate::folder::unique_name;

/// A schema that is gone when dropped.
pub(crate) struct Schema {
    server: String,
    name: String,
}

impl Schema {
    pub(crate) fn new() -> Option<Self> {
        let schema = Self {
            server: server()?,
            name: format!("vexil_store_{}", unique_name()),
        };
        schema.run(&format!("create schema {}", schema.name));
        Some(schema)
    }

    pub(crate) fn url(&self) -> String {
        let separator = if self.server.contains('?') { '&' } else { '?' };
        format!("{}{separator}options=-csearch_path%3D{}", self.server, self.name)
    }

    fn run(&self, statement: &str) {
        PgConnection::establish(&self.server)
            .unwrap()
            .batch_execute(statement)
            .unwrap();
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        self.run(&format!(
            "set client_min_messages = warning; drop schema {} cascade",
            self.name
        ));
    }
}

fn server() -> Option<String> {
    if let Ok(url) = std::env::var("VEXIL_TEST_POSTGRES") {
        return Some(url);
    }
    let set = |name| std::env::var_os(name).is_some();
    let message =
        "VEXIL_TEST_POSTGRES is not set: NOTHING IS TESTED ON POSTGRESQL; `cargo xtask test` starts one";
    assert!(!set("CI") || set("VEXIL_TESTS_MAY_SKIP"), "{message}");
    eprintln!("{message}");
    None
}

fn open() -> Option<Subject> {
    let schema = Schema::new()?;
    Some(Subject::lasting(move || {
        vexil_store_diesel::open(&schema.url()).unwrap()
    }))
}

vexil_store::store_conformance!(open);
