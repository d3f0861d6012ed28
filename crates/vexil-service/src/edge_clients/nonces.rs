//! Which requests of a client were answered already.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use time::OffsetDateTime;

/// How many are remembered of a client at a time.
const MOST: usize = 10_000;

/// Why a word cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NonceError {
    /// It was used already.
    Used,
    /// No more are remembered until then.
    TooMany(Duration),
}

/// The words that a client has used up, each for as long as a request with it could be sent again.
#[derive(Debug, Default)]
pub(super) struct Nonces(Mutex<HashMap<String, OffsetDateTime>>);

impl Nonces {
    /// Uses a word up until an instant, unless it is used up.
    pub(super) fn use_up(
        &self,
        nonce: &str,
        until: OffsetDateTime,
        now: OffsetDateTime,
    ) -> Result<(), NonceError> {
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if used.get(nonce).is_some_and(|until| *until >= now) {
            return Err(NonceError::Used);
        }
        if used.len() >= MOST {
            used.retain(|_, until| *until >= now);
        }
        if used.len() >= MOST {
            let first = used.values().min().map_or(now, |until| *until);
            let wait = Duration::try_from(first - now).unwrap_or_default();
            return Err(NonceError::TooMany(wait + Duration::from_secs(1)));
        }
        used.insert(nonce.to_owned(), until);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const START: OffsetDateTime = datetime!(2026-11-27 12:30:20 UTC);

    #[test]
    fn a_word_is_used_once_for_as_long_as_it_could_be_sent_again() {
        let nonces = Nonces::default();
        let until = START + Duration::from_secs(300);
        assert_eq!(nonces.use_up("a", until, START), Ok(()));
        assert_eq!(nonces.use_up("a", until, until), Err(NonceError::Used));
        let later = until + Duration::from_secs(1);
        assert_eq!(nonces.use_up("a", later, later), Ok(()));
    }

    #[test]
    fn so_many_words_are_remembered_and_then_one_waits_for_the_first_to_be_forgotten() {
        let nonces = Nonces::default();
        let until = START + Duration::from_secs(300);
        for number in 0..MOST {
            assert_eq!(nonces.use_up(&number.to_string(), until, START), Ok(()));
        }
        let wait = Duration::from_secs(301);
        assert_eq!(
            nonces.use_up("more", until, START),
            Err(NonceError::TooMany(wait))
        );
        // which forgets none of them
        assert_eq!(nonces.use_up("0", until, START), Err(NonceError::Used));
        let later = START + wait;
        assert_eq!(nonces.use_up("more", later, later), Ok(()));
        assert_eq!(nonces.0.lock().unwrap().len(), 1);
    }
}
