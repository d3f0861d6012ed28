//! What changes cost: about as much for each, however many there are.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use vexil_change_request::*;
use vexil_domain::*;

use crate::world::*;

/// `pairs` parents `p0…` with a child `c0…` each, and as many flags without.
fn families(pairs: usize) -> Snapshot {
    let mut snapshot = empty();
    for number in 0..pairs {
        put(
            &mut snapshot,
            flag("shop", &format!("p{number}"), false, Vec::new()),
        );
        let mut child = flag("shop", &format!("c{number}"), false, Vec::new());
        child.dependencies = vec![Dependency {
            parent: format!("p{number}").into(),
            enabled: true,
            variants: Vec::new(),
        }];
        put(&mut snapshot, child);
        put(
            &mut snapshot,
            flag("shop", &format!("f{number}"), false, Vec::new()),
        );
    }
    snapshot
}

fn named(changes: &[(String, Change)]) -> Vec<(&str, Change)> {
    changes
        .iter()
        .map(|(flag, change)| (flag.as_str(), change.clone()))
        .collect()
}

/// How long the changes of both sizes take; the larger has ten times as many.
fn grows(lay_over: impl Fn(usize) -> (Snapshot, Vec<PlannedChange>)) -> f64 {
    let time = |size| {
        let (snapshot, changes) = lay_over(size);
        let best = (0..5).map(|_| {
            let start = ThreadTime::now();
            std::hint::black_box(overlay(&snapshot, &scope(), &changes));
            start.elapsed()
        });
        best.min().unwrap_or(Duration::ZERO).as_secs_f64()
    };
    time(1_000) / time(100)
}

/// Ten times the changes over ten times the flags take about ten times as long; where cost is a square it
/// is a hundred times.
const LINEAR: f64 = 40.0;

#[test]
fn refused_archives_cost_as_much_as_others() {
    let growth = grows(|size| {
        let snapshot = families(size);
        let archives: Vec<(String, Change)> = (0..size)
            .map(|number| {
                let which = if number % 2 == 0 { "p" } else { "f" };
                (format!("{which}{number}"), Change::ArchiveFeature)
            })
            .collect();
        let changes = planned(&snapshot, named(&archives));
        (snapshot, changes)
    });
    assert!(growth < LINEAR, "{growth}");
}

#[test]
fn a_chain_of_refusals_is_followed_without_starting_again() {
    // every flag is to be archived but the last child, so that one refusal leads to the next
    let growth = grows(|size| {
        let mut snapshot = empty();
        for number in 0..=size {
            let mut link = flag("shop", &format!("l{number:04}"), false, Vec::new());
            if number > 0 {
                link.dependencies = vec![Dependency {
                    parent: format!("l{:04}", number - 1).into(),
                    enabled: true,
                    variants: Vec::new(),
                }];
            }
            put(&mut snapshot, link);
        }
        let archives: Vec<(String, Change)> = (0..size)
            .map(|number| (format!("l{number:04}"), Change::ArchiveFeature))
            .collect();
        let changes = planned(&snapshot, named(&archives));
        let outcome = overlay(&snapshot, &scope(), &changes);
        assert_eq!(outcome.blocks().count(), size);
        (snapshot, changes)
    });
    assert!(growth < LINEAR, "{growth}");
}

#[test]
fn segments_that_take_each_others_names_are_settled_without_starting_again() {
    let growth = grows(|size| {
        let mut snapshot = empty();
        for id in 0..=size {
            put_segment(&mut snapshot, i64::try_from(id).unwrap(), &format!("s{id}"), None);
        }
        let taking = |id: usize| {
            let update = SegmentUpdate {
                id: SegmentId(i64::try_from(id).unwrap()),
                name: format!("s{}", id + 1),
                description: None,
                project: None,
                constraints: Vec::new(),
            };
            ("", Change::UpdateSegment(update))
        };
        let changes = planned(&snapshot, (0..size).map(taking).collect());
        let outcome = overlay(&snapshot, &scope(), &changes);
        assert_eq!(outcome.blocks().count(), size);
        (snapshot, changes)
    });
    assert!(growth < LINEAR, "{growth}");
}

#[test]
fn an_edited_strategy_is_described_once_for_all_changes_of_it() {
    let growth = grows(|size| {
        let then = sample();
        let update = || ("checkout", Change::UpdateStrategy(StrategyUpdate::new("narrow")));
        let changes = planned(&then, (0..size).map(|_| update()).collect());
        let mut live = then;
        let checkout = Arc::make_mut(live.flags.get_mut("checkout").unwrap());
        let settings = Arc::make_mut(checkout.environments.get_mut("production").unwrap());
        let many: Vec<String> = (0..250).map(|number| format!("country-{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        settings.strategies[0].constraints = vec![is_in("country", &many); 30];
        (live, changes)
    });
    assert!(growth < LINEAR, "{growth}");
}
