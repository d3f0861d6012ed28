//! Reads JSON into the domain's values without ever giving up on the whole for the sake of a part.
//!
//! Every kind of value has a [`LenientDeserialize`], which says what becomes of each kind of JSON; a mismatch is
//! noted with its place and gives a value that stands in.

mod constraint;
mod flag;
mod place_ids;
mod raw;
mod reader;
mod scalar;
mod segment;
mod source;
mod strategy;
mod variant;

pub(super) use raw::{RawFlag, Text};
pub(super) use reader::{FlagSink, Key, LenientDeserialize, List, Nowhere, Reader, members, read, skip};
pub use reader::{Problem, ReadError};
pub(super) use scalar::{Integer, Name};
pub(super) use segment::RawSegment;
