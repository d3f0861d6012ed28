//! Sessions that were looked up a moment ago, so that a page's twenty requests are one look into the database.
//!
//! What is kept here is believed for a second: a session that another server ended counts no longer than that.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use time::{Duration, OffsetDateTime};
use vexil_store::{SecretHash, Session, SessionWrite};

/// For how long a session is believed without looking it up again.
const BELIEVED: Duration = Duration::seconds(1);
/// How many sessions are kept here; with more, all are looked up anew.
const MOST: usize = 10_000;
/// How old the note of the last use gets before it is written anew.
const NOTED: Duration = Duration::MINUTE;

/// Sessions that were looked up a moment ago.
#[derive(Debug, Default)]
pub struct SessionCache {
    entries: Mutex<HashMap<SecretHash, Entry>>,
}

#[derive(Debug)]
struct Entry {
    session: Session,
    read_at: OffsetDateTime,
    /// Used since it was last written down.
    used_at: Option<OffsetDateTime>,
}

impl SessionCache {
    /// A session that was looked up less than a second ago.
    pub fn get(&self, secret: SecretHash, now: OffsetDateTime) -> Option<Session> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.get(&secret)?;
        let fresh = entry.read_at <= now && now - entry.read_at < BELIEVED;
        fresh.then(|| entry.session.clone())
    }

    /// Keeps a session that was looked up, and answers it with its latest use, which the database may not
    /// know yet.
    pub fn keep(&self, session: Session, now: OffsetDateTime) -> Session {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= MOST && !entries.contains_key(&session.secret_hash) {
            entries.retain(|_, entry| entry.used_at.is_some());
        }
        let earlier = entries.get(&session.secret_hash);
        let used_at = earlier.and_then(|earlier| earlier.used_at);
        let seen_at = used_at.map_or(session.seen_at, |used| used.max(session.seen_at));
        let session = Session { seen_at, ..session };
        if entries.len() < MOST || earlier.is_some() {
            let entry = Entry {
                session: session.clone(),
                read_at: now,
                used_at,
            };
            entries.insert(session.secret_hash, entry);
        }
        session
    }

    /// Notes that a session was used, if that is worth to be written down.
    pub fn note_use(&self, secret: SecretHash, now: OffsetDateTime) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get_mut(&secret)
            && now - entry.session.seen_at >= NOTED
        {
            entry.session.seen_at = now;
            entry.used_at = Some(now);
        }
    }

    /// What is to be written down about the use of sessions, each once.
    pub(crate) fn take_uses(&self) -> Vec<(SecretHash, OffsetDateTime)> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let uses = entries
            .iter_mut()
            .filter_map(|(secret, entry)| Some((*secret, entry.used_at.take()?)));
        uses.collect()
    }

    /// Forgets the sessions that a commit has ended; of a user who has lost some, all.
    pub(crate) fn forget_ended(&self, writes: &[SessionWrite]) {
        if writes.is_empty() {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        for write in writes {
            match write {
                SessionWrite::Begin(_) => {}
                SessionWrite::End(secret) => drop(entries.remove(secret)),
                SessionWrite::EndAll { user, .. } => {
                    entries.retain(|_, entry| entry.session.holder.user() != Some(*user));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use vexil_access::UserId;
    use vexil_store::SessionHolder;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-28 12:00 UTC);
    const SECRET: SecretHash = SecretHash([1; 32]);

    fn session() -> Session {
        Session {
            secret_hash: SECRET,
            holder: SessionHolder::User(UserId(1)),
            created_at: NOW,
            seen_at: NOW,
            expires_at: NOW + Duration::DAY,
            address: None,
            user_agent: None,
        }
    }

    #[test]
    fn a_session_is_believed_for_a_second() {
        let cache = SessionCache::default();
        cache.keep(session(), NOW);
        assert_eq!(
            cache.get(SECRET, NOW + Duration::milliseconds(999)),
            Some(session())
        );
        assert_eq!(cache.get(SECRET, NOW + Duration::SECOND), None);
        assert_eq!(cache.get(SECRET, NOW - Duration::SECOND), None);
    }

    #[test]
    fn use_is_written_down_once_a_minute() {
        let cache = SessionCache::default();
        cache.keep(session(), NOW);
        cache.note_use(SECRET, NOW + Duration::seconds(59));
        assert_eq!(cache.take_uses(), []);
        let later = NOW + Duration::MINUTE;
        cache.note_use(SECRET, later);
        cache.note_use(SECRET, later + Duration::SECOND);
        assert_eq!(cache.take_uses(), [(SECRET, later)]);
        assert_eq!(cache.take_uses(), []);
    }

    #[test]
    fn what_has_ended_is_forgotten() {
        let cache = SessionCache::default();
        cache.keep(session(), NOW);
        cache.forget_ended(&[SessionWrite::End(SECRET)]);
        assert_eq!(cache.get(SECRET, NOW), None);
        cache.keep(session(), NOW);
        let all_of = |user| SessionWrite::EndAll {
            user: UserId(user),
            except: None,
        };
        cache.forget_ended(&[all_of(2), SessionWrite::End(SecretHash([2; 32]))]);
        assert!(cache.get(SECRET, NOW).is_some());
        cache.forget_ended(&[all_of(1)]);
        assert_eq!(cache.get(SECRET, NOW), None);
    }

    #[test]
    fn no_more_sessions_are_kept_than_there_is_room_for() {
        let cache = SessionCache::default();
        for number in 0..MOST + 10 {
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&number.to_le_bytes());
            let secret_hash = SecretHash(bytes);
            cache.keep(
                Session {
                    secret_hash,
                    ..session()
                },
                NOW,
            );
        }
        assert!(cache.entries.lock().unwrap().len() <= MOST);
    }
}
