//! Strategies that are alike on both sides: they become the same rules, which are made once.

use vexil_domain::{ActivationStrategy, EnvironmentFlag, Segment, SegmentId};

use crate::Side;

/// A strategy with the rules that it became.
#[derive(Debug)]
pub(super) struct Made<'a> {
    pub(super) side: Side<'a>,
    pub(super) flag: &'a EnvironmentFlag,
    pub(super) strategy: &'a ActivationStrategy,
    /// Whether its variants are told apart.
    pub(super) variants: bool,
    /// Numbers of conjunctions with values.
    pub(super) rules: Vec<(usize, u32)>,
}

impl<'a> Made<'a> {
    /// Whether another strategy becomes the same rules.
    pub(super) fn is_like(
        &self,
        side: Side<'a>,
        flag: &EnvironmentFlag,
        strategy: &ActivationStrategy,
        variants: bool,
    ) -> bool {
        let segments = |side: Side<'a>, id: &SegmentId| -> Option<&'a Segment> {
            side.snapshot.segments.get(id).map(|segment| &**segment)
        };
        let is_same = |id: &SegmentId| match (segments(self.side, id), segments(side, id)) {
            (Some(one), Some(other)) => std::ptr::eq(one, other) || one.constraints == other.constraints,
            (one, other) => one.is_none() && other.is_none(),
        };
        self.variants == variants
            && self.strategy == strategy
            && self.flag.name == flag.name
            && strategy.segments.iter().all(is_same)
            && (!variants || self.flag.settings.variants == flag.settings.variants)
    }
}
