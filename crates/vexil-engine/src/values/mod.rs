//! The kinds of values that constraints compare: parsed once, compared without allocating.

pub(crate) mod hash;
pub(crate) mod instant;
pub(crate) mod lowercase;
pub(crate) mod murmur;
pub(crate) mod network;
pub(crate) mod number;
pub(crate) mod pattern;
pub(crate) mod same;
pub(crate) mod text_set;
pub(crate) mod version;
