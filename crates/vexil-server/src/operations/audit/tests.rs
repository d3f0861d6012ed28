//! Tests of the audit log as a whole: whatever differs is told.

use proptest::prelude::*;
use vexil_domain::{Snapshot, Write};
use vexil_proptest::arb_snapshot;
use vexil_store::AccessTables;

use super::{Difference, Entry, entries};

fn told(before: &Snapshot, after: &Snapshot) -> Vec<Entry> {
    let difference = Difference {
        before,
        after,
        tokens: &[],
        users: &[],
        access: (&AccessTables::default(), &AccessTables::default()),
    };
    entries(&difference).unwrap()
}

proptest! {
    #[test]
    fn whatever_two_configurations_differ_in_is_told(before in arb_snapshot(), after in arb_snapshot()) {
        let delta = after.since(&before);
        let told = told(&before, &after);
        for write in &delta.flags {
            let name = match write {
                Write::Upsert(flag) => &flag.name,
                Write::Delete(name) => name,
            };
            prop_assert!(told.iter().any(|entry| entry.flag.as_ref() == Some(name)), "{}", name);
        }
        for write in &delta.projects {
            let id = match write {
                Write::Upsert(project) => &project.id,
                Write::Delete(id) => id,
            };
            let about = |entry: &&Entry| entry.flag.is_none() && entry.project.as_ref() == Some(id);
            prop_assert!(told.iter().find(about).is_some(), "{}", id);
        }
        for write in &delta.environments {
            let name = match write {
                Write::Upsert(environment) => &environment.name,
                Write::Delete(name) => name,
            };
            let about = |entry: &&Entry| entry.project.is_none() && entry.environment.as_ref() == Some(name);
            prop_assert!(told.iter().find(about).is_some(), "{}", name);
        }
        let count = |prefix: &str| told.iter().filter(|entry| entry.kind.starts_with(prefix)).count();
        prop_assert_eq!(count("segment-"), delta.segments.len());
        let kinds = ["strategy-created", "strategy-updated", "strategy-deleted", "strategy-deprecated", "strategy-reactivated"];
        let types = told.iter().filter(|entry| kinds.contains(&entry.kind)).count();
        prop_assert_eq!(types, delta.strategy_types.len());
    }

    #[test]
    fn nothing_is_told_where_nothing_differs(snapshot in arb_snapshot()) {
        prop_assert_eq!(told(&snapshot, &snapshot.clone()), vec![]);
    }
}
