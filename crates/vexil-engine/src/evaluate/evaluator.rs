//! What an evaluation needs and what it decides.

use crate::Ambient;
use crate::flag_table::FlagTable;
use crate::program::Strategy;

/// Everything an evaluation needs besides the flag.
///
/// `'e` is the engine's, `'c` that of the context and of what surrounds it.
pub(crate) struct Evaluator<'e, 'c, V> {
    pub(crate) table: &'e FlagTable,
    pub(crate) ambient: &'c Ambient<'c>,
    pub(crate) context: V,
}

/// The outcome of all strategies of a flag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decision<'f> {
    pub(super) enabled: bool,
    /// The first strategy that holds, and its place.
    pub(super) by: Option<(usize, &'f Strategy)>,
}
