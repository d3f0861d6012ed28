//! Whoever touches nothing that is near a flag changes no answer of it.

use proptest::prelude::*;
use vexil_change_request::{ChangeRequestId, Scope, overlay};
use vexil_domain::FlagName;
use vexil_preview::affected_flags;
use vexil_proptest::{arb_planned_changes, arb_snapshot};

use super::NOW;
use crate::operations::change_requests::near::Near;

fn scope() -> Scope {
    Scope {
        request: Some(ChangeRequestId(1)),
        project: "default".into(),
        environment: "production".into(),
        now: NOW,
    }
}

proptest! {
    #[test]
    fn what_touches_nothing_near_changes_none_of_the_flags(
        (snapshot, changes, picked) in arb_snapshot().prop_flat_map(|snapshot| {
            let changes = arb_planned_changes(&snapshot, &scope(), 1..=4);
            (Just(snapshot), changes, any::<prop::sample::Index>())
        })
    ) {
        let proposed = overlay(&snapshot, &scope(), &changes).proposed;
        for environment in snapshot.environments.keys() {
            let (before, after) = (snapshot.in_environment(environment), proposed.in_environment(environment));
            let affected = affected_flags(&before, &after);
            let all: Vec<&FlagName> = before.flags.keys().collect();
            for name in affected.iter().chain(all.get(picked.index(all.len().max(1))).copied()) {
                let mut near = Near::default();
                near.add(std::slice::from_ref(name), &before);
                prop_assert!(near.is_touched_by(&changes) || !affected.contains(name), "{name}");
            }
        }
    }
}
