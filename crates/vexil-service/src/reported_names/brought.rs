//! How many names that nobody configured a token may bring.

use std::collections::BTreeMap;

use vexil_store::ApiTokenId;

/// How many new names of each kind a token may bring while the process runs.
const OF_TOKEN: usize = 1_000;
/// How many names of each kind there may be in all.
pub(super) const IN_ALL: usize = 10_000;

/// How many names of a kind each token has brought.
#[derive(Debug, Default)]
pub(super) struct Brought(BTreeMap<ApiTokenId, usize>);

impl Brought {
    /// Whether a token may bring one more where so many are kept already.
    pub(super) fn has_room(&self, token: ApiTokenId, kept: usize) -> bool {
        let own = self.0.get(&token).copied().unwrap_or_default();
        own < OF_TOKEN && kept < IN_ALL
    }

    pub(super) fn one_more(&mut self, token: ApiTokenId) {
        *self.0.entry(token).or_default() += 1;
    }
}
