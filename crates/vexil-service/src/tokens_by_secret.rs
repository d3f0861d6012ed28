//! Tokens by the hash of their secret, as requests show them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use vexil_domain::Write;
use vexil_store::{ApiToken, ApiTokenId};

/// Tokens by the hash of their secret.
pub type Tokens = HashMap<[u8; 32], Arc<ApiToken>>;

/// The tokens after a change; the same where none changed.
pub(crate) fn tokens_after(tokens: &Arc<Tokens>, writes: &[Write<ApiTokenId, ApiToken>]) -> Arc<Tokens> {
    if writes.is_empty() {
        return Arc::clone(tokens);
    }
    let touched: BTreeSet<ApiTokenId> = writes
        .iter()
        .map(|write| match write {
            Write::Upsert(token) => token.id,
            Write::Delete(id) => *id,
        })
        .collect();
    let mut tokens = Tokens::clone(tokens);
    tokens.retain(|_, token| !touched.contains(&token.id));
    let mut last = BTreeMap::new();
    for write in writes {
        match write {
            Write::Upsert(token) => drop(last.insert(token.id, token)),
            Write::Delete(id) => drop(last.remove(id)),
        }
    }
    tokens.extend(
        last.into_values()
            .map(|token| (token.secret_hash, Arc::clone(token))),
    );
    Arc::new(tokens)
}
