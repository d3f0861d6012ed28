#![expect(clippy::unwrap_used, reason = "a failed assertion is what a test is for")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use diesel::connection::SimpleConnection;
use time::macros::datetime;
use vexil_domain::{FeatureFlag, SnapshotDelta, Write};
use vexil_metrics::{Counts, Report};
use vexil_store::{ApplicationStore, UsageBatch, UsageStore};

use super::*;
use crate::connection::connect;

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("vexil-store-unit-{}-{number}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        Self(folder)
    }

    fn store(&self) -> DieselStore {
        open(&format!("sqlite:{}/flags.db", self.0.display())).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn set_up_writer(store: &DieselStore, pragma: &str) {
    let outcome = store
        .editors
        .with_new_connection(|connection| connection.batch_execute(pragma));
    outcome.unwrap().unwrap();
}

fn large_edit(expected: u64) -> Commit {
    let flag = FeatureFlag {
        description: Some("x".repeat(1_000_000)),
        ..FeatureFlag::new("large", "default", datetime!(2026-11-27 21:03 UTC))
    };
    Commit {
        expected,
        delta: SnapshotDelta {
            flags: vec![Write::Upsert(Arc::new(flag))],
            ..SnapshotDelta::default()
        },
        ..Commit::default()
    }
}

/// A batch of one report.
fn batch(number: u64) -> UsageBatch {
    let now = datetime!(2026-11-27 21:03 UTC);
    let mut report = Report::new("shop", "production", now, now);
    report.add("checkout", &Counts::new(1, 0));
    UsageBatch {
        writer: vexil_store::WriterId(1),
        number,
        again: false,
        counts: report.pack(),
        keys: Vec::new(),
        now,
    }
}

/// The whole story that an error tells, as a log shows it.
fn story(error: &dyn std::error::Error) -> String {
    let mut story = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        story = format!("{story}: {error}");
        cause = error.source();
    }
    story
}

#[test]
fn a_full_disk_is_an_error_and_the_store_goes_on() {
    let folder = Folder::new();
    let store = folder.store();
    store.commit(&Commit::default()).unwrap();
    let before = store.load().unwrap();
    set_up_writer(&store, "pragma max_page_count = 1");
    let error = store.commit(&large_edit(1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the database has no room left for storing an edit"
    );
    assert!(story(&error).contains("full"), "{}", story(&error));

    assert_eq!(store.load().unwrap(), before);
    store.check().unwrap();
    store.commit(&large_edit(1)).unwrap();
    assert_eq!(store.load().unwrap().snapshot.flags.len(), 1);
}

#[test]
fn a_table_that_cannot_be_written_is_an_error_and_can_be_read() {
    let folder = Folder::new();
    let store = folder.store();
    store.commit(&large_edit(0)).unwrap();
    set_up_writer(
        &store,
        "create trigger refuse before insert on usage_inbox begin select raise(abort, 'broken'); end",
    );
    let error = store.append_usage(&batch(1)).unwrap_err();
    assert_eq!(error.to_string(), "the database failed while storing usage");
    assert!(story(&error).contains("broken"), "{}", story(&error));

    assert_eq!(store.load().unwrap().snapshot.flags.len(), 1);
    assert!(store.reporting_applications().unwrap().is_empty());
}

#[test]
fn what_users_are_told_names_neither_statements_nor_files() {
    let folder = Folder::new();
    let store = folder.store();
    store.commit(&large_edit(0)).unwrap();
    set_up_writer(&store, "update flags set created_at = 9223372036854775807");
    let error = store.load().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the database holds an instant that cannot be understood"
    );
    set_up_writer(&store, "drop table flags");
    let error = store.load().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the database failed while reading the configuration"
    );
    assert!(story(&error).contains("no such table"));
}

