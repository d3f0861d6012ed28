//! Handles of flags.

use crate::lineage::Lineage;

/// A flag, looked up once.
///
/// It stays valid in every engine that comes from the same one by [`Engine::updated`](crate::Engine::updated), also
/// when the flag goes and comes back; while it is gone it answers as an unknown flag does. So it does in every other
/// engine, one compiled anew from the same flags included: a handle never answers for another flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlagId {
    pub(crate) lineage: Lineage,
    pub(crate) number: u32,
}
