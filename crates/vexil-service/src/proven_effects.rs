//! Effects of change requests that were proven already.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use vexil_change_request::{EffectDigest, SignedEffect};

/// So many effects are remembered.
const REMEMBERED: usize = 1_000;

/// Effects that were proven, by the digest of what the flags say before and after: that decides them.
#[derive(Debug, Default)]
pub(crate) struct ProvenEffects(Mutex<HashMap<EffectDigest, SignedEffect>>);

impl ProvenEffects {
    /// The proven effect, where it is remembered.
    pub(crate) fn known(&self, of: &EffectDigest) -> Option<SignedEffect> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(of).cloned()
    }

    /// Remembers it.
    pub(crate) fn remember(&self, of: EffectDigest, effect: SignedEffect) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(of, effect);
    }
}
