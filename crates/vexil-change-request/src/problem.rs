//! Problems: what stands against a change, or should be known of it.

use std::fmt;

use vexil_domain::{FlagName, SegmentId};

use crate::ChangeId;

/// Something found while changes were laid over a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeProblem {
    /// The change it is about.
    pub change: ChangeId,
    /// That change's action.
    pub action: String,
    /// What that change is for.
    pub target: Target,
    /// What is the matter.
    pub code: ProblemCode,
    /// The same in words for people, without the name of the change.
    pub message: String,
    /// Where in the change's payload, as a JSON pointer such as `/constraints/0/value`; empty for
    /// the change as a whole.
    pub path: String,
    /// For stale changes, what was edited meanwhile; of many edits the first 20 by name.
    pub differences: Vec<Difference>,
}

impl ChangeProblem {
    /// How grave it is.
    #[must_use]
    pub fn level(&self) -> ProblemLevel {
        self.code.level()
    }
}

/// A sentence that names the change and the reason.
impl fmt::Display for ChangeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            change,
            action,
            target,
            message,
            ..
        } = self;
        write!(f, "change {change} ({action} of {target}): {message}")
    }
}

/// What a change is for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A flag.
    Flag(FlagName),
    /// A segment.
    Segment(SegmentId),
    /// Neither: the change does not say.
    Unknown,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag `{name}`"),
            Self::Segment(id) => write!(f, "segment {id}"),
            Self::Unknown => f.write_str("no target"),
        }
    }
}

/// How grave a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemLevel {
    /// The changes cannot be applied.
    Blocks,
    /// They can, and would overwrite a newer edit.
    Stale,
    /// They can; reviewers should know.
    Note,
}

/// Of which sort a blocking problem is, for whoever must answer a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorKind {
    /// What was sent is wrong in itself, or asks for a step that there is not.
    Invalid,
    /// Whoever asks may not do it.
    Forbidden,
    /// It goes against a rule of the data, whoever asks.
    Rule,
    /// What it is for is not there.
    Missing,
    /// It clashes with something else that is there.
    Conflict,
}

/// A property that somebody edited after a change to it was proposed. Long values are cut, with `…` behind
/// them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The property's name, as in the change's payload.
    pub property: String,
    /// What it was when the change was proposed.
    pub before: String,
    /// What it is now.
    pub live: String,
    /// What the change would make of it; `None` where it would take the whole thing away.
    pub proposed: Option<String>,
}

macro_rules! problem_codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal, $level:ident, $kind:ident;)+) => {
        /// What is the matter.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ProblemCode {
            $($(#[$doc])* $variant,)+
        }

        impl ProblemCode {
            /// Every code.
            pub const ALL: &'static [ProblemCode] = &[$(ProblemCode::$variant),+];

            /// A short name that does not change, for machines.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// How grave it is.
            #[must_use]
            pub fn level(self) -> ProblemLevel {
                match self {
                    $(Self::$variant => ProblemLevel::$level,)+
                }
            }

            /// Of which sort it is, where it blocks.
            #[must_use]
            pub fn kind(self) -> ErrorKind {
                match self {
                    $(Self::$variant => ErrorKind::$kind,)+
                }
            }
        }
    };
}

problem_codes! {
    /// A change of a flag that names none.
    TargetMissing = "target_missing", Blocks, Invalid;
    /// There is no such flag.
    FlagMissing = "feature_missing", Blocks, Missing;
    /// The flag is archived.
    FlagArchived = "feature_archived", Blocks, Invalid;
    /// The flag is another project's.
    FlagMoved = "feature_moved", Blocks, Missing;
    /// The project does not use the environment.
    EnvironmentMissing = "environment_missing", Blocks, Invalid;
    /// The flag has no such strategy in the environment.
    StrategyMissing = "strategy_missing", Blocks, Missing;
    /// A reorder names a strategy that the flag does not have in the environment.
    PlaceMissing = "place_missing", Blocks, Invalid;
    /// A strategy of that id is there already.
    StrategyExists = "strategy_exists", Blocks, Conflict;
    /// The flag has as many strategies in the environment as it may.
    StrategyLimit = "strategy_limit", Blocks, Invalid;
    /// There is no such strategy type.
    StrategyTypeUnknown = "strategy_type_unknown", Blocks, Invalid;
    /// A parameter of a strategy is out of its range.
    ParameterInvalid = "parameter_invalid", Blocks, Invalid;
    /// A constraint says something that can never be decided.
    ConstraintInvalid = "constraint_invalid", Blocks, Invalid;
    /// Variants are not in order: names, weights or payloads.
    VariantInvalid = "variant_invalid", Blocks, Invalid;
    /// There is no such segment.
    SegmentMissing = "segment_missing", Blocks, Missing;
    /// The segment is another project's.
    SegmentForeign = "segment_foreign", Blocks, Invalid;
    /// A strategy names too many segments.
    SegmentLimit = "segment_limit", Blocks, Invalid;
    /// A strategy still uses the segment.
    SegmentInUse = "segment_in_use", Blocks, Conflict;
    /// Another segment has the name.
    SegmentNameTaken = "segment_name_taken", Blocks, Conflict;
    /// A segment's name or description is not acceptable.
    SegmentInvalid = "segment_invalid", Blocks, Invalid;
    /// A segment cannot become a project's while others use it, or while there is no such project.
    SegmentProjectInvalid = "segment_project_invalid", Blocks, Invalid;
    /// Live flags depend on a flag that is to be archived.
    ArchiveHasChildren = "archive_has_children", Blocks, Rule;
    /// A flag cannot depend on itself.
    DependencySelf = "dependency_self", Blocks, Rule;
    /// There is no such parent.
    DependencyParentMissing = "dependency_parent_missing", Blocks, Rule;
    /// The parent is archived.
    DependencyParentArchived = "dependency_parent_archived", Blocks, Rule;
    /// The parent is another project's.
    DependencyOtherProject = "dependency_other_project", Blocks, Rule;
    /// The parent has a parent itself, or the flag has children itself.
    DependencyTransitive = "dependency_transitive", Blocks, Rule;
    /// There is no such dependency to take away.
    DependencyMissing = "dependency_missing", Blocks, Missing;
    /// The action can be kept and shown, but not applied.
    ActionUnsupported = "action_unsupported", Blocks, Invalid;
    /// The switch was turned since the change was proposed.
    StaleEnabled = "stale_enabled", Stale, Conflict;
    /// The strategy was edited since the change was proposed.
    StaleStrategy = "stale_strategy", Stale, Conflict;
    /// The variants were edited since the change was proposed.
    StaleVariants = "stale_variants", Stale, Conflict;
    /// The dependencies were edited since the change was proposed.
    StaleDependencies = "stale_dependencies", Stale, Conflict;
    /// The segment was edited since the change was proposed.
    StaleSegment = "stale_segment", Stale, Conflict;
    /// A later change of the same request does away with this one, or an earlier one did the same.
    DuplicateChange = "duplicate_change", Note, Conflict;
    /// More users may get the flag than the change names: its last condition is gone, or a
    /// strategy for everybody is added.
    WidensExposure = "widens_exposure", Note, Conflict;
}
