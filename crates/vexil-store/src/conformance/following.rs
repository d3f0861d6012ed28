//! Changes read since an earlier state lead to the present one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use vexil_access::{GroupId, UserId};
use vexil_domain::{Snapshot, SnapshotDelta, Write};
use vexil_proptest::arb_storable_snapshot;

use super::{Subject, sample};
use crate::{
    AccessWrites, ApiToken, ApiTokenId, Changes, Commit, CommitError, CommitId, CredentialChanges, Loaded,
    Revision, Store, User,
};

fn commit(store: &dyn Store, edit: Commit) -> Revision {
    let now = store.revision().unwrap();
    let edit = Commit {
        expected: now.sequence,
        expected_mark: now.mark,
        ..edit
    };
    store.commit(&edit).unwrap()
}

fn put<K, V>(value: V) -> Write<K, V> {
    Write::Upsert(Arc::new(value))
}

fn put_flag(name: &str) -> SnapshotDelta {
    SnapshotDelta {
        flags: vec![put(sample::flag(name))],
        ..SnapshotDelta::default()
    }
}

/// An edit to `wanted` that also puts and takes away tokens, users and environments' revisions.
fn edit_to(now: &Loaded, wanted: &Snapshot) -> Commit {
    let number = i64::try_from(now.revision.sequence).unwrap() + 1;
    let tokens = [put(sample::token(number)), Write::Delete(ApiTokenId(number - 2))];
    let users = [put(sample::user(number)), Write::Delete(UserId(number - 3))];
    Commit {
        expected: now.revision.sequence,
        counters: now.counters,
        delta: wanted.since(&now.snapshot),
        environments: wanted.environments.keys().take(1).cloned().collect(),
        tokens: tokens.into_iter().skip(usize::from(number % 3 == 0)).collect(),
        users: users.into_iter().take(usize::from(number % 2 == 0) + 1).collect(),
        access: AccessWrites {
            groups: vec![put(sample::group(number)), Write::Delete(GroupId(number - 1))],
            ..AccessWrites::default()
        },
        ..Commit::default()
    }
}

