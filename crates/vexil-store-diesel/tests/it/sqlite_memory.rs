//! SQLite in memory.

use vexil_store::conformance::Subject;

fn open() -> Option<Subject> {
    Some(Subject::fleeting(
        vexil_store_diesel::open("sqlite::memory:").unwrap(),
    ))
}

vexil_store::store_conformance!(open);
