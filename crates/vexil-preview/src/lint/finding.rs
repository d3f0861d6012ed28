//! What is found: what it is about, what it is, and why.

use vexil_domain::{FlagName, SegmentId};

/// What was found in an environment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lint {
    /// What decides nothing, flag by flag; segments last.
    pub findings: Vec<Finding>,
    /// Flags and segments of which not everything could be decided.
    pub undecided: Vec<String>,
}

/// Something that never changes anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub subject: Subject,
    /// What it is.
    pub kind: FindingKind,
    /// Why, for people.
    pub reason: String,
}

/// What a finding is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A flag.
    Flag(FlagName),
    /// A segment, with its name.
    Segment(SegmentId, String),
}

/// What never changes anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// A flag that is on for every context.
    ConstantOn,
    /// A flag that is off for every context.
    ConstantOff,
    /// A parent because of which a flag is off for every context.
    ParentNeverMet,
    /// A dependency without which nothing would change.
    DependencyDecidesNothing,
    /// A strategy without which nothing would change.
    StrategyDecidesNothing,
    /// A constraint without which nothing would change.
    ConstraintDecidesNothing,
    /// A value of a list without which nothing would change.
    ValueDecidesNothing,
    /// A segment that lets nobody in.
    SegmentAdmitsNobody,
    /// A segment that lets everybody in.
    SegmentAdmitsEverybody,
}

impl FindingKind {
    /// Its name in documents.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ConstantOn => "constantOn",
            Self::ConstantOff => "constantOff",
            Self::ParentNeverMet => "parentNeverMet",
            Self::DependencyDecidesNothing => "dependencyDecidesNothing",
            Self::StrategyDecidesNothing => "strategyDecidesNothing",
            Self::ConstraintDecidesNothing => "constraintDecidesNothing",
            Self::ValueDecidesNothing => "valueDecidesNothing",
            Self::SegmentAdmitsNobody => "segmentAdmitsNobody",
            Self::SegmentAdmitsEverybody => "segmentAdmitsEverybody",
        }
    }
}
