//! What the tables are made of: hashes, sets, comparison without allocating.

pub(crate) mod hash;
pub(crate) mod ignoring_case;
pub(crate) mod murmur;
pub(crate) mod needle;
pub(crate) mod needles;
pub(crate) mod networks;
pub(crate) mod same;
pub(crate) mod text_set;
