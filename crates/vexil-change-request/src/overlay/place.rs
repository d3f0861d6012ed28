//! What a change replaces, as a key: two changes of one place overrule each other.

use vexil_domain::{FlagName, SegmentId, StrategyId};

use crate::{Change, PlannedChange};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place<'a> {
    Switch(Option<&'a FlagName>),
    Strategy(Option<&'a FlagName>, &'a StrategyId),
    Variants(Option<&'a FlagName>),
    Archive(Option<&'a FlagName>),
    Dependencies(Option<&'a FlagName>),
    Segment(SegmentId),
}

impl<'a> Place<'a> {
    /// `None` for changes that replace nothing.
    pub(super) fn of(planned: &'a PlannedChange) -> Option<Self> {
        let flag = planned.flag.as_ref();
        Some(match &*planned.change {
            Change::UpdateEnabled(_) => Self::Switch(flag),
            Change::UpdateStrategy(update) => Self::Strategy(flag, &update.id),
            Change::DeleteStrategy { id } => Self::Strategy(flag, id),
            Change::PatchVariant { .. } => Self::Variants(flag),
            Change::ArchiveFeature => Self::Archive(flag),
            Change::AddDependency(_) | Change::DeleteDependency { .. } => Self::Dependencies(flag),
            Change::UpdateSegment(update) => Self::Segment(update.id),
            Change::DeleteSegment { id } => Self::Segment(*id),
            Change::AddStrategy(_) | Change::ReorderStrategy(_) | Change::Unsupported { .. } => return None,
        })
    }
}
