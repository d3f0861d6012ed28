//! A database of each earlier version, with something in each of its tables, says after it was brought up to date
//! what one says that this version wrote.

use std::collections::{BTreeMap, BTreeSet};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel_migrations::{FileBasedMigrations, MigrationHarness};
use vexil_access::UserId;
use vexil_store::{ChangeRequestFilter, EventFilter, SecretHash, Store};

use super::later_rows::{DERIVED, LATER_ROWS, PRESENT};
use super::rows::ROWS;

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
}

type Columns = BTreeMap<String, BTreeSet<String>>;

/// A database that is brought up to date step by step.
trait Old: SimpleConnection {
    /// Runs the next migration, if there is one.
    fn step(&mut self) -> bool;
    fn columns(&mut self) -> Columns;
    /// The literal as this database writes it.
    fn literal(literal: &str) -> String;
}

fn by_table(columns: Vec<Column>) -> Columns {
    let mut all = Columns::new();
    for column in columns {
        let own = all.entry(column.table_name).or_default();
        own.insert(column.column_name);
    }
    all
}

#[cfg(feature = "sqlite")]
impl Old for SqliteConnection {
    fn step(&mut self) -> bool {
        let migrations = FileBasedMigrations::from_path("migrations/sqlite").unwrap();
        self.has_pending_migration(migrations.clone()).unwrap() && self.run_next_migration(migrations).is_ok()
    }

    fn columns(&mut self) -> Columns {
        let query = "select m.name as table_name, c.name as column_name
             from sqlite_master m join pragma_table_info(m.name) c
             where m.type = 'table' and m.name not like 'sqlite%' and m.name not like '\\_\\_%' escape '\\'";
        by_table(diesel::sql_query(query).load(self).unwrap())
    }

    fn literal(literal: &str) -> String {
        literal.to_owned()
    }
}

#[cfg(feature = "postgres")]
impl Old for PgConnection {
    fn step(&mut self) -> bool {
        let migrations = FileBasedMigrations::from_path("migrations/postgres").unwrap();
        self.has_pending_migration(migrations.clone()).unwrap() && self.run_next_migration(migrations).is_ok()
    }

    fn columns(&mut self) -> Columns {
        let query = "select table_name::text, column_name::text from information_schema.columns
             where table_schema = current_schema and table_name not like '\\_\\_%'";
        by_table(diesel::sql_query(query).load(self).unwrap())
    }

    fn literal(literal: &str) -> String {
        literal
            .strip_prefix("x'")
            .map_or_else(|| literal.to_owned(), |hex| format!("'\\x{hex}"))
    }
}

/// Fills the tables for which `wanted` is true, as far as they are there.
fn fill<C: Old>(connection: &mut C, wanted: impl Fn(&str) -> bool) {
    let mut columns = connection.columns();
    let present = |columns: &BTreeSet<String>, values: &[(&str, &str)]| -> Vec<(String, String)> {
        let there = values.iter().filter(|(column, _)| columns.contains(*column));
        there
            .map(|(column, value)| ((*column).to_owned(), C::literal(value)))
            .collect()
    };
    let complete = |table: &str, columns: &BTreeSet<String>, values: &[(&str, &str)]| {
        let known: BTreeSet<&str> = values.iter().map(|(column, _)| *column).collect();
        let missing = columns
            .iter()
            // which the database counts by itself
            .filter(|column| !(*column == "id" && ["events", "usage_series", "usage_inbox"].contains(&table)))
            .find(|column| !known.contains(column.as_str()));
        assert_eq!(missing, None, "say what an earlier version has there: {table}");
    };
    for (table, values) in PRESENT {
        let Some(own) = columns.remove(*table) else {
            continue;
        };
        complete(table, &own, values);
        let sets = present(&own, values).into_iter();
        let sets: Vec<String> = sets
            .map(|(column, value)| format!("{column} = {value}"))
            .collect();
        let statement = format!("update {table} set {}", sets.join(", "));
        connection.batch_execute(&statement).unwrap();
    }
    for (table, values) in ROWS.iter().chain(LATER_ROWS) {
        let Some(own) = columns.remove(*table) else {
            continue;
        };
        complete(table, &own, values);
        if !wanted(table) {
            continue;
        }
        let (names, values): (Vec<String>, Vec<String>) = present(&own, values).into_iter().unzip();
        let (names, values) = (names.join(", "), values.join(", "));
        let statement = format!("insert into {table} ({names}) values ({values})");
        connection.batch_execute(&statement).unwrap();
    }
    assert_eq!(
        columns.keys().next(),
        None,
        "say what an earlier version has there"
    );
}

/// All that the store tells of what the rows say, but for usage.
fn told(store: &dyn Store) -> String {
    let user = UserId(2);
    let secret = SecretHash([1; 32]);
    format!(
        "{:#?}",
        (
            store.load().unwrap(),
            store.change_requests(&ChangeRequestFilter::default()).unwrap(),
            store.events(&EventFilter::default()).unwrap(),
            (store.sessions_of(user).unwrap(), store.link(secret).unwrap()),
            store.instances(&["a".to_owned()]).unwrap(),
            (store.users_seen().unwrap(), store.tokens_seen().unwrap()),
        )
    )
}

/// Walks all versions. `new` makes a database, lets the function that it is given write to it, and opens it.
fn each_level<C: Old>(mut new: impl FnMut(&mut dyn FnMut(&mut C)) -> Box<dyn Store>) {
    for level in 1..=migrations() {
        let mut tables = BTreeSet::new();
        let earlier = new(&mut |connection: &mut C| {
            for _ in 0..level {
                assert!(connection.step());
            }
            tables = connection.columns().into_keys().collect();
            fill(connection, |_| true);
        });
        let newest = new(&mut |connection: &mut C| {
            while connection.step() {}
            fill(connection, |table| {
                tables.contains(table) || DERIVED.contains(&table)
            });
        });
        assert_eq!(told(&*earlier), told(&*newest), "level {level}");
        earlier.check().unwrap();
    }
}

fn migrations() -> usize {
    std::fs::read_dir("migrations/sqlite").unwrap().count()
}

#[cfg(feature = "sqlite")]
#[test]
fn what_each_earlier_version_wrote_is_understood_in_sqlite() {
    let mut folders = Vec::new();
    each_level::<SqliteConnection>(|write| {
        let folder = crate::folder::Folder::new();
        let file = folder.path().join("flags.db");
        folders.push(folder);
        let mut connection = SqliteConnection::establish(&file.to_string_lossy()).unwrap();
        // nothing here has to outlive the machine
        connection
            .batch_execute("pragma foreign_keys = on; pragma synchronous = off; pragma journal_mode = memory")
            .unwrap();
        write(&mut connection);
        drop(connection);
        Box::new(vexil_store_diesel::open(&format!("sqlite:{}", file.display())).unwrap())
    });
}

#[cfg(feature = "postgres")]
#[test]
fn what_each_earlier_version_wrote_is_understood_in_postgresql() {
    let mut schemas = Vec::new();
    if crate::postgres::Schema::new().is_none() {
        return;
    }
    each_level::<PgConnection>(|write| {
        let schema = crate::postgres::Schema::new().unwrap();
        let url = schema.url();
        schemas.push(schema);
        let mut connection = PgConnection::establish(&url).unwrap();
        connection.batch_execute("set synchronous_commit = off").unwrap();
        write(&mut connection);
        Box::new(vexil_store_diesel::open(&url).unwrap())
    });
}
