//! Commits of the same number, as there are where a database was put back to an earlier state and went on from there.

use vexil_domain::{EnvironmentRevision, SnapshotDelta, Write};

use super::{Subject, sample};
use crate::{Commit, CommitError, CommitId, Revision};

/// The commit that makes `sequence`, after one with this mark. It names an environment.
fn commit(sequence: u64, expected_mark: u32, id: u128) -> Commit {
    Commit {
        id: CommitId(id),
        expected: sequence - 1,
        expected_mark,
        delta: SnapshotDelta {
            flags: vec![Write::Upsert(std::sync::Arc::new(sample::flag(&format!(
                "f{id}"
            ))))],
            ..SnapshotDelta::default()
        },
        environments: vec!["dev".into()],
        ..Commit::default()
    }
}

/// The revision, the environments and what leads to them say which commit it was.
pub fn a_revision_has_the_mark_of_its_commit(subject: Subject) {
    let store = subject.store();
    // marks are the lowest bits of ids
    let ids = [u128::MAX, 1 << 32, (7 << 64) + 9];
    let marks = [u32::MAX, 0, 9];
    let mut before = 0;
    for ((sequence, id), mark) in (1..).zip(ids).zip(marks) {
        let made = store.commit(&commit(sequence, before, id)).unwrap();
        let expected = Revision {
            sequence,
            configuration: sequence,
            mark,
        };
        assert_eq!(made, expected);
        assert_eq!(store.revision().unwrap(), expected);
        let loaded = store.load().unwrap();
        assert_eq!(loaded.revision, expected);
        let number = sequence;
        let told = EnvironmentRevision { number, mark };
        assert_eq!(loaded.environments.values().collect::<Vec<_>>(), [&told]);
        let changes = store.changes_since(sequence - 1).unwrap().unwrap();
        assert_eq!(changes.since, Some(before));
        assert_eq!(changes.revision, expected);
        assert_eq!(changes.environments, loaded.environments);
        before = mark;
    }
}

/// What was computed from another state of the same number is refused, and nothing has changed.
pub fn a_commit_after_another_one_of_the_same_number_is_stale(subject: Subject) {
    let store = subject.store();
    let first = store.commit(&commit(1, 0, 5)).unwrap();
    let stale = commit(2, 6, 7);
    for refused in [
        store.commit(&stale).map(Some),
        store.commit_in_turn(&mut || Some(stale.clone())),
    ] {
        assert!(
            matches!(&refused, Err(CommitError::Stale { current, .. }) if *current == first),
            "{refused:?}"
        );
    }
    assert_eq!(store.revision().unwrap(), first);
    assert_eq!(store.load().unwrap().snapshot.flags.len(), 1);
    store.commit(&commit(2, 5, 7)).unwrap();
}
