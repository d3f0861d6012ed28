//! Sessions and links in memory.

use std::collections::BTreeMap;

use time::OffsetDateTime;

use super::MemoryStore;
use crate::{Link, LinkWrite, SecretHash, Session, SessionWrite, SignInStore, StoreError};
use vexil_access::UserId;

#[derive(Debug, Clone, Default)]
pub(super) struct SignIns {
    sessions: BTreeMap<SecretHash, Session>,
    links: BTreeMap<SecretHash, Link>,
}

impl SignIns {
    pub(super) fn write(&mut self, sessions: &[SessionWrite], links: &[LinkWrite]) {
        for write in sessions {
            match write {
                SessionWrite::Begin(session) => {
                    self.sessions.insert(session.secret_hash, session.clone());
                }
                SessionWrite::End(secret) => drop(self.sessions.remove(secret)),
                SessionWrite::EndAll { user, except } => self.sessions.retain(|secret, session| {
                    session.holder.user() != Some(*user) || Some(*secret) == *except
                }),
            }
        }
        for write in links {
            let user = match write {
                LinkWrite::Make(link) => link.user,
                LinkWrite::RemoveAll(user) => *user,
            };
            self.links.retain(|_, link| link.user != user);
            if let LinkWrite::Make(link) = write {
                self.links.insert(link.secret_hash, link.clone());
            }
        }
    }
}

impl SignInStore for MemoryStore {
    fn session(&self, secret: SecretHash) -> Result<Option<Session>, StoreError> {
        Ok(self.state().sign_ins.sessions.get(&secret).cloned())
    }

    fn sessions_of(&self, user: UserId) -> Result<Vec<Session>, StoreError> {
        let state = self.state();
        let all = state.sign_ins.sessions.values();
        let mut own: Vec<Session> = all
            .filter(|session| session.holder.user() == Some(user))
            .cloned()
            .collect();
        own.sort_by_key(|session| (std::cmp::Reverse(session.created_at), session.secret_hash));
        Ok(own)
    }

    fn mark_sessions_seen(&self, seen: &[(SecretHash, OffsetDateTime)]) -> Result<(), StoreError> {
        let mut state = self.state();
        for (secret, at) in seen {
            if let Some(session) = state.sign_ins.sessions.get_mut(secret) {
                session.seen_at = session.seen_at.max(*at);
            }
        }
        Ok(())
    }

    fn link(&self, secret: SecretHash) -> Result<Option<Link>, StoreError> {
        Ok(self.state().sign_ins.links.get(&secret).cloned())
    }

    fn purge_sign_ins(&self, now: OffsetDateTime, idle_since: OffsetDateTime) -> Result<u64, StoreError> {
        let mut state = self.state();
        let SignIns { sessions, links } = &mut state.sign_ins;
        let earlier = sessions.len() + links.len();
        sessions.retain(|_, session| now < session.expires_at && idle_since <= session.seen_at);
        links.retain(|_, link| now < link.expires_at);
        Ok(u64::try_from(earlier - sessions.len() - links.len()).unwrap_or(u64::MAX))
    }
}
