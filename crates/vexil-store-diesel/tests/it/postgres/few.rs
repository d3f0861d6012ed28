//! Databases that take fewer connections than a store may have.

use time::OffsetDateTime;
use vexil_store::{ApplicationStore, Commit, ConfigurationStore, UsageStore};
use vexil_store_diesel::open;

use super::Schema;

#[test]
fn every_kind_of_work_gets_a_connection_where_there_are_two() {
    let Some(schema) = Schema::new() else {
        return;
    };
    let role = format!("{}_few", schema.name);
    schema.run(&format!(
        "create role {role} login password 'few' connection limit 2; grant all on schema {} to {role}",
        schema.name
    ));
    {
        let url = format!("{}&user={role}&password=few", schema.url());
        let store = open(&url).unwrap();
        for round in 0..3 {
            assert_eq!(store.revision().unwrap().sequence, round);
            store.inbox_size().unwrap();
            let commit = Commit {
                expected: round,
                ..Commit::default()
            };
            store.commit(&commit).unwrap();
            store.purge_instances(OffsetDateTime::UNIX_EPOCH).unwrap();
        }
    }
    schema.run(&format!("drop owned by {role}; drop role {role}"));
}