#[test]
fn what_is_answered_is_on_the_disk() {
    let folder = Folder::new();
    let store = folder.store();
    let read = |pragma: &str| {
        use diesel::prelude::*;

        #[derive(QueryableByName)]
        struct Value {
            #[diesel(sql_type = diesel::sql_types::Text)]
            value: String,
        }
        let query = format!("select cast({pragma} as text) as value from pragma_{pragma}");
        let outcome = store
            .editors
            .transaction(Access::Write, |connection| match connection {
                AnyConnection::Sqlite(own) => Ok(diesel::sql_query(&query).get_result::<Value>(own)?.value),
                #[cfg(feature = "postgres")]
                AnyConnection::Postgres(_) => unreachable!("the store is a file"),
            });
        outcome.unwrap()
    };
    assert_eq!(read("synchronous"), "2", "2 is FULL");
    assert_eq!(read("journal_mode"), "wal");
    assert_eq!(read("foreign_keys"), "1");
}

#[test]
fn a_panic_in_a_transaction_gives_its_turn_back() {
    let folder = Folder::new();
    let store = folder.store();
    for _ in 0..3 {
        let panicking = std::panic::AssertUnwindSafe(|| {
            store.write("", |_| -> Result<(), DbError> {
                std::panic::resume_unwind(Box::new(""))
            })
        });
        assert!(std::panic::catch_unwind(panicking).is_err());
    }
    store.commit(&Commit::default()).unwrap();
}

#[test]
fn a_full_disk_is_known_until_there_is_room_again() {
    let folder = Folder::new();
    let store = folder.store();
    set_up_writer(&store, "pragma max_page_count = 1");
    store.commit(&large_edit(0)).unwrap_err();
    assert!(store.refused.load(Ordering::Relaxed));
    store.check().unwrap();
    assert!(
        !store.refused.load(Ordering::Relaxed),
        "the new connection has room"
    );
}

#[test]
fn whoever_is_kept_waiting_waits_once_and_is_told_that_nothing_was_done() {
    use diesel::prelude::*;

    let folder = Folder::new();
    let store = folder.store();
    set_up_writer(&store, "pragma busy_timeout = 100");
    let mut other = SqliteConnection::establish(&format!("{}/flags.db", folder.0.display())).unwrap();
    other.batch_execute("begin immediate").unwrap();
    let begun = std::time::Instant::now();
    let edit = store.commit(&large_edit(0)).unwrap_err();
    assert!(
        matches!(edit, CommitError::Store(StoreError::Backend { .. })),
        "{edit:?}"
    );
    let report = store.append_usage(&batch(1)).unwrap_err();
    assert!(matches!(report, StoreError::Backend { .. }), "{report:?}");
    // a new connection would have waited for five seconds
    assert!(begun.elapsed().as_secs() < 4, "{:?}", begun.elapsed());
    other.batch_execute("rollback").unwrap();
    store.commit(&large_edit(0)).unwrap();
    store.append_usage(&batch(1)).unwrap();
}

/// What another program does to the files while they are open.
fn disturbed(disturb: impl Fn(&std::path::Path)) {
    let folder = Folder::new();
    let store = folder.store();
    store.commit(&large_edit(0)).unwrap();
    store.check().unwrap();
    disturb(&folder.0);
    let refused = |outcome: Result<(), CommitError>| {
        assert!(
            matches!(outcome, Err(CommitError::Store(StoreError::Moved))),
            "{outcome:?}"
        );
    };
    refused(store.check().map_err(CommitError::Store));
    refused(store.commit(&large_edit(1)).map(drop));
    refused(store.register(&[]).map_err(CommitError::Store));
}

#[test]
fn a_file_that_was_deleted_is_noticed() {
    disturbed(|folder| std::fs::remove_file(folder.join("flags.db")).unwrap());
}

#[test]
fn a_file_that_was_moved_is_noticed() {
    disturbed(|folder| std::fs::rename(folder.join("flags.db"), folder.join("old.db")).unwrap());
}

#[test]
fn a_file_that_was_replaced_is_noticed() {
    disturbed(|folder| {
        std::fs::copy(folder.join("flags.db"), folder.join("new.db")).unwrap();
        std::fs::rename(folder.join("new.db"), folder.join("flags.db")).unwrap();
    });
}

