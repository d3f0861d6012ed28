//! What a change finds when it is proposed.

use vexil_domain::{ActivationStrategy, Dependency, FlagName, Segment, Snapshot, Variant};

use super::{describe, settings};
use crate::{Before, Change, Scope};

/// What to remember of `base` when a change is proposed, so that later edits of the same thing can
/// be told. `None` for changes that replace nothing, and where the thing is not there.
#[must_use]
pub fn before(base: &Snapshot, scope: &Scope, flag: Option<&FlagName>, change: &Change) -> Option<Before> {
    find(base, scope, flag, change).map(Found::kept)
}

/// What a change finds: a [`Before`] that is not copied.
#[derive(Debug, Clone, Copy)]
pub(super) enum Found<'a> {
    Enabled(bool),
    Strategy(&'a ActivationStrategy),
    Variants(&'a [Variant]),
    Dependencies(&'a [Dependency]),
    Segment(&'a Segment),
}

impl Found<'_> {
    fn kept(self) -> Before {
        match self {
            Self::Enabled(enabled) => Before::Enabled(enabled),
            Self::Strategy(strategy) => Before::Strategy(strategy.clone()),
            Self::Variants(variants) => Before::Variants(variants.to_vec()),
            Self::Dependencies(dependencies) => Before::Dependencies(dependencies.to_vec()),
            Self::Segment(segment) => Before::Segment(describe::as_update(segment)),
        }
    }

    /// Whether this is, to the letter, what was found then.
    pub(super) fn is(self, then: &Before) -> bool {
        match (self, then) {
            (Self::Enabled(now), Before::Enabled(then)) => now == *then,
            (Self::Strategy(now), Before::Strategy(then)) => now == then,
            (Self::Variants(now), Before::Variants(then)) => now == then.as_slice(),
            (Self::Dependencies(now), Before::Dependencies(then)) => now == then.as_slice(),
            (Self::Segment(now), Before::Segment(then)) => {
                now.name == then.name
                    && now.description == then.description
                    && now.project == then.project
                    && now.constraints == then.constraints
            }
            _ => false,
        }
    }
}

/// What a change finds in `base`.
pub(super) fn find<'a>(
    base: &'a Snapshot,
    scope: &Scope,
    flag: Option<&FlagName>,
    change: &Change,
) -> Option<Found<'a>> {
    match change {
        Change::UpdateEnabled(_) => {
            base.flags.get(flag?)?;
            let enabled = settings(base, scope, flag?).is_some_and(|settings| settings.enabled);
            Some(Found::Enabled(enabled))
        }
        Change::UpdateStrategy(_) | Change::DeleteStrategy { .. } => {
            let id = change.strategy()?;
            let mut strategies = settings(base, scope, flag?)?.strategies.iter();
            strategies
                .find(|strategy| strategy.id == *id)
                .map(Found::Strategy)
        }
        Change::PatchVariant { .. } => {
            base.flags.get(flag?)?;
            let variants = settings(base, scope, flag?).map(|settings| settings.variants.as_slice());
            Some(Found::Variants(variants.unwrap_or_default()))
        }
        Change::AddDependency(_) | Change::DeleteDependency { .. } => {
            Some(Found::Dependencies(&base.flags.get(flag?)?.dependencies))
        }
        Change::UpdateSegment(_) | Change::DeleteSegment { .. } => base
            .segments
            .get(&change.segment()?)
            .map(|segment| Found::Segment(segment)),
        Change::AddStrategy(_)
        | Change::ReorderStrategy(_)
        | Change::ArchiveFeature
        | Change::Unsupported { .. } => None,
    }
}
