//! Sessions and links come back as they were put in, and end when they should.

use time::Duration;

use super::{Subject, sample};
use crate::{
    ApiTokenId, Commit, CommitError, Link, LinkPurpose, LinkWrite, PersonalTokenId, SecretHash, Session,
    SessionHolder, SessionWrite, Store, StoreError,
};
use vexil_access::UserId;

fn commit(store: &dyn Store, sessions: Vec<SessionWrite>, links: Vec<LinkWrite>) -> Result<(), CommitError> {
    let expected = store.revision().unwrap().sequence;
    let commit = Commit {
        expected,
        sessions,
        links,
        ..Commit::default()
    };
    store.commit(&commit).map(drop)
}

fn hash(byte: u8) -> SecretHash {
    SecretHash([byte; 32])
}

fn session(byte: u8, user: i64) -> Session {
    Session {
        secret_hash: hash(byte),
        holder: SessionHolder::User(UserId(user)),
        created_at: sample::NOW + Duration::seconds(byte.into()),
        seen_at: sample::NOW + Duration::MINUTE,
        expires_at: sample::NOW + Duration::WEEK,
        address: Some("2001:db8::1".to_owned()),
        user_agent: Some("Mozilla/5.0 (größer)".to_owned()),
    }
}

fn link(byte: u8, user: i64) -> Link {
    Link {
        secret_hash: hash(byte),
        user: UserId(user),
        purpose: LinkPurpose::Reset,
        created_at: sample::NOW,
        expires_at: sample::NOW + Duration::DAY,
    }
}

fn begin(session: Session) -> SessionWrite {
    SessionWrite::Begin(session)
}

/// With every holder, and with what may be left out left out. Neither makes a configuration.
pub fn every_field_of_a_session_comes_back(subject: Subject) {
    let store = subject.store();
    let by_token = Session {
        holder: SessionHolder::PersonalToken(UserId(1), PersonalTokenId(7)),
        address: None,
        user_agent: None,
        ..session(2, 1)
    };
    let of_token = Session {
        holder: SessionHolder::ApiToken(ApiTokenId(1)),
        ..session(3, 1)
    };
    let all = [session(1, 1), by_token.clone(), of_token.clone()];
    commit(store, all.iter().cloned().map(begin).collect(), Vec::new()).unwrap();
    for one in &all {
        assert_eq!(store.session(one.secret_hash).unwrap().as_ref(), Some(one));
    }
    assert_eq!(store.session(hash(9)).unwrap(), None);
    assert_eq!(store.sessions_of(UserId(1)).unwrap(), [by_token, session(1, 1)]);
    assert_eq!(store.sessions_of(UserId(2)).unwrap(), []);
    assert_eq!(store.revision().unwrap().configuration, 0);
}

/// One alone, all of a user, or all but one; nobody else's, and in the order of the commit.
pub fn sessions_end_one_by_one_or_all_at_once(subject: Subject) {
    let store = subject.store();
    let all = [session(1, 1), session(2, 1), session(3, 1), session(4, 2)];
    commit(store, all.into_iter().map(begin).collect(), Vec::new()).unwrap();
    commit(
        store,
        vec![SessionWrite::End(hash(1)), SessionWrite::End(hash(9))],
        Vec::new(),
    )
    .unwrap();
    assert_eq!(
        store.sessions_of(UserId(1)).unwrap(),
        [session(3, 1), session(2, 1)]
    );
    let spare = SessionWrite::EndAll {
        user: UserId(1),
        except: Some(hash(2)),
    };
    commit(store, vec![spare, begin(session(5, 1))], Vec::new()).unwrap();
    assert_eq!(
        store.sessions_of(UserId(1)).unwrap(),
        [session(5, 1), session(2, 1)]
    );
    let every = SessionWrite::EndAll {
        user: UserId(1),
        except: None,
    };
    commit(store, vec![begin(session(6, 1)), every], Vec::new()).unwrap();
    assert_eq!(store.sessions_of(UserId(1)).unwrap(), []);
    assert_eq!(store.sessions_of(UserId(2)).unwrap(), [session(4, 2)]);
}

