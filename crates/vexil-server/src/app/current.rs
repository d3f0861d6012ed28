//! The serving state of the moment. Edits and those who follow other servers replace it without waiting for
//! each other.

use std::sync::Arc;

use arc_swap::ArcSwap;

use crate::serving_state::ServingState;

/// Where the serving state of the moment is found.
pub(crate) struct Current(ArcSwap<ServingState>);

impl Current {
    pub(crate) fn new(serving: ServingState) -> Self {
        Self(ArcSwap::from_pointee(serving))
    }

    pub(crate) fn load(&self) -> Arc<ServingState> {
        self.0.load_full()
    }

    /// Puts a serving state that was just committed in place, unless a later one, which includes it, is there.
    pub(crate) fn publish(&self, next: ServingState) {
        let next = Arc::new(next);
        self.0.rcu(|known| {
            if known.revision.sequence < next.revision.sequence {
                Arc::clone(&next)
            } else {
                Arc::clone(known)
            }
        });
    }

    /// Puts a serving state in place of `known`, and says whether that was still there.
    pub(crate) fn replace(&self, known: &Arc<ServingState>, next: ServingState) -> bool {
        Arc::ptr_eq(&self.0.compare_and_swap(known, Arc::new(next)), known)
    }
}
