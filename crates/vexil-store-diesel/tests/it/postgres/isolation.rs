//! Databases and roles whose transactions are set to be isolated more strictly than by default.

use std::thread;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use vexil_store::{Commit, CommitError, ConfigurationStore};
use vexil_store_diesel::open;

use super::Schema;

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Waits until a connection of the schema waits for a lock.
fn wait_for_a_lock(schema: &Schema) {
    let mut connection = PgConnection::establish(&schema.server).unwrap();
    let waiting =
        "select count(*) from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'";
    loop {
        let waiting = diesel::sql_query(waiting).bind::<Text, _>(&schema.name);
        if waiting.get_result::<Count>(&mut connection).unwrap().count > 0 {
            return;
        }
    }
}

/// Under a stricter level the database says that it could not serialise access, which nobody could tell from a failure.
#[test]
fn whoever_comes_second_is_told_so_however_strictly_transactions_are_isolated() {
    for level in ["read%5C%20committed", "repeatable%5C%20read", "serializable"] {
        let Some(schema) = Schema::new() else {
            return;
        };
        let url = format!(
            "{}%20-cdefault_transaction_isolation%3D{level}&application_name={}",
            schema.url(),
            schema.name
        );
        let (first, second) = (open(&url).unwrap(), open(&url).unwrap());
        let outcome = thread::scope(|scope| {
            let mut late = None;
            let mut edit = || {
                late = Some(scope.spawn(|| second.commit(&Commit::default())));
                wait_for_a_lock(&schema);
                Some(Commit::default())
            };
            first.commit_in_turn(&mut edit).unwrap();
            late.unwrap().join().unwrap()
        });
        assert!(
            matches!(outcome, Err(CommitError::Stale { .. })),
            "{level}: {outcome:?}"
        );
    }
}
