//! Many keys at once: what lists of writes come to, and rows deleted by their keys.

use std::collections::BTreeMap;

use vexil_domain::Write;

/// How many keys go into one statement; SQLite takes at most 32,766 values.
pub(crate) const KEYS_AT_ONCE: usize = 500;

/// What a list of puts comes to: every key it names, and the values that are there afterwards.
/// Where several puts have the same key, the last counts.
pub(crate) fn last_write_wins<K, V, T: Ord + Clone>(
    puts: &[Write<K, V>],
    of_key: impl Fn(&K) -> T,
    of_value: impl Fn(&V) -> T,
) -> (Vec<T>, Vec<&V>) {
    let mut last = BTreeMap::new();
    for put in puts {
        match put {
            Write::Upsert(value) => last.insert(of_value(value), Some(&**value)),
            Write::Delete(key) => last.insert(of_key(key), None),
        };
    }
    (
        last.keys().cloned().collect(),
        last.into_values().flatten().collect(),
    )
}

/// Deletes the rows of these keys. What belongs to them goes with them.
macro_rules! delete_keys {
    ($connection:expr, $table:ident :: $column:ident, $keys:expr) => {
        $keys.chunks($crate::batches::KEYS_AT_ONCE).try_for_each(|keys| {
            let rows = $crate::schema::$table::table.filter($crate::schema::$table::$column.eq_any(keys));
            diesel::delete(rows).execute($connection).map(drop)
        })
    };
}
pub(crate) use delete_keys;
