//! A flag that is imported.

use vexil_change_request::NewStrategy;
use vexil_domain::{Dependency, Variant};

use crate::flag::NewFlag;
use crate::flag_upkeep::FlagLinkForm;

/// Something with the place where it stands in the document, such as `/body/data/featureStrategies/3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    /// The place.
    pub path: String,
    /// What stands there.
    pub value: T,
}

/// A flag with everything that the document says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedFlag {
    /// What it says of itself, with its tags.
    pub form: NewFlag,
    /// Whether the document tells of tags at all; else those that the flag has stay.
    pub has_tags: bool,
    /// Its strategies, in order.
    pub strategies: Vec<Placed<NewStrategy>>,
    /// Its switch and variants; they stay where the document does not tell of them.
    pub settings: Option<Placed<ImportedSettings>>,
    /// What it depends on; that stays where the document tells of no dependencies at all.
    pub dependencies: Option<Vec<Placed<Dependency>>>,
    /// Its links; those that it has already stay.
    pub links: Vec<FlagLinkForm>,
}

/// The switch and the variants of a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedSettings {
    /// The switch.
    pub enabled: bool,
    /// The variants; they stay where the document does not tell of them.
    pub variants: Option<Vec<Variant>>,
}
