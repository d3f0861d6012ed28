//! API tokens come back as they were put in.

use std::sync::Arc;

use time::Duration;
use vexil_domain::Write;

use super::{Subject, sample, tokens_of};
use crate::{ApiToken, ApiTokenId, Commit, CommitError, Revision, Store, TokenKind};

fn commit(store: &dyn Store, tokens: Vec<Write<ApiTokenId, ApiToken>>) -> Result<Revision, CommitError> {
    let expected = store.revision().unwrap().sequence;
    store.commit(&Commit {
        expected,
        tokens,
        ..Commit::default()
    })
}

fn put(token: ApiToken) -> Write<ApiTokenId, ApiToken> {
    Write::Upsert(Arc::new(token))
}

/// With everything there, and with everything left out that may be; every kind.
pub fn every_field_of_a_token_comes_back(subject: Subject) {
    let bare = ApiToken {
        kind: TokenKind::Admin,
        environment: None,
        projects: Vec::new(),
        expires_at: None,
        seen_at: None,
        ..sample::token(1)
    };
    let client = ApiToken {
        kind: TokenKind::Client,
        is_called_backend: true,
        sealed_secret: None,
        secret_hash: [0; 32],
        ..sample::token(3)
    };
    commit(
        subject.store(),
        vec![put(client.clone()), put(bare.clone()), put(sample::token(2))],
    )
    .unwrap();
    assert_eq!(tokens_of(subject.store()), [bare, sample::token(2), client]);
}

/// By id.
pub fn a_token_is_replaced_and_taken_away(subject: Subject) {
    let store = subject.store();
    commit(store, vec![put(sample::token(1)), put(sample::token(2))]).unwrap();
    let changed = ApiToken {
        name: "other".to_owned(),
        projects: vec!["x".into()],
        ..sample::token(2)
    };
    commit(
        store,
        vec![
            Write::Delete(ApiTokenId(1)),
            put(changed.clone()),
            Write::Delete(ApiTokenId(9)),
        ],
    )
    .unwrap();
    assert_eq!(tokens_of(store), [changed]);
}

/// A secret leads to one token. It may go over to another in one commit.
pub fn a_secret_belongs_to_one_token(subject: Subject) {
    let store = subject.store();
    commit(store, vec![put(sample::token(1))]).unwrap();
    let same = ApiToken {
        id: ApiTokenId(2),
        ..sample::token(1)
    };
    match commit(store, vec![put(same.clone())]) {
        Err(CommitError::SecretTaken { token }) => assert_eq!(token, ApiTokenId(2)),
        other => panic!("{other:?}"),
    }
    assert_eq!(tokens_of(store), [sample::token(1)]);
    commit(store, vec![put(same.clone()), Write::Delete(ApiTokenId(1))]).unwrap();
    assert_eq!(tokens_of(store), [same]);
}

/// The latest use counts.
pub fn use_of_a_token_is_noted_without_a_revision(subject: Subject) {
    let store = subject.store();
    let unseen = ApiToken {
        seen_at: None,
        ..sample::token(1)
    };
    commit(store, vec![put(unseen), put(sample::token(2))]).unwrap();
    let seen = |id: usize| tokens_of(store)[id - 1].seen_at;
    let later = sample::NOW + Duration::HOUR;
    store
        .mark_tokens_seen(&[
            (ApiTokenId(1), sample::NOW),
            (ApiTokenId(2), sample::NOW),
            (ApiTokenId(3), later),
        ])
        .unwrap();
    assert_eq!(seen(1), Some(sample::NOW));
    assert_eq!(seen(2), sample::token(2).seen_at);
    store
        .mark_tokens_seen(&[
            (ApiTokenId(2), later),
            (ApiTokenId(1), later),
            (ApiTokenId(1), sample::NOW),
        ])
        .unwrap();
    assert_eq!((seen(1), seen(2)), (Some(later), Some(later)));
    let all = [(ApiTokenId(1), later), (ApiTokenId(2), later)];
    assert_eq!(store.tokens_seen().unwrap(), all.into());
    store.mark_tokens_seen(&[]).unwrap();
    assert_eq!(store.revision().unwrap().sequence, 1);
}

/// Who commits may know an older state than the store.
pub fn a_commit_never_sets_back_when_a_token_was_used(subject: Subject) {
    let store = subject.store();
    commit(store, vec![put(sample::token(1))]).unwrap();
    let later = sample::NOW + Duration::HOUR;
    store.mark_tokens_seen(&[(ApiTokenId(1), later)]).unwrap();
    let renamed = ApiToken {
        name: "other".to_owned(),
        ..sample::token(1)
    };
    commit(store, vec![put(renamed.clone())]).unwrap();
    let kept = ApiToken {
        seen_at: Some(later),
        ..renamed
    };
    assert_eq!(tokens_of(store), [kept]);
}
