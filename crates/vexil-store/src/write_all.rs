//! Maps that writes are applied to.

use std::collections::BTreeMap;
use std::sync::Arc;

use vexil_domain::Write;

/// Puts values in place and takes them away.
pub(crate) fn write_all<K: Ord, V>(
    into: &mut BTreeMap<K, Arc<V>>,
    writes: &[Write<K, V>],
    key_of: impl Fn(&V) -> K,
) {
    for write in writes {
        match write {
            Write::Upsert(value) => drop(into.insert(key_of(value), Arc::clone(value))),
            Write::Delete(key) => drop(into.remove(key)),
        }
    }
}