#[test]
fn a_log_that_was_deleted_is_noticed() {
    disturbed(|folder| std::fs::remove_file(folder.join("flags.db-wal")).unwrap());
}

#[test]
fn a_file_that_was_deleted_during_a_transaction_is_not_answered_for() {
    let folder = Folder::new();
    let store = folder.store();
    let delete = || {
        std::fs::remove_file(folder.0.join("flags.db")).unwrap();
        Some(Commit::default())
    };
    let outcome = store.commit_in_turn(&mut { delete });
    assert!(
        matches!(outcome, Err(CommitError::Store(StoreError::Moved))),
        "{outcome:?}"
    );
}

#[test]
fn a_file_that_was_put_back_is_as_good_as_before() {
    let folder = Folder::new();
    let store = folder.store();
    let (here, there) = (folder.0.join("flags.db"), folder.0.join("old.db"));
    std::fs::rename(&here, &there).unwrap();
    store.commit(&Commit::default()).unwrap_err();
    std::fs::rename(&there, &here).unwrap();
    store.check().unwrap();
    store.commit(&Commit::default()).unwrap();
    assert_eq!(store.revision().unwrap().sequence, 1);
}

#[test]
fn nothing_is_made_or_deleted_in_the_place_of_a_file_that_was_moved_away() {
    for name in ["flags.db", "a b%20#&é.db"] {
        let folder = Folder::new();
        let store = open(&format!("sqlite:{}/{name}", folder.0.display())).unwrap();
        store.commit(&Commit::default()).unwrap();
        let (here, there) = (folder.0.join(name), folder.0.join("moved"));
        let log = folder.0.join(format!("{name}-wal"));
        std::fs::rename(&here, &there).unwrap();
        // nobody has read yet: each pool makes a new connection
        let is_moved = |error: &StoreError| matches!(error, StoreError::Moved);
        assert!(is_moved(&store.revision().unwrap_err()));
        assert!(is_moved(&store.inbox_size().unwrap_err()));
        for access in [Access::Read, Access::Write] {
            connect(&Location::SqliteFile(here.clone()), access, false)
                .err()
                .unwrap();
        }
        assert!(!here.exists(), "{name}");
        std::fs::rename(&there, &here).unwrap();
        store
            .commit(&Commit {
                expected: 1,
                ..Commit::default()
            })
            .unwrap();
        assert_eq!(store.revision().unwrap().sequence, 2, "{name}");
        assert!(log.exists());
    }
}

#[test]
fn a_later_version_that_changes_the_tables_is_noticed() {
    let folder = Folder::new();
    let store = folder.store();
    store.commit(&Commit::default()).unwrap();
    set_up_writer(
        &store,
        "insert into __diesel_schema_migrations (version) values ('99991231000000')",
    );
    let noticed = |error: StoreError| {
        assert!(
            matches!(&error, StoreError::Newer { migration } if migration == "99991231000000"),
            "{error:?}"
        );
    };
    noticed(store.check().unwrap_err());
    let commit = Commit {
        expected: 1,
        ..Commit::default()
    };
    match store.commit(&commit).unwrap_err() {
        CommitError::Store(error) => noticed(error),
        other => panic!("{other:?}"),
    }
    assert_eq!(store.revision().unwrap().sequence, 1);
}

#[test]
fn commits_that_are_not_in_the_log_cannot_be_followed() {
    let folder = Folder::new();
    let store = folder.store();
    for expected in 0..3 {
        let commit = Commit {
            expected,
            ..Commit::default()
        };
        store.commit(&commit).unwrap();
    }
    set_up_writer(&store, "delete from change_log where sequence = 2");
    for (sequence, told) in [(0, false), (1, false), (2, true), (3, true)] {
        assert_eq!(
            store.changes_since(sequence).unwrap().is_some(),
            told,
            "{sequence}"
        );
        assert_eq!(
            store.credentials_since(sequence).unwrap().is_some(),
            told,
            "{sequence}"
        );
    }
}