/// Whatever was edited, and from wherever one follows.
pub fn changes_lead_from_any_earlier_state_to_the_present_one(subject: Subject) {
    let store = subject.store();
    let series = vec(
        arb_storable_snapshot(Just("name").prop_map(str::to_owned).boxed()),
        2..5,
    );
    let mut runner = TestRunner::new(Config {
        cases: 12,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&series, |series| {
        let mut states = vec![store.load().unwrap()];
        for wanted in &series {
            store.commit(&edit_to(states.last().unwrap(), wanted)).unwrap();
            states.push(store.load().unwrap());
        }
        let present = states.last().unwrap();
        for earlier in &states {
            let mut followed = earlier.clone();
            followed.apply(&store.changes_since(earlier.revision.sequence).unwrap().unwrap());
            prop_assert_eq!(&followed, present);
        }
        Ok(())
    });
    outcome.unwrap();
}

/// Not as it was in between; what is gone is said to be gone, also where it never was before.
pub fn what_was_touched_comes_as_it_is_now(subject: Subject) {
    let store = subject.store();
    commit(
        store,
        Commit {
            delta: put_flag("stays"),
            ..Commit::default()
        },
    );
    let mut first = put_flag("comes and goes");
    first.flags.push(put(sample::flag("changes")));
    let mut last = put_flag("comes");
    last.flags.push(Write::Delete("comes and goes".into()));
    last.flags.push(put(vexil_domain::FeatureFlag::new(
        "changes",
        "shop",
        sample::NOW,
    )));
    for delta in [first, last.clone()] {
        commit(
            store,
            Commit {
                delta,
                ..Commit::default()
            },
        );
    }
    let mut changes = store.changes_since(1).unwrap().unwrap();
    let name = |write: &Write<vexil_domain::FlagName, vexil_domain::FeatureFlag>| match write {
        Write::Upsert(flag) => flag.name.clone(),
        Write::Delete(name) => name.clone(),
    };
    changes.delta.flags.sort_by_key(name);
    last.flags.sort_by_key(name);
    assert_eq!(changes.delta, last);
    assert_eq!(changes.revision, store.revision().unwrap());
}

/// Commits without a delta are followed as well.
pub fn where_nothing_changed_nothing_comes(subject: Subject) {
    let store = subject.store();
    let nothing = Changes {
        since: Some(0),
        ..Changes::default()
    };
    assert_eq!(store.changes_since(0).unwrap(), Some(nothing));
    let events = vec![sample::event("feature-created")];
    commit(
        store,
        Commit {
            events,
            ..Commit::default()
        },
    );
    let revision = Revision {
        sequence: 1,
        ..Revision::default()
    };
    let expected = Changes {
        since: Some(0),
        revision,
        credentials: CredentialChanges {
            sequence: 1,
            ..CredentialChanges::default()
        },
        ..Changes::default()
    };
    assert_eq!(store.changes_since(0).unwrap(), Some(expected.clone()));
    assert_eq!(store.changes_since(1).unwrap(), Some(expected));
}

/// As after a database was replaced by an older copy of itself.
pub fn a_state_that_never_was_cannot_be_followed(subject: Subject) {
    let store = subject.store();
    for sequence in [1, u64::MAX] {
        assert_eq!(store.changes_since(sequence).unwrap(), None);
        assert_eq!(store.credentials_since(sequence).unwrap(), None);
    }
    commit(
        store,
        Commit {
            delta: put_flag("a"),
            ..Commit::default()
        },
    );
    assert!(store.changes_since(1).unwrap().is_some());
    assert_eq!(store.changes_since(2).unwrap(), None);
    assert_eq!(store.credentials_since(2).unwrap(), None);
}

/// They come without the rest, and the rest comes with them.
pub fn credentials_are_followed_by_themselves(subject: Subject) {
    let store = subject.store();
    let (token, user): (ApiToken, User) = (sample::token(1), sample::user(1));
    let both = Commit {
        delta: put_flag("a"),
        tokens: vec![put(token.clone()), put(sample::token(2))],
        users: vec![put(user.clone())],
        ..Commit::default()
    };
    commit(store, both);
    commit(
        store,
        Commit {
            delta: put_flag("b"),
            tokens: vec![Write::Delete(ApiTokenId(2))],
            ..Commit::default()
        },
    );
    let since = |sequence| store.credentials_since(sequence).unwrap().unwrap();
    let expected = CredentialChanges {
        sequence: 2,
        tokens: vec![put(token), Write::Delete(ApiTokenId(2))],
        users: vec![put(user)],
        access: None,
    };
    assert_eq!(since(0), expected);
    assert_eq!(store.changes_since(0).unwrap().unwrap().credentials, expected);
    assert_eq!(since(1).tokens, [Write::Delete(ApiTokenId(2))]);
    assert!(since(1).users.is_empty());
    let nothing = CredentialChanges {
        sequence: 2,
        ..CredentialChanges::default()
    };
    assert_eq!(since(2), nothing);
}

/// Another server on the same database sees the same changes.
pub fn other_connections_follow_too(subject: Subject) {
    let Some(other) = subject.another() else {
        return;
    };
    let mut followed = other.load().unwrap();
    let edit = Commit {
        delta: sample::snapshot().since(&Snapshot::default()),
        environments: vec!["production".into()],
        tokens: vec![put(sample::token(1))],
        users: vec![put(sample::user(1))],
        ..Commit::default()
    };
    commit(subject.store(), edit);
    followed.apply(&other.changes_since(0).unwrap().unwrap());
    assert_eq!(followed, subject.store().load().unwrap());
    assert_eq!(other.credentials_since(0).unwrap().unwrap().users.len(), 1);
}

/// One that is removed has none, and begins with that of the commit that makes it again.
pub fn an_environment_has_the_revision_of_the_last_commit_that_names_it(subject: Subject) {
    let store = subject.store();
    let named = |names: &[&str], delta| Commit {
        delta,
        environments: names.iter().map(|&name| name.into()).collect(),
        ..Commit::default()
    };
    let revisions = || {
        let loaded = store.load().unwrap();
        let told = store.changes_since(0).unwrap().unwrap().environments;
        assert_eq!(told, loaded.environments);
        let revisions = loaded.environments.into_iter();
        revisions
            .map(|(name, revision)| (name.to_string(), revision.number))
            .collect::<Vec<_>>()
    };
    let [dev, prod] = ["dev", "prod"].map(str::to_owned);
    commit(store, named(&["prod", "dev"], put_flag("a")));
    assert_eq!(revisions(), [(dev.clone(), 1), (prod.clone(), 1)]);
    commit(store, named(&[], put_flag("b")));
    commit(store, named(&["dev"], put_flag("c")));
    assert_eq!(revisions(), [(dev.clone(), 3), (prod.clone(), 1)]);
    let gone = SnapshotDelta {
        environments: vec![Write::Delete("dev".into())],
        ..SnapshotDelta::default()
    };
    commit(store, named(&[], gone));
    assert_eq!(revisions(), [(prod.clone(), 1)]);
    commit(store, named(&["dev"], SnapshotDelta::default()));
    assert_eq!(revisions(), [(dev, 5), (prod, 1)]);
}

/// Others commit as fast as they can, and yet it gets through at once.
pub fn an_edit_in_turn_is_never_overtaken(subject: Subject) {
    let store = subject.store();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for hurried in 0..3 {
            let done = &done;
            scope.spawn(move || {
                for number in 0.. {
                    if done.load(Ordering::Acquire) {
                        return;
                    }
                    let expected = store.revision().unwrap().sequence;
                    let delta = put_flag(&format!("hurried-{hurried}-{number}"));
                    match store.commit(&Commit {
                        expected,
                        delta,
                        ..Commit::default()
                    }) {
                        Ok(_) | Err(CommitError::Stale { .. }) => {}
                        Err(error) => panic!("{error:?}"),
                    }
                }
            });
        }
        for number in 0..10 {
            let mut edit = || {
                let expected = store.revision().unwrap().sequence;
                thread::yield_now();
                Some(Commit {
                    expected,
                    delta: put_flag(&format!("patient-{number}")),
                    ..Commit::default()
                })
            };
            assert!(store.commit_in_turn(&mut edit).unwrap().is_some());
        }
        done.store(true, Ordering::Release);
    });
    let flags = store.load().unwrap().snapshot.flags;
    let patient = flags.keys().filter(|name| name.as_str().starts_with("patient"));
    assert_eq!(patient.count(), 10);
}

