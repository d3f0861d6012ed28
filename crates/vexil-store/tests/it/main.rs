//! The store in memory does what every store must do.

use vexil_store::MemoryStore;
use vexil_store::conformance::Subject;

fn open() -> Option<Subject> {
    Some(Subject::fleeting(MemoryStore::new()))
}

vexil_store::store_conformance!(open);
