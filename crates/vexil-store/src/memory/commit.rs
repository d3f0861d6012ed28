//! Edits: computed on a copy of the state, which shares what does not change.

use std::collections::BTreeMap;
use std::sync::Arc;

use vexil_access::UserId;
use vexil_change_request::{ChangeRequest, ChangeRequestId};
use vexil_domain::{EnvironmentRevision, Write};

use super::state::State;
use crate::write_all::write_all;
use crate::{ApiToken, ApiTokenId, Commit, CommitError, Event, EventId, Revision, User};

impl State {
    pub(super) fn commit(&mut self, commit: &Commit) -> Result<Revision, CommitError> {
        let current = self.loaded.revision;
        if (commit.expected, commit.expected_mark) != (current.sequence, current.mark) {
            return Err(CommitError::Stale {
                expected: commit.expected,
                current,
            });
        }
        let mut change_requests = self.change_requests.clone();
        write_all(&mut change_requests, &commit.change_requests, |it| it.id);
        let mut tokens = self.loaded.tokens.clone();
        write_all(&mut tokens, &commit.tokens, |it| it.id);
        let mut users = self.loaded.users.clone();
        write_all(&mut users, &commit.users, |it| it.id);
        keep_when_tokens_were_seen(&self.loaded.tokens, &mut tokens, &commit.tokens);
        keep_when_users_were_seen(&self.loaded.users, &mut users, &commit.users);
        check_one_pending(&change_requests, &commit.change_requests)?;
        check_secrets(&tokens, &commit.tokens)?;

        let next = current.next(commit.id, &commit.delta);
        self.change_requests = change_requests;
        self.loaded.tokens = tokens;
        self.loaded.users = users;
        self.loaded.access.apply(&commit.access);
        self.sign_ins.write(&commit.sessions, &commit.links);
        self.loaded.snapshot.apply(&commit.delta);
        self.usage.let_go(&commit.delta);
        self.loaded.counters = commit.counters;
        for write in &commit.delta.environments {
            if let Write::Delete(name) = write {
                self.loaded.environments.remove(name);
                self.instances.retain(|key, _| key.environment != *name);
            }
        }
        for name in &commit.environments {
            let revision = EnvironmentRevision {
                number: next.sequence,
                mark: next.mark,
            };
            self.loaded.environments.insert(name.clone(), revision);
        }
        let first = self.events.last().map_or(1, |last| last.id.0 + 1);
        self.events
            .extend((first..).zip(&commit.events).map(|(id, event)| Event {
                id: EventId(id),
                event: event.clone(),
            }));
        self.loaded.revision = next;
        self.history.add(commit, next);
        Ok(next)
    }
}

/// What is put may be older than what is known about its last use.
fn keep_when_tokens_were_seen(
    earlier: &BTreeMap<ApiTokenId, Arc<ApiToken>>,
    tokens: &mut BTreeMap<ApiTokenId, Arc<ApiToken>>,
    puts: &[Write<ApiTokenId, ApiToken>],
) {
    for put in values(puts) {
        if let (Some(earlier), Some(token)) = (earlier.get(&put.id), tokens.get_mut(&put.id))
            && earlier.seen_at > token.seen_at
        {
            Arc::make_mut(token).seen_at = earlier.seen_at;
        }
    }
}

fn keep_when_users_were_seen(
    earlier: &BTreeMap<UserId, Arc<User>>,
    users: &mut BTreeMap<UserId, Arc<User>>,
    puts: &[Write<UserId, User>],
) {
    for put in values(puts) {
        let (Some(earlier), Some(user)) = (earlier.get(&put.id), users.get_mut(&put.id)) else {
            continue;
        };
        let user = Arc::make_mut(user);
        user.seen_at = user.seen_at.max(earlier.seen_at);
        for token in &mut user.tokens {
            let known = earlier.tokens.iter().find(|known| known.id == token.id);
            token.seen_at = token.seen_at.max(known.and_then(|known| known.seen_at));
        }
    }
}

fn check_one_pending(
    all: &BTreeMap<ChangeRequestId, Arc<ChangeRequest>>,
    puts: &[Write<ChangeRequestId, ChangeRequest>],
) -> Result<(), CommitError> {
    let pending = |it: &&ChangeRequest| it.state.is_pending();
    for new in values(puts).filter(pending) {
        let same = |it: &&ChangeRequest| {
            it.created_by.id == new.created_by.id
                && it.project == new.project
                && it.environment == new.environment
        };
        if all.values().map(|it| &**it).filter(pending).filter(same).count() > 1 {
            return Err(CommitError::SecondPending {
                change_request: new.id,
            });
        }
    }
    Ok(())
}

fn check_secrets(
    all: &BTreeMap<ApiTokenId, Arc<ApiToken>>,
    puts: &[Write<ApiTokenId, ApiToken>],
) -> Result<(), CommitError> {
    for new in values(puts) {
        if all
            .values()
            .filter(|it| it.secret_hash == new.secret_hash)
            .count()
            > 1
        {
            return Err(CommitError::SecretTaken { token: new.id });
        }
    }
    Ok(())
}

fn values<K, V>(puts: &[Write<K, V>]) -> impl Iterator<Item = &V> {
    puts.iter().filter_map(|put| match put {
        Write::Upsert(value) => Some(&**value),
        Write::Delete(_) => None,
    })
}
