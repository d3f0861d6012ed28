//! Handles of flags.

/// A flag, looked up once. It stays valid in every engine that comes from the same one by
/// [`Engine::updated`](crate::Engine::updated), also when the flag goes and comes back; while it is
/// gone it answers as an unknown flag does. In an engine compiled on its own it means some other flag, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlagId(pub(crate) u32);
