//! SQLite in a file.

use vexil_store::conformance::Subject;

use crate::folder::Folder;

fn open() -> Option<Subject> {
    let folder = Folder::new();
    let url = move || format!("sqlite:{}/a file.db", folder.path().display());
    Some(Subject::lasting(move || {
        vexil_store_diesel::open(&url()).unwrap()
    }))
}

vexil_store::store_conformance!(open);
