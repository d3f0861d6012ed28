//! How much memory changes take, about: what bounds a change request, since everything that is done with
//! one is paid by its size.

use vexil_domain::{ActivationStrategy, Constraint, Dependency, Parameters, Variant};

use crate::{Before, Change, NewStrategy, PlannedChange, SegmentUpdate, StrategyUpdate};

/// What every item takes beside its texts.
const ITEM: usize = 64;

impl PlannedChange {
    /// About how many bytes of memory it takes, what it remembers of the past included.
    #[must_use]
    pub fn weight(&self) -> usize {
        let before = match &self.before {
            None | Some(Before::Enabled(_)) => 0,
            Some(Before::Strategy(old)) => strategy(old),
            Some(Before::Variants(old)) => variants(old),
            Some(Before::Dependencies(old)) => old.iter().map(dependency).sum(),
            Some(Before::Segment(old)) => segment(old),
        };
        ITEM + self.change.weight() + before
    }
}

impl Change {
    /// About how many bytes of memory it takes.
    #[must_use]
    pub fn weight(&self) -> usize {
        match self {
            Self::UpdateEnabled(_)
            | Self::DeleteStrategy { .. }
            | Self::ArchiveFeature
            | Self::DeleteDependency { .. }
            | Self::DeleteSegment { .. } => ITEM,
            Self::AddStrategy(new) => added(new),
            Self::UpdateStrategy(update) => updated(update),
            Self::ReorderStrategy(places) => places.iter().map(|place| ITEM + place.id.as_str().len()).sum(),
            Self::PatchVariant { variants: all } => variants(all),
            Self::AddDependency(one) => dependency(one),
            Self::UpdateSegment(update) => segment(update),
            Self::Unsupported { action, payload } => ITEM + action.len() + text(payload.as_ref()),
        }
    }
}

fn added(new: &NewStrategy) -> usize {
    ITEM + new.name.len()
        + text(new.title.as_ref())
        + parameters(&new.parameters)
        + constraints(&new.constraints)
        + new.segments.len() * size_of::<i64>()
        + variants(&new.variants)
}

fn updated(update: &StrategyUpdate) -> usize {
    ITEM + text(update.name.as_ref())
        + text(update.title.as_ref())
        + parameters(&update.parameters)
        + constraints(&update.constraints)
        + update.segments.as_ref().map_or(0, Vec::len) * size_of::<i64>()
        + variants(&update.variants)
}

fn strategy(strategy: &ActivationStrategy) -> usize {
    ITEM + strategy.name.len()
        + text(strategy.title.as_ref())
        + parameters(&strategy.parameters)
        + constraints(&strategy.constraints)
        + strategy.segments.len() * size_of::<i64>()
        + variants(&strategy.variants)
}

fn segment(update: &SegmentUpdate) -> usize {
    ITEM + update.name.len() + text(update.description.as_ref()) + constraints(&update.constraints)
}

fn dependency(dependency: &Dependency) -> usize {
    ITEM + dependency.parent.as_str().len() + texts(&dependency.variants)
}

fn parameters(all: &Parameters) -> usize {
    all.iter()
        .map(|(name, value)| ITEM + name.len() + value.len())
        .sum()
}

fn constraints(all: &[Constraint]) -> usize {
    let one = |constraint: &Constraint| {
        ITEM + constraint.context_name.len() + texts(&constraint.values) + text(constraint.value.as_ref())
    };
    all.iter().map(one).sum()
}

fn variants(all: &[Variant]) -> usize {
    let one = |variant: &Variant| {
        let payload = variant.payload.as_ref();
        let overrides = variant.overrides.iter();
        ITEM + variant.name.len()
            + payload.map_or(0, |payload| payload.kind.len() + payload.value.len())
            + overrides
                .map(|entry| ITEM + entry.context_name.len() + texts(&entry.values))
                .sum::<usize>()
    };
    all.iter().map(one).sum()
}

fn texts(all: &[String]) -> usize {
    all.iter().map(|text| size_of::<String>() + text.len()).sum()
}

fn text(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}
