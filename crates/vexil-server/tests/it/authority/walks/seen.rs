//! How often what was tried happened.

use std::collections::BTreeMap;

/// How often what happened.
#[derive(Debug)]
pub(crate) struct Seen(pub(crate) BTreeMap<&'static str, usize>);

impl Default for Seen {
    fn default() -> Self {
        let all = [
            "edited by whoever may skip",
            "applied",
            "applied when due",
            "approved",
            "refused",
            "without a rule",
            "by an administrator",
            "by a session",
            "by a token",
            "gone and shut out",
            "gave others access",
        ];
        Self(all.map(|what| (what, 0)).into())
    }
}

impl Seen {
    pub(crate) fn note(&mut self, what: &'static str) {
        *self.0.get_mut(what).unwrap() += 1;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (what, times) in &other.0 {
            *self.0.get_mut(what).unwrap() += times;
        }
    }
}
