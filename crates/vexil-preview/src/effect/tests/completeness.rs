//! How many changes are decided for every context.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::strategy::{Strategy as _, ValueTree};
use vexil_budget::Budget;
use vexil_domain::EnvironmentSnapshot;
use vexil_proptest::{Shape, arb_environment_edit, realistic_change};

use super::sides::{Sides, asked_for, runner};
use crate::affected_flags;

/// Weights as an edit may set them.
fn usual_weights(snapshot: &mut EnvironmentSnapshot) {
    for flag in snapshot.flags.values_mut() {
        let settings = Arc::make_mut(&mut Arc::make_mut(flag).settings);
        let of_strategies = settings.strategies.iter_mut().flat_map(|it| &mut it.variants);
        for variant in settings.variants.iter_mut().chain(of_strategies) {
            variant.weight %= 1_001;
        }
    }
}

/// What a change may cost, in units of work, as the server asks for it.
const WORK: u64 = 20_000_000;

#[derive(Debug, Default)]
struct Decided {
    changes: usize,
    complete: usize,
    reasons: BTreeMap<String, usize>,
}

impl Decided {
    fn add(&mut self, change: (EnvironmentSnapshot, EnvironmentSnapshot)) {
        let sides = Sides::new(change);
        let flags = affected_flags(&sides.before, &sides.after);
        let effect = sides.comparison().effect(&flags, &[], &Budget::new(WORK));
        // what is told is stored, shown and signed
        for region in effect
            .flags
            .iter()
            .flat_map(|flag| &flag.groups)
            .flat_map(|group| &group.boxes)
        {
            let told = region.to_string();
            assert!(!told.contains(char::is_control), "{told:?}");
        }
        self.changes += 1;
        self.complete += usize::from(effect.is_complete());
        for undecided in effect.flags.iter().flat_map(|flag| &flag.undecided) {
            *self.reasons.entry(undecided.reason.to_string()).or_default() += 1;
        }
        if asked_for("SHOW", 0) > 0 && !effect.is_complete() {
            let undecided = effect.flags.iter().filter(|flag| !flag.is_complete());
            for flag in undecided {
                let [before, after] = [&sides.before, &sides.after].map(|side| side.flags.get(&flag.flag));
                println!("{:?}\n{before:#?}\n{after:#?}", flag.undecided);
            }
        }
    }

    /// At least 99.5 % are complete.
    #[track_caller]
    fn demand(&self) {
        println!("{self:#?}");
        assert!(self.complete * 1_000 >= self.changes * 995, "{self:#?}");
    }
}

#[test]
fn of_400_edits_as_teams_make_them_398_at_least_are_decided_for_every_context() {
    let mut decided = Decided::default();
    for seed in 0..asked_for("CHANGES", 400) {
        decided.add(realistic_change(Shape::USUAL, asked_for("SEED", 0) + seed));
    }
    decided.demand();
}

#[test]
fn of_200_hostile_changes_199_at_least_are_decided_for_every_context() {
    let (mut decided, mut runner) = (Decided::default(), runner(3));
    for _ in 0..asked_for("CHANGES", 200) {
        let (mut before, mut after) = arb_environment_edit().new_tree(&mut runner).unwrap().current();
        usual_weights(&mut before);
        usual_weights(&mut after);
        decided.add((before, after));
    }
    decided.demand();
}
