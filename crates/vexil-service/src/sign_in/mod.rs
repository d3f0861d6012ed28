//! How people get in: what may be set, sessions, the hashing of passwords, and how often somebody may guess.

mod address;
mod cross_site;
mod familiar;
mod guessing;
mod options;
mod password_pool;
mod secret;
mod session_cache;

use crate::clock::Clock;
use crate::mail::Mailer;

pub use cross_site::{RequestOrigin, is_from_the_server_itself};
pub use guessing::{Attempt, GuessLimits, Slowdown};
pub use options::{PublicUrlError, SignInOptions};
pub use password_pool::PasswordPool;
pub use secret::Secret;
pub(crate) use session_cache::SessionCache;

/// What requests share that sign people in, or find out who they are.
pub struct SignInState {
    /// What the operator has set.
    pub options: SignInOptions,
    /// Sessions that were looked up a moment ago.
    pub sessions: SessionCache,
    /// How often somebody may guess.
    pub guesses: GuessLimits,
    /// Where passwords are hashed.
    pub passwords: PasswordPool,
    /// Sends e-mail, where an operator has set up a server for it.
    pub mailer: Option<Mailer>,
}

opaque!(SignInState);

impl SignInState {
    pub(crate) fn new(options: SignInOptions, clock: &Clock) -> Self {
        Self {
            options,
            sessions: SessionCache::default(),
            guesses: GuessLimits::new(clock),
            passwords: PasswordPool::default(),
            mailer: None,
        }
    }

    pub(crate) fn with_mailer(self, mailer: Mailer) -> Self {
        Self {
            mailer: Some(mailer),
            ..self
        }
    }
}
