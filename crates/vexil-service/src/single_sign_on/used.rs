//! Answers of the provider that were used already.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use time::OffsetDateTime;
use vexil_store::SecretHash;

use super::pending::PATIENCE;

/// How many are remembered at the same time; beyond that nobody new is let in until some are too old to count.
const MOST: usize = 20_000;

/// The states of answers that were used already, for as long as they would still count.
#[derive(Debug, Default)]
pub struct UsedStates(Mutex<HashMap<SecretHash, OffsetDateTime>>);

impl UsedStates {
    /// Notes that an answer is used, and says whether it was not before.
    pub fn is_first_use(&self, state: SecretHash, now: OffsetDateTime) -> bool {
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if used.len() >= MOST {
            used.retain(|_, at| now - *at < PATIENCE);
        }
        used.len() < MOST && used.insert(state, now).is_none()
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn an_answer_is_used_once_and_memory_is_bounded() {
        let now = datetime!(2026-11-28 12:00 UTC);
        let used = UsedStates::default();
        let state = |number: usize| {
            let mut bytes = [0; 32];
            bytes[..8].copy_from_slice(&number.to_le_bytes());
            SecretHash(bytes)
        };
        assert!(used.is_first_use(state(0), now));
        assert!(!used.is_first_use(state(0), now));
        let let_in = (0..MOST + 10)
            .filter(|number| used.is_first_use(state(*number), now))
            .count();
        assert_eq!(let_in, MOST - 1);
        assert!(used.is_first_use(state(MOST + 20), now + PATIENCE));
    }
}
