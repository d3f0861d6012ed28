//! What of the inbox was read before, so that reading it again costs what is new.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use vexil_metrics::Indexed;

use super::inbox::{InboxState, load};
use crate::connection::AnyConnection;
use crate::error::DbError;

/// How many bytes are kept; what goes beyond is read each time.
const MOST_BYTES: usize = 64 << 20;

/// Rows of the inbox that were read before.
#[derive(Default)]
pub(crate) struct InboxCache(Mutex<Known>);

#[derive(Default)]
struct Known {
    edition: i64,
    writers: BTreeMap<i64, OfWriter>,
    bytes: usize,
}

/// All rows of one writer after what is folded, up to a number.
#[derive(Default)]
struct OfWriter {
    through: i64,
    rows: BTreeMap<i64, Arc<Indexed>>,
}

/// One row of the inbox.
#[derive(Clone)]
pub(super) struct InboxRow {
    /// Whether folding it is under way.
    pub(super) under_way: bool,
    pub(super) counts: Arc<Indexed>,
}

impl InboxCache {
    /// Forgets everything.
    pub(crate) fn forget(&self) {
        *self.lock() = Known::default();
    }

    /// Everything in the inbox that is not folded, as of the transaction of `state`.
    pub(super) fn rows(
        &self,
        connection: &mut AnyConnection,
        state: &InboxState,
    ) -> Result<Vec<InboxRow>, DbError> {
        let mut rows = Vec::new();
        for (&writer, &appended) in &state.appended {
            let folded = state.folded_of(writer);
            if appended <= folded {
                continue;
            }
            let (through, mut own) = self.known(state.edition, writer, folded, appended);
            if through < appended {
                for (number, counts) in load(connection, writer, through.max(folded), appended)? {
                    own.push((number, Arc::new(Indexed::new(counts)?)));
                }
                self.keep(state.edition, writer, folded, appended, &own);
            }
            let bound = state
                .under_way
                .as_ref()
                .and_then(|(bounds, _)| bounds.get(&writer));
            rows.extend(own.into_iter().map(|(number, counts)| InboxRow {
                under_way: bound.is_some_and(|bound| number <= *bound),
                counts,
            }));
        }
        Ok(rows)
    }

    /// Up to which number the rows of a writer are known, and those that are wanted of them.
    fn known(
        &self,
        edition: i64,
        writer: i64,
        folded: i64,
        appended: i64,
    ) -> (i64, Vec<(i64, Arc<Indexed>)>) {
        let known = self.lock();
        let Some(own) = known.writers.get(&writer).filter(|_| known.edition == edition) else {
            return (0, Vec::new());
        };
        let wanted = own.rows.range(folded + 1..=appended);
        (
            own.through,
            wanted.map(|(number, row)| (*number, Arc::clone(row))).collect(),
        )
    }

    /// Keeps all rows of a writer after what is folded, up to a number.
    fn keep(&self, edition: i64, writer: i64, folded: i64, through: i64, rows: &[(i64, Arc<Indexed>)]) {
        let mut known = self.lock();
        if known.edition > edition {
            return;
        }
        if known.edition < edition {
            *known = Known {
                edition,
                ..Known::default()
            };
        }
        let Known { writers, bytes, .. } = &mut *known;
        let own = writers.entry(writer).or_default();
        if own.through > through {
            return;
        }
        let size = |rows: &BTreeMap<i64, Arc<Indexed>>| rows.values().map(|row| row.size()).sum::<usize>();
        *bytes -= size(&own.rows);
        own.rows = own.rows.split_off(&(folded + 1));
        own.rows
            .extend(rows.iter().map(|(number, row)| (*number, Arc::clone(row))));
        own.through = through;
        let own_bytes = size(&own.rows);
        if *bytes + own_bytes > MOST_BYTES {
            writers.remove(&writer);
        } else {
            *bytes += own_bytes;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for InboxCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InboxCache")
            .field("bytes", &self.lock().bytes)
            .finish_non_exhaustive()
    }
}