/// Then nothing happens. One that did not start from the present state is refused.
pub fn an_edit_in_turn_may_give_nothing(subject: Subject) {
    let store = subject.store();
    assert_eq!(store.commit_in_turn(&mut || None).unwrap(), None);
    let stale = Commit {
        expected: 7,
        ..Commit::default()
    };
    let refused = store.commit_in_turn(&mut || Some(stale.clone()));
    assert!(matches!(refused, Err(CommitError::Stale { .. })), "{refused:?}");
    assert_eq!(store.revision().unwrap(), Revision::default());
    let made = store.commit_in_turn(&mut || Some(Commit::default())).unwrap();
    assert_eq!(made, Some(store.revision().unwrap()));
}

/// By its id: another commit from the same state is not taken for it.
pub fn whether_a_commit_was_carried_out_can_be_asked(subject: Subject) {
    let store = subject.store();
    let first = Commit {
        id: CommitId(u128::MAX),
        delta: put_flag("a"),
        ..Commit::default()
    };
    let other = Commit {
        id: CommitId(7),
        ..first.clone()
    };
    let never = Commit {
        expected: u64::MAX,
        ..first.clone()
    };
    assert!(!store.was_committed(&first).unwrap());
    store.commit(&first).unwrap();
    commit(
        store,
        Commit {
            id: CommitId(8),
            ..Commit::default()
        },
    );
    assert!(store.was_committed(&first).unwrap());
    assert!(!store.was_committed(&other).unwrap());
    assert!(!store.was_committed(&never).unwrap());
}
