//! Lost connections.

use diesel::prelude::*;
use vexil_store::{Commit, CommitError, ConfigurationStore, StoreError};

use super::Schema;

/// Ends every connection to the database whose search path is that of the schema, as a restart would.
fn end_connections(schema: &Schema) -> i64 {
    let mut connection = PgConnection::establish(&schema.server).unwrap();
    let pids: Vec<i32> = diesel::sql_query(
        "select pid from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()",
    )
    .bind::<diesel::sql_types::Text, _>(&schema.name)
    .load::<Pid>(&mut connection)
    .unwrap()
    .into_iter()
    .map(|row| row.pid)
    .collect();
    for pid in &pids {
        diesel::sql_query("select pg_terminate_backend($1, 5000)")
            .bind::<diesel::sql_types::Integer, _>(pid)
            .execute(&mut connection)
            .unwrap();
    }
    i64::try_from(pids.len()).unwrap()
}

#[derive(QueryableByName)]
struct Pid {
    #[diesel(sql_type = diesel::sql_types::Integer)]
    pid: i32,
}

#[test]
fn a_store_goes_on_after_its_connections_were_lost() {
    let Some(schema) = Schema::new() else {
        return;
    };
    let url = format!("{}&application_name={}", schema.url(), schema.name);
    let store = vexil_store_diesel::open(&url).unwrap();
    for sequence in 0..3 {
        let commit = Commit {
            expected: sequence,
            ..Commit::default()
        };
        store.commit(&commit).unwrap();
        assert!(end_connections(&schema) > 0);
        assert_eq!(store.revision().unwrap().sequence, sequence + 1);
        assert!(end_connections(&schema) > 0);
    }
}

#[test]
fn a_standby_is_known_until_it_takes_edits() {
    let Some(schema) = Schema::new() else {
        return;
    };
    let store = vexil_store_diesel::open(&schema.url()).unwrap();
    store.commit(&Commit::default()).unwrap();
    let name = &schema.name;
    // what PostgreSQL answers to any edit on a standby
    schema.run(&format!(
        "create function {name}.refuse() returns trigger language plpgsql as
         $$ begin raise exception using errcode = 'read_only_sql_transaction'; end $$;
         create trigger refuse before update on {name}.store_state execute function {name}.refuse()"
    ));
    let next = Commit {
        expected: 1,
        ..Commit::default()
    };
    let error = store.commit(&next).unwrap_err();
    assert!(
        matches!(error, CommitError::Store(StoreError::ReadOnly { .. })),
        "{error:?}"
    );
    assert!(matches!(store.check().unwrap_err(), StoreError::ReadOnly { .. }));
    schema.run(&format!("drop trigger refuse on {name}.store_state"));
    store.check().unwrap();
    store.commit(&next).unwrap();
}

#[test]
fn the_clock_is_that_of_the_database_whatever_its_zone() {
    let Some(schema) = Schema::new() else {
        return;
    };
    for zone in ["UTC", "Asia/Kolkata", "America/St_Johns"] {
        let url = format!("{}%20-cTimeZone%3D{zone}", schema.url());
        let store = vexil_store_diesel::open(&url).unwrap();
        let apart = store.clock().unwrap().unwrap() - time::OffsetDateTime::now_utc();
        assert!(apart.abs() < time::Duration::minutes(5), "{zone}: {apart}");
    }
}
