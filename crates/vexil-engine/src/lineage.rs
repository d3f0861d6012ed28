//! Which engines come from each other, so that a handle of one never answers for a flag of another.

use std::sync::atomic::{AtomicU64, Ordering};

/// An engine compiled anew, and all that are updated from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lineage(u64);

impl Lineage {
    /// One that nobody has yet in this process.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
