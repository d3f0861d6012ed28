//! Sessions and links in memory.

use std::collections::BTreeMap;

use crate::{Link, LinkWrite, SecretHash, Session, SessionWrite};

#[derive(Debug, Clone, Default)]
pub(super) struct SignIns {
    pub(super) sessions: BTreeMap<SecretHash, Session>,
    pub(super) links: BTreeMap<SecretHash, Link>,
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