/// The latest instant counts.
pub fn use_of_a_session_is_noted_without_a_revision(subject: Subject) {
    let store = subject.store();
    commit(
        store,
        vec![begin(session(1, 1)), begin(session(2, 1))],
        Vec::new(),
    )
    .unwrap();
    let later = sample::NOW + Duration::HOUR;
    store
        .mark_sessions_seen(&[(hash(1), later), (hash(1), sample::NOW), (hash(2), sample::NOW)])
        .unwrap();
    store.mark_sessions_seen(&[(hash(3), later)]).unwrap();
    let seen = |byte: u8| store.session(hash(byte)).unwrap().unwrap().seen_at;
    assert_eq!((seen(1), seen(2)), (later, session(2, 1).seen_at));
    assert_eq!(store.session(hash(3)).unwrap(), None);
    assert_eq!(store.revision().unwrap().sequence, 1);
}

/// For every purpose. A new one of a user takes the place of the earlier.
pub fn a_link_comes_back_until_it_is_used_up(subject: Subject) {
    let store = subject.store();
    for purpose in LinkPurpose::ALL {
        let made = Link {
            purpose,
            ..link(1, 1)
        };
        commit(store, Vec::new(), vec![LinkWrite::Make(made.clone())]).unwrap();
        assert_eq!(store.link(hash(1)).unwrap(), Some(made));
    }
    commit(
        store,
        Vec::new(),
        vec![LinkWrite::Make(link(2, 1)), LinkWrite::Make(link(3, 2))],
    )
    .unwrap();
    assert_eq!(store.link(hash(1)).unwrap(), None);
    assert_eq!(store.link(hash(2)).unwrap(), Some(link(2, 1)));
    commit(store, Vec::new(), vec![LinkWrite::RemoveAll(UserId(1))]).unwrap();
    assert_eq!(store.link(hash(2)).unwrap(), None);
    assert_eq!(store.link(hash(3)).unwrap(), Some(link(3, 2)));
}

/// What has expired, and sessions that nobody has used for long; nothing else.
pub fn old_sessions_and_links_are_forgotten(subject: Subject) {
    let store = subject.store();
    let sessions = vec![begin(session(1, 1)), begin(session(2, 2))];
    let links = vec![LinkWrite::Make(link(1, 1)), LinkWrite::Make(link(2, 2))];
    commit(store, sessions, links).unwrap();
    let day = sample::NOW + Duration::DAY;
    store.mark_sessions_seen(&[(hash(2), day)]).unwrap();
    let just_before = day - Duration::MICROSECOND;
    assert_eq!(
        store.purge_sign_ins(just_before, session(1, 1).seen_at).unwrap(),
        0
    );
    assert_eq!(store.purge_sign_ins(day, day).unwrap(), 3);
    assert_eq!(store.session(hash(1)).unwrap(), None);
    assert_eq!(
        (store.link(hash(1)).unwrap(), store.link(hash(2)).unwrap()),
        (None, None)
    );
    assert!(store.session(hash(2)).unwrap().is_some());
    assert_eq!(store.purge_sign_ins(session(2, 2).expires_at, day).unwrap(), 1);
    assert_eq!(store.session(hash(2)).unwrap(), None);
}

/// All of a commit happens, or nothing.
pub fn a_stale_commit_begins_and_ends_no_session(subject: Subject) {
    let store = subject.store();
    commit(
        store,
        vec![begin(session(1, 1))],
        vec![LinkWrite::Make(link(1, 1))],
    )
    .unwrap();
    let stale = Commit {
        sessions: vec![begin(session(2, 1)), SessionWrite::End(hash(1))],
        links: vec![LinkWrite::RemoveAll(UserId(1))],
        ..Commit::default()
    };
    assert!(matches!(store.commit(&stale), Err(CommitError::Stale { .. })));
    assert_eq!(store.sessions_of(UserId(1)).unwrap(), [session(1, 1)]);
    assert_eq!(store.link(hash(1)).unwrap(), Some(link(1, 1)));
}

/// Every text is checked before anything is written.
pub fn nul_in_a_session_is_refused(subject: Subject) {
    let store = subject.store();
    let nul = || Some("a\0b".to_owned());
    let bad = [
        Session {
            address: nul(),
            ..session(1, 1)
        },
        Session {
            user_agent: nul(),
            ..session(1, 1)
        },
    ];
    for session in bad {
        let outcome = commit(store, vec![begin(session)], Vec::new());
        assert!(
            matches!(outcome, Err(CommitError::Store(StoreError::Unstorable(_)))),
            "{outcome:?}"
        );
    }
}
