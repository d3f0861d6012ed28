//! Tests of the audit log as a whole: whatever differs is told.

use std::collections::BTreeSet;

use proptest::prelude::*;
use vexil_domain::{FlagName, Snapshot, Tag, Write};
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

/// All tags of a configuration.
struct Tags {
    on_flags: BTreeSet<(FlagName, Tag)>,
    of_types: BTreeSet<Tag>,
}

impl Tags {
    fn of(snapshot: &Snapshot) -> Self {
        let flags = snapshot.flags.values();
        let types = snapshot.tag_types.values();
        Self {
            on_flags: flags
                .flat_map(|flag| flag.tags.iter().map(|tag| (flag.name.clone(), tag.clone())))
                .collect(),
            of_types: types
                .flat_map(|kind| kind.values.iter().map(|value| Tag::new(&kind.name, value)))
                .collect(),
        }
    }
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
    fn each_tag_is_told_once(before in arb_snapshot(), after in arb_snapshot()) {
        let told = told(&before, &after);
        let count = |kind: &str| told.iter().filter(|entry| entry.kind == kind).count();
        let (were, are) = (Tags::of(&before), Tags::of(&after));
        prop_assert_eq!(count("feature-tagged"), are.on_flags.difference(&were.on_flags).count());
        // flags and types that are gone took theirs along
        let untagged = were.on_flags.difference(&are.on_flags).filter(|(flag, _)| after.flags.contains_key(flag));
        prop_assert_eq!(count("feature-untagged"), untagged.count());
        prop_assert_eq!(count("tag-created"), are.of_types.difference(&were.of_types).count());
        let deleted = were.of_types.difference(&are.of_types);
        let deleted = deleted.filter(|tag| after.tag_types.contains_key(&tag.kind));
        prop_assert_eq!(count("tag-deleted"), deleted.count());
        let names = |snapshot: &Snapshot| snapshot.tag_types.keys().cloned().collect::<BTreeSet<String>>();
        let (were, are) = (names(&before), names(&after));
        prop_assert_eq!(count("tag-type-created"), are.difference(&were).count());
        prop_assert_eq!(count("tag-type-deleted"), were.difference(&are).count());
    }

    #[test]
    fn nothing_is_told_where_nothing_differs(snapshot in arb_snapshot()) {
        prop_assert_eq!(told(&snapshot, &snapshot.clone()), vec![]);
    }
}
