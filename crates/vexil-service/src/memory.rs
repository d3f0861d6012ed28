//! How many bytes may be held for peers at a time: bodies that arrive, what is read from them, and answers.
//!
//! Permits are counted in units of 1 KiB.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::deadlines::within;

/// A permit stands for so many bytes.
const UNIT: usize = 1 << 10;
/// How long a permit is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Bounds on the bytes held for peers. Cloning shares them.
#[derive(Clone)]
pub struct Memory {
    /// Bodies as they arrive.
    pub bodies: Space,
    /// What is read from bodies, until the request is answered.
    pub documents: Space,
    /// Answers that wait to be taken.
    pub answers: Space,
}

opaque!(Memory);

/// So much room.
#[derive(Clone)]
pub struct Space {
    free: Arc<Semaphore>,
    size: usize,
}

opaque!(Space);

/// Room that is taken until this is dropped.
#[derive(Debug, Default)]
pub struct Held(Vec<OwnedSemaphorePermit>);

impl Default for Memory {
    fn default() -> Self {
        Self {
            bodies: Space::new(32 << 20),
            documents: Space::new(96 << 20),
            answers: Space::new(64 << 20),
        }
    }
}

impl Space {
    pub(crate) fn new(bytes: usize) -> Self {
        let size = bytes / UNIT;
        Self {
            free: Arc::new(Semaphore::new(size)),
            size,
        }
    }

    /// Room for `bytes`, if there is.
    #[must_use]
    pub fn try_take(&self, bytes: usize) -> Option<Held> {
        let permit = Arc::clone(&self.free).try_acquire_many_owned(self.units(bytes));
        permit.ok().map(|permit| Held(vec![permit]))
    }

    /// The same, after a while at most.
    pub async fn take(&self, bytes: usize) -> Option<Held> {
        let permit = Arc::clone(&self.free).acquire_many_owned(self.units(bytes));
        let permit = within(PATIENCE, permit).await?;
        permit.ok().map(|permit| Held(vec![permit]))
    }

    /// Something larger than all of the room takes all of it, so that it can be done alone.
    fn units(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(UNIT).min(self.size)).unwrap_or(u32::MAX)
    }
}

impl Held {
    /// Holds what `more` holds as well.
    pub fn join(&mut self, mut more: Self) {
        self.0.append(&mut more.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_there_again_when_what_held_it_is_gone() {
        let space = Space::new(10 << 10);
        let mut held = space.try_take(4 << 10).unwrap();
        held.join(space.try_take(5 << 10).unwrap());
        let other = Space::new(1 << 10);
        held.join(other.try_take(1 << 10).unwrap());
        assert!(space.try_take(1 << 10).is_some());
        assert!(other.try_take(1).is_none());
        assert!(space.try_take(1025).is_none());
        drop(held);
        assert!(other.try_take(1).is_some());
        assert!(space.try_take(1 << 30).is_some(), "alone, anything has room");
        let held = space.try_take(1).unwrap();
        assert!(space.try_take(1 << 30).is_none());
        drop(held);
    }
}
