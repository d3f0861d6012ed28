//! Databases of earlier versions.

mod later_rows;
mod levels;
mod rows;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel_migrations::{FileBasedMigrations, MigrationHarness};
use time::OffsetDateTime;
use time::macros::datetime;
use vexil_metrics::{Counts, Rows, UsageKey, Width};
use vexil_store::{Applications, Reported, Store, UsageQuery};

/// The last migration before usage was kept in blocks.
const BEFORE_BLOCKS: &str = "20261128010000";

/// What an earlier version wrote: a flag reported by two applications, one of them in two minutes of one hour and
/// in an hour of which the minutes are gone. Hours count their minutes too.
const USAGE: &str = "
    insert into usage_series (flag, application, environment, last_reported) values
        ('a', 'shop', 'production', 1795780860000000), ('a', 'till', 'qa', 1795777200000000);
    insert into usage
        select id, width, starts_at, yes_count, no_count from usage_series join (
            select 'shop' as name, 60 as width, 1795780800000000 as starts_at, 1 as yes_count, 2 as no_count
            union all select 'shop', 60, 1795780860000000, 10, 0
            union all select 'shop', 3600, 1795780800000000, 11, 2
            union all select 'shop', 3600, 1795777200000000, 100, 100
            union all select 'till', 3600, 1795777200000000, 7, 0
        ) as counted on application = name;
    insert into usage_variants
        select id, width, starts_at, variant, times from usage_series join (
            select 60 as width, 1795780860000000 as starts_at, 'blue' as variant, 4 as times
            union all select 3600, 1795780800000000, 'blue', 4
            union all select 3600, 1795777200000000, 'red', 5
        ) as counted on application = 'shop';";

const ELEVEN: OffsetDateTime = datetime!(2026-11-27 11:00 UTC);
const NOON: OffsetDateTime = datetime!(2026-11-27 12:00 UTC);

fn write_as_earlier<DB: diesel::backend::Backend>(
    connection: &mut (impl MigrationHarness<DB> + SimpleConnection),
    folder: &str,
) where
    FileBasedMigrations: diesel::migration::MigrationSource<DB>,
{
    let migrations = FileBasedMigrations::from_path(folder).unwrap();
    while connection
        .run_next_migration(migrations.clone())
        .unwrap()
        .to_string()
        != BEFORE_BLOCKS
    {}
    connection.batch_execute(USAGE).unwrap();
}

fn has_kept_usage(store: &dyn Store) {
    let row = |application: &str, environment: &str, start, counts| {
        let key = UsageKey {
            flag: "a".into(),
            environment: environment.into(),
            application: application.to_owned(),
            start,
        };
        (key, counts)
    };
    let rows = |width| {
        let flags = vec!["a".into()];
        let since = datetime!(1970-01-01 00:00 UTC);
        let wanted = UsageQuery {
            flags,
            width,
            since,
            applications: Applications::Apart,
        };
        store.usage(&wanted).unwrap()
    };
    let minutes: Rows = [
        row("shop", "production", NOON, Counts::new(1, 2)),
        row(
            "shop",
            "production",
            datetime!(2026-11-27 12:01 UTC),
            Counts::new(10, 0).with_variant("blue", 4),
        ),
    ]
    .into_iter()
    .collect();
    assert_eq!(rows(Width::Minute), minutes);
    let hours: Rows = [
        row(
            "shop",
            "production",
            ELEVEN,
            Counts::new(100, 100).with_variant("red", 5),
        ),
        row(
            "shop",
            "production",
            NOON,
            Counts::new(11, 2).with_variant("blue", 4),
        ),
        row("till", "qa", ELEVEN, Counts::new(7, 0)),
    ]
    .into_iter()
    .collect();
    assert_eq!(rows(Width::Hour), hours);
    let by = store.reported_by(&Reported::Flags(vec!["a".into()])).unwrap();
    let last: Vec<OffsetDateTime> = by.iter().map(|by| by.last).collect();
    assert_eq!(last, [datetime!(2026-11-27 12:01 UTC), ELEVEN]);
}

#[cfg(feature = "sqlite")]
#[test]
fn usage_of_an_earlier_version_is_kept_in_sqlite() {
    let folder = crate::folder::Folder::new();
    let file = folder.path().join("flags.db");
    let mut connection = SqliteConnection::establish(&file.to_string_lossy()).unwrap();
    write_as_earlier(&mut connection, "migrations/sqlite");
    has_kept_usage(&vexil_store_diesel::open(&format!("sqlite:{}", file.display())).unwrap());
}

#[cfg(feature = "postgres")]
#[test]
fn usage_of_an_earlier_version_is_kept_in_postgresql() {
    let Some(schema) = crate::postgres::Schema::new() else {
        return;
    };
    let mut connection = PgConnection::establish(&schema.url()).unwrap();
    write_as_earlier(&mut connection, "migrations/postgres");
    has_kept_usage(&vexil_store_diesel::open(&schema.url()).unwrap());
}
