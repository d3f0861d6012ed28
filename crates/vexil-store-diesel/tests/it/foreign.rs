//! Databases that another program made.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use vexil_store_diesel::{OpenError, open};

#[cfg(feature = "sqlite")]
mod sqlite {
    use std::path::Path;

    use super::*;
    use crate::folder::Folder;

    fn made_by(file: &Path, statements: &str) -> SqliteConnection {
        let mut connection = SqliteConnection::establish(&file.to_string_lossy()).unwrap();
        connection.batch_execute(statements).unwrap();
        connection
    }

    /// Whatever in the folder is not empty, and what it holds; not how SQLite shares a log between processes.
    fn all_files(folder: &Folder) -> Vec<(std::ffi::OsString, Vec<u8>)> {
        let mut files: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap()))
            .filter(|(name, bytes)| !bytes.is_empty() && !name.to_string_lossy().ends_with("-shm"))
            .collect();
        files.sort();
        files
    }

    #[test]
    fn a_file_that_another_program_has_filled_is_refused_and_left_as_it_is() {
        for (statements, named) in [
            ("create table notes (id integer)", "`notes`;"),
            // names that Vexil has too
            (
                "create table projects (id integer); create table users (id); create table x (y); create view z as select 1",
                "`projects`, `users`, `x` and 1 more",
            ),
            // the table of Diesel, which other programs use as well
            (
                "create table __diesel_schema_migrations (version text primary key, run_on text); insert into __diesel_schema_migrations values ('2020', '')",
                "`__diesel_schema_migrations`;",
            ),
            ("create table store_state (id integer)", "`store_state`;"),
            ("create view only_a_view as select 1", "`only_a_view`;"),
            // what was not told apart from a setting of Vexil's own
            (
                "pragma journal_mode = wal; create table notes (id integer)",
                "`notes`;",
            ),
            ("create virtual table search using fts5(words)", "`search`"),
        ] {
            let folder = Folder::new();
            let file = folder.path().join("other.db");
            drop(made_by(&file, statements));
            let before = all_files(&folder);
            let error = open(&format!("sqlite:{}", file.display())).unwrap_err();
            assert!(
                matches!(&error, OpenError::Foreign { path, .. } if *path == file),
                "{error:?}"
            );
            let told = error.to_string();
            assert!(
                told.contains(named) && told.contains("name another file"),
                "{told}"
            );
            assert!(told.contains(&file.display().to_string()), "{told}");
            assert!(all_files(&folder) == before, "{statements}");
        }
    }

    #[test]
    fn a_file_that_another_program_has_open_is_refused_and_can_be_used_by_it_afterwards() {
        let folder = Folder::new();
        let file = folder.path().join("other.db");
        let mut other = made_by(
            &file,
            "create table notes (id integer); begin immediate; insert into notes values (1)",
        );
        let error = open(&format!("sqlite:{}", file.display())).unwrap_err();
        assert!(matches!(&error, OpenError::Foreign { .. }), "{error:?}");
        other
            .batch_execute("commit; insert into notes values (2)")
            .unwrap();
    }

    #[test]
    fn an_empty_file_is_filled_and_what_others_add_to_ours_does_no_harm() {
        let folder = Folder::new();
        for (name, bytes) in [("empty.db", Some("")), ("missing.db", None)] {
            let file = folder.path().join(name);
            if let Some(bytes) = bytes {
                std::fs::write(&file, bytes).unwrap();
            }
            let url = format!("sqlite:{}", file.display());
            drop(open(&url).unwrap());
            drop(made_by(&file, "create table _litestream_seq (id integer)"));
            drop(open(&url).unwrap());
        }
        // no tables yet, but pages
        let file = folder.path().join("pages.db");
        drop(made_by(
            &file,
            "create table notes (id integer); drop table notes",
        ));
        drop(open(&format!("sqlite:{}", file.display())).unwrap());
    }
}

#[cfg(feature = "postgres")]
#[test]
fn a_schema_is_shared_with_other_tables_unless_they_stand_where_ours_belong() {
    let Some(schema) = crate::postgres::Schema::new() else {
        return;
    };
    let mut other = PgConnection::establish(&schema.url()).unwrap();
    for taken in [
        "create table projects (id integer)",
        "create view events as select 1",
        "create table __diesel_schema_migrations (version text primary key, run_on text); insert into __diesel_schema_migrations values ('2020', '')",
    ] {
        other
            .batch_execute(&format!("create table notes (id integer); {taken}"))
            .unwrap();
        let error = open(&schema.url()).unwrap_err();
        assert!(matches!(&error, OpenError::Occupied { .. }), "{error:?}");
        assert!(error.to_string().contains("search_path%3DSCHEMA"), "{error}");
        let left = "select count(*) from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v')";
        let left: i64 = diesel::dsl::sql::<diesel::sql_types::BigInt>(left)
            .get_result(&mut other)
            .unwrap();
        assert_eq!(left, 2, "{taken}");
        other
            .batch_execute(
                "set client_min_messages = warning; drop table if exists notes; drop view if exists events;
                 drop table if exists __diesel_schema_migrations; drop table if exists projects",
            )
            .unwrap();
    }
    other.batch_execute("create table notes (id integer)").unwrap();
    drop(open(&schema.url()).unwrap());
    drop(open(&schema.url()).unwrap());
}
