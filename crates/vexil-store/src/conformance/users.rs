//! Users come back as they were put in, with all they hold.

use std::sync::Arc;

use time::Duration;
use vexil_access::{Grant, Permission, RoleId, UserId};
use vexil_domain::Write;

use super::{Subject, sample, users_of};
use crate::{Commit, CommitError, Counters, PersonalTokenId, Revision, Store, StoreError, User};

fn commit(store: &dyn Store, users: Vec<Write<UserId, User>>) -> Result<Revision, CommitError> {
    let expected = store.revision().unwrap().sequence;
    store.commit(&Commit {
        expected,
        users,
        ..Commit::default()
    })
}

fn put(user: User) -> Write<UserId, User> {
    Write::Upsert(Arc::new(user))
}

fn bare(id: i64) -> User {
    User::new(UserId(id), RoleId::VIEWER, sample::user(id).created_at)
}

/// With everything there, and with everything left out that may be; every role and permission.
pub fn every_field_of_a_user_comes_back(subject: Subject) {
    let mut admin = User {
        root_role: RoleId::ADMIN,
        ..sample::user(3)
    };
    let grant = admin.grants.first().unwrap().clone();
    admin
        .grants
        .extend(Permission::ALL.iter().map(|permission| Grant {
            permission: *permission,
            ..grant.clone()
        }));
    admin.tokens[0].seen_at = None;
    let users = [bare(1), sample::user(2), admin];
    let puts = users.iter().rev().cloned().map(put).collect();
    commit(subject.store(), puts).unwrap();
    assert_eq!(users_of(subject.store()), users);
    assert_eq!(subject.store().revision().unwrap().configuration, 0);
}

/// By id. Of several puts the last counts.
pub fn a_user_is_replaced_and_taken_away_with_everything(subject: Subject) {
    let store = subject.store();
    commit(store, vec![put(sample::user(1)), put(sample::user(2))]).unwrap();
    let mut changed = User {
        name: Some("other".to_owned()),
        ..sample::user(2)
    };
    changed.tokens.pop();
    changed.grants.pop_last();
    let puts = vec![
        Write::Delete(UserId(1)),
        put(bare(2)),
        put(changed.clone()),
        Write::Delete(UserId(9)),
    ];
    commit(store, puts).unwrap();
    assert_eq!(users_of(store), [changed]);
    commit(store, vec![put(bare(1)), Write::Delete(UserId(2))]).unwrap();
    assert_eq!(users_of(store), [bare(1)]);
}

/// Nobody has the tokens and grants of another.
pub fn what_users_hold_is_kept_apart(subject: Subject) {
    let store = subject.store();
    let all: Vec<User> = (1..8)
        .map(|id| if id % 2 == 0 { bare(id) } else { sample::user(id) })
        .collect();
    commit(store, all.iter().cloned().map(put).collect()).unwrap();
    assert_eq!(users_of(store), all);
}

/// The latest instant counts, for the user and for the token that was shown.
pub fn being_seen_is_noted_without_a_revision(subject: Subject) {
    let store = subject.store();
    commit(store, vec![put(sample::user(1)), put(bare(2))]).unwrap();
    let later = sample::NOW + Duration::HOUR;
    store
        .mark_users_seen(&[
            (UserId(1), PersonalTokenId(11), later),
            (UserId(1), PersonalTokenId(11), sample::NOW),
            (UserId(2), PersonalTokenId(99), sample::NOW),
            (UserId(3), PersonalTokenId(10), later),
        ])
        .unwrap();
    let users = users_of(store);
    assert_eq!(
        (users[0].seen_at, users[1].seen_at),
        (Some(later), Some(sample::NOW))
    );
    let before = sample::user(1).tokens[0].seen_at;
    let tokens: Vec<_> = users[0].tokens.iter().map(|token| token.seen_at).collect();
    assert_eq!(tokens, [before, Some(later)]);
    store.mark_users_seen(&[]).unwrap();
    assert_eq!(store.revision().unwrap().sequence, 1);
    let seen = store.users_seen().unwrap();
    assert_eq!(seen.users, [(UserId(1), later), (UserId(2), sample::NOW)].into());
    assert_eq!(seen.tokens.get(&PersonalTokenId(11)), Some(&later));
}

/// Who commits may know an older state than the store.
pub fn a_commit_never_sets_back_when_a_user_was_seen(subject: Subject) {
    let store = subject.store();
    commit(store, vec![put(sample::user(1)), put(bare(2))]).unwrap();
    let later = sample::NOW + Duration::HOUR;
    let seen = [
        (UserId(1), PersonalTokenId(10), later),
        (UserId(2), PersonalTokenId(99), later),
    ];
    store.mark_users_seen(&seen).unwrap();
    commit(store, vec![put(sample::user(1)), put(bare(2))]).unwrap();
    let users = users_of(store);
    let seen: Vec<_> = users.iter().map(|user| user.seen_at).collect();
    assert_eq!(seen, [Some(later), Some(later)]);
    assert_eq!(users[0].tokens[0].seen_at, Some(later));
    assert_eq!(users[0].tokens[1].seen_at, sample::user(1).tokens[1].seen_at);
}

/// All of a commit happens, or nothing.
pub fn a_stale_commit_leaves_users_alone(subject: Subject) {
    let store = subject.store();
    commit(store, vec![put(sample::user(1))]).unwrap();
    let stale = Commit {
        counters: Counters {
            user: 7,
            ..Counters::default()
        },
        users: vec![put(bare(1)), put(bare(2))],
        ..Commit::default()
    };
    assert!(matches!(store.commit(&stale), Err(CommitError::Stale { .. })));
    assert_eq!(users_of(store), [sample::user(1)]);
    assert_eq!(store.load().unwrap().counters, Counters::default());
}

/// Every text is checked before anything is written.
pub fn nul_in_a_user_is_refused(subject: Subject) {
    let store = subject.store();
    let nul = || Some("a\0b".to_owned());
    let mut with_token = sample::user(1);
    with_token.tokens[0].description = "a\0b".to_owned();
    let mut with_grant = sample::user(1);
    let mut grant = with_grant.grants.pop_first().unwrap();
    grant.environment = Some("a\0b".into());
    with_grant.grants.insert(grant);
    let bad = [
        User {
            username: nul(),
            ..sample::user(1)
        },
        User {
            email: nul(),
            ..sample::user(1)
        },
        User {
            name: nul(),
            ..sample::user(1)
        },
        with_token,
        with_grant,
    ];
    for user in bad {
        let outcome = commit(store, vec![put(user)]);
        assert!(
            matches!(outcome, Err(CommitError::Store(StoreError::Unstorable(_)))),
            "{outcome:?}"
        );
    }
    assert!(users_of(store).is_empty());
}
