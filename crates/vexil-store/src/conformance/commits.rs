//! Commits: all or nothing, one after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use vexil_domain::{FeatureFlag, SnapshotDelta, Write};

use super::{Subject, sample, tokens_of};
use crate::{ChangeRequestFilter, Commit, CommitError, Counters, EventFilter, Revision, Store};

fn put_flag(name: &str) -> SnapshotDelta {
    SnapshotDelta {
        flags: vec![Write::Upsert(Arc::new(FeatureFlag::new(
            name,
            "shop",
            sample::NOW,
        )))],
        ..SnapshotDelta::default()
    }
}

fn everything(expected: u64, delta: SnapshotDelta) -> Commit {
    Commit {
        expected,
        delta,
        change_requests: vec![Write::Upsert(Arc::new(sample::change_request(1)))],
        tokens: vec![Write::Upsert(Arc::new(sample::token(1)))],
        events: vec![sample::event("feature-created")],
        ..Commit::default()
    }
}

/// Each commit adds one to the sequence; one without a delta leaves the configuration where it was.
pub fn a_commit_makes_the_next_revision(subject: Subject) {
    let store = subject.store();
    let revision = |sequence, configuration| Revision {
        sequence,
        configuration,
        mark: 0,
    };
    assert_eq!(store.revision().unwrap(), revision(0, 0));
    let deltas = [
        SnapshotDelta::default(),
        put_flag("a"),
        SnapshotDelta::default(),
        put_flag("b"),
    ];
    let expected = [revision(1, 0), revision(2, 2), revision(3, 2), revision(4, 4)];
    for ((delta, expected), at) in deltas.into_iter().zip(expected).zip(0..) {
        let commit = Commit {
            expected: at,
            delta,
            ..Commit::default()
        };
        assert_eq!(store.commit(&commit).unwrap(), expected);
        assert_eq!(store.revision().unwrap(), expected);
        assert_eq!(store.load().unwrap().revision, expected);
    }
}

/// A commit computed from anything but the current revision is refused, whole.
pub fn a_stale_commit_is_refused_and_changes_nothing(subject: Subject) {
    let store = subject.store();
    store
        .commit(&Commit {
            delta: put_flag("a"),
            ..Commit::default()
        })
        .unwrap();
    let before = store.load().unwrap();
    for expected in [0, 2, u64::MAX] {
        let commit = Commit {
            counters: Counters {
                segment: 77,
                ..Counters::default()
            },
            ..everything(expected, put_flag("b"))
        };
        match store.commit(&commit) {
            Err(CommitError::Stale {
                expected: refused,
                current,
            }) => {
                assert_eq!(refused, expected);
                assert_eq!(current, before.revision);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(store.load().unwrap(), before);
    assert!(tokens_of(store).is_empty());
    assert_eq!(store.events(&EventFilter::default()).unwrap().total, 0);
    assert_eq!(
        store
            .change_requests(&ChangeRequestFilter::default())
            .unwrap()
            .total,
        0
    );
}

/// Twelve at once: one is carried out, the others learn that they are stale.
pub fn of_parallel_commits_on_one_revision_exactly_one_wins(subject: Subject) {
    let store = subject.store();
    for round in 0..5_u64 {
        let outcomes: Vec<_> = thread::scope(|scope| {
            let racers: Vec<_> = (0..12)
                .map(|racer| {
                    let delta = put_flag(&format!("flag-{round}-{racer}"));
                    scope.spawn(move || {
                        store.commit(&Commit {
                            expected: round,
                            delta,
                            ..Commit::default()
                        })
                    })
                })
                .collect();
            racers.into_iter().map(|racer| racer.join().unwrap()).collect()
        });
        let won = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        let stale = outcomes
            .iter()
            .filter(|outcome| matches!(outcome, Err(CommitError::Stale { .. })))
            .count();
        assert_eq!((won, stale), (1, 11), "{outcomes:?}");
        let loaded = store.load().unwrap();
        assert_eq!(loaded.revision.sequence, round + 1);
        assert_eq!(u64::try_from(loaded.snapshot.flags.len()).unwrap(), round + 1);
    }
}

fn insist(store: &dyn Store, name: &str) {
    loop {
        let expected = store.revision().unwrap().sequence;
        match store.commit(&Commit {
            expected,
            delta: put_flag(name),
            ..Commit::default()
        }) {
            Ok(_) => return,
            Err(CommitError::Stale { .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
}

/// Whoever computes his edit anew when it was stale gets it in, and nobody's is lost.
pub fn parallel_editors_that_retry_all_get_through(subject: Subject) {
    let store = subject.store();
    thread::scope(|scope| {
        for editor in 0..8 {
            scope.spawn(move || (0..5).for_each(|edit| insist(store, &format!("flag-{editor}-{edit}"))));
        }
    });
    let loaded = store.load().unwrap();
    assert_eq!(loaded.snapshot.flags.len(), 40);
    assert_eq!(
        loaded.revision,
        Revision {
            sequence: 40,
            configuration: 40,
            mark: 0,
        }
    );
}

/// The next ids are those of the last commit.
pub fn counters_are_kept(subject: Subject) {
    let store = subject.store();
    assert_eq!(store.load().unwrap().counters, Counters::default());
    let counters = Counters {
        segment: 2,
        change_request: 3,
        change: 4,
        comment: 5,
        token: i64::MAX,
        user: 8,
        personal_token: 9,
        role: 108,
        group: 9,
        sign_up_link: 10,
    };
    store
        .commit(&Commit {
            counters,
            ..Commit::default()
        })
        .unwrap();
    assert_eq!(store.load().unwrap().counters, counters);
}

/// Two flags are always switched together; a reader finds them alike, and with the right revision.
pub fn readers_never_see_half_a_commit(subject: Subject) {
    let store = subject.store();
    let both = |description: &str| {
        let flag = |name: &str| FeatureFlag {
            description: Some(description.to_owned()),
            ..sample::flag(name)
        };
        SnapshotDelta {
            flags: vec![
                Write::Upsert(Arc::new(flag("a"))),
                Write::Upsert(Arc::new(flag("z"))),
            ],
            ..SnapshotDelta::default()
        }
    };
    store
        .commit(&Commit {
            delta: both("1"),
            ..Commit::default()
        })
        .unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for expected in 1..20_u64 {
                let delta = both(&(expected + 1).to_string());
                store
                    .commit(&Commit {
                        expected,
                        delta,
                        ..Commit::default()
                    })
                    .unwrap();
            }
            done.store(true, Ordering::Release);
        });
        while !done.load(Ordering::Acquire) {
            let loaded = store.load().unwrap();
            for flag in loaded.snapshot.flags.values() {
                let expected = loaded.revision.sequence.to_string();
                assert_eq!(flag.description.as_ref(), Some(&expected));
                assert_eq!(flag.environments["production"].strategies.len(), 2);
            }
        }
    });
    assert_eq!(store.revision().unwrap().sequence, 20);
}
