//! What a change finds when it is proposed.

use vexil_domain::{FlagName, Snapshot};

use super::{describe, settings};
use crate::{Before, Change, Scope};

/// What to remember of `base` when a change is proposed, so that later edits of the same thing can
/// be told. `None` for changes that replace nothing, and where the thing is not there.
#[must_use]
pub fn before(base: &Snapshot, scope: &Scope, flag: Option<&FlagName>, change: &Change) -> Option<Before> {
    match change {
        Change::UpdateEnabled(_) => {
            base.flags.get(flag?)?;
            let enabled = settings(base, scope, flag?).is_some_and(|settings| settings.enabled);
            Some(Before::Enabled(enabled))
        }
        Change::UpdateStrategy(_) | Change::DeleteStrategy { .. } => {
            let id = change.strategy()?;
            let mut strategies = settings(base, scope, flag?)?.strategies.iter();
            strategies
                .find(|strategy| strategy.id == *id)
                .cloned()
                .map(Before::Strategy)
        }
        Change::PatchVariant { .. } => {
            base.flags.get(flag?)?;
            let variants = settings(base, scope, flag?).map(|settings| settings.variants.clone());
            Some(Before::Variants(variants.unwrap_or_default()))
        }
        Change::AddDependency(_) | Change::DeleteDependency { .. } => {
            Some(Before::Dependencies(base.flags.get(flag?)?.dependencies.clone()))
        }
        Change::UpdateSegment(_) | Change::DeleteSegment { .. } => {
            let segment = base.segments.get(&change.segment()?)?;
            Some(Before::Segment(describe::as_update(segment)))
        }
        Change::AddStrategy(_)
        | Change::ReorderStrategy(_)
        | Change::ArchiveFeature
        | Change::Unsupported { .. } => None,
    }
}
