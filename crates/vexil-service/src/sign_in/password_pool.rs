//! Where passwords are hashed and checked: off the threads that answer requests, a few at a time.
//!
//! Each costs 19 MiB and tens of milliseconds on purpose. However many people knock, no more than
//! [`AT_ONCE`] are at work and [`WAITING`] wait.

use std::time::Duration;

use crate::lanes::refused;
use crate::operations::Error;
use crate::passwords;
use crate::pool::{Pool, PoolSettings};

/// How many passwords are hashed at the same time.
const AT_ONCE: usize = 2;
/// How many more may wait for that.
const WAITING: usize = 64;

/// How long a password may wait and be worked on.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where passwords are hashed and checked.
pub struct PasswordPool(Pool);

opaque!(PasswordPool);

impl Default for PasswordPool {
    fn default() -> Self {
        Self(Pool::new(PoolSettings {
            name: "passwords",
            threads: AT_ONCE,
            waiting: WAITING,
            suspended: 0,
        }))
    }
}

impl PasswordPool {
    /// The hash of a new password as a PHC string.
    ///
    /// # Errors
    ///
    /// When too many wait already.
    pub async fn hash(&self, password: String) -> Result<String, Error> {
        self.run(move || {
            let mut salt = [0_u8; 16];
            getrandom::fill(&mut salt).map_err(Error::internal)?;
            passwords::hash(&password, &salt)
        })
        .await
    }

    /// Whether a password is the one that was hashed. Without a hash, because nobody of that name is known
    /// or has a password, it is none; and that takes as long to find out.
    ///
    /// # Errors
    ///
    /// When too many wait already.
    pub async fn is_right(&self, password: String, kept: Option<String>) -> Result<bool, Error> {
        self.run(move || Ok(passwords::is_right(&password, kept.as_deref())))
            .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let done = self.0.run(PATIENCE, move |_| work()).await;
        done.map_err(|error| refused(error, "other sign-ins"))?
    }
}
