//! The serving state of the moment. Edits and those who follow other servers replace it without waiting for
//! each other.

use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::serving_state::ServingState;
use crate::streams::Bell;

/// Where the serving state of the moment is found. Whoever listens is woken by each that follows.
pub(crate) struct Current {
    serving: ArcSwap<ServingState>,
    bell: Bell,
}

impl Current {
    pub(crate) fn new(serving: ServingState, bell: Bell) -> Self {
        Self {
            serving: ArcSwap::from_pointee(serving),
            bell,
        }
    }

    pub(crate) fn load(&self) -> Arc<ServingState> {
        self.serving.load_full()
    }

    /// Puts a serving state that was just committed in place, unless a later one, which includes it, is there.
    pub(crate) fn publish(&self, next: ServingState) {
        let next = Arc::new(next);
        self.serving.rcu(|known| {
            if known.revision.sequence < next.revision.sequence {
                Arc::clone(&next)
            } else {
                Arc::clone(known)
            }
        });
        self.bell.ring();
    }

    /// Puts a serving state in place of `known`, and says whether that was still there.
    pub(crate) fn replace(&self, known: &Arc<ServingState>, next: ServingState) -> bool {
        let before = self.serving.compare_and_swap(known, Arc::new(next));
        self.bell.ring();
        Arc::ptr_eq(&before, known)
    }
}
