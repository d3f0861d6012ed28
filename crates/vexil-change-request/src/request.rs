//! Change requests: changes that wait for approval, and what people said of them.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_domain::{
    ActivationStrategy, Actor, ActorId, Dependency, EnvironmentName, FlagName, ProjectId, Variant,
};

use crate::{CheckedChange, Schedule, SegmentUpdate, SignedEffect};

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number_id! {
    /// The id of a change request, unique in an instance.
    ChangeRequestId
}
number_id! {
    /// The id of one change in a change request, unique in an instance. An edited change gets a new one.
    ChangeId
}
number_id! {
    /// The id of a comment on a change request, unique in an instance.
    CommentId
}

/// A change as it waits in a change request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct PlannedChange {
    /// Identifies the change. Changes are applied in the order in which they stand in the request.
    pub id: ChangeId,
    /// The flag it is for; `None` for changes of segments.
    pub flag: Option<FlagName>,
    /// What is changed.
    pub change: CheckedChange,
    /// What was there when the change was proposed; `None` where there was nothing to remember.
    pub before: Option<Before>,
    /// Who proposed it.
    pub created_by: Actor,
    /// When it was proposed.
    #[cfg_attr(feature = "serde", serde(with = "time::serde::rfc3339"))]
    pub created_at: OffsetDateTime,
}

/// What a change found when it was proposed. Against it is told whether somebody has edited the
/// same thing since.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub enum Before {
    /// The switch, for [`crate::Change::UpdateEnabled`].
    Enabled(bool),
    /// The activation strategy, for [`crate::Change::UpdateStrategy`] and [`crate::Change::DeleteStrategy`].
    Strategy(ActivationStrategy),
    /// The flag's variants in the environment, for [`crate::Change::PatchVariant`].
    Variants(Vec<Variant>),
    /// The flag's dependencies, for [`crate::Change::AddDependency`] and [`crate::Change::DeleteDependency`].
    Dependencies(Vec<Dependency>),
    /// The segment, for [`crate::Change::UpdateSegment`] and [`crate::Change::DeleteSegment`].
    Segment(SegmentUpdate),
}

/// A group of changes to one project in one environment that take effect together, once enough
/// people have approved them.
///
/// Steps from state to state are taken by its methods, which return a new value and the events to
/// record; they keep the invariants that reviews belong to the changes they saw, that a schedule
/// stands exactly in [`State::Scheduled`], and that closed requests stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct ChangeRequest {
    /// Identifies the request.
    pub id: ChangeRequestId,
    /// A title in a person's words.
    pub title: Option<String>,
    /// The project whose flags and segments are changed.
    pub project: ProjectId,
    /// The environment in which they are changed.
    pub environment: EnvironmentName,
    /// How many people must approve at least: the most that rules asked for when it was opened or edited.
    pub min_approvals: u32,
    /// How far it has come.
    pub state: State,
    /// The changes, in the order in which they are applied.
    pub changes: Vec<PlannedChange>,
    /// Who approved the present changes; one a person.
    pub approvals: Vec<Approval>,
    /// Who rejected it.
    pub rejections: Vec<Approval>,
    /// What people said, oldest first.
    pub comments: Vec<Comment>,
    /// Who was asked to review it, at most 10.
    pub requested_reviewers: Vec<ActorId>,
    /// Whose request it is.
    pub created_by: Actor,
    /// When it was opened.
    #[cfg_attr(feature = "serde", serde(with = "time::serde::rfc3339"))]
    pub created_at: OffsetDateTime,
    /// When each state was last entered.
    #[cfg_attr(feature = "serde", serde(with = "crate::document::timestamps"))]
    pub state_timestamps: BTreeMap<State, OffsetDateTime>,
    /// When and for whom it will be applied; there while [`State::Scheduled`].
    pub schedule: Option<Schedule>,
    /// The last time that approvals went, or that those it had were not enough any more. It stays.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub setback: Option<Setback>,
    /// The titles that it had after its draft, oldest first: the last 20.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub earlier_titles: Vec<EarlierTitle>,
}

/// A title that others may have read, and when it went.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct EarlierTitle {
    /// The title; `None` where it had none.
    pub title: Option<String>,
    /// When it got another.
    #[cfg_attr(feature = "serde", serde(with = "time::serde::rfc3339"))]
    pub until: OffsetDateTime,
    /// Who gave it the other.
    pub by: Actor,
}

/// That approvals of a request went, or that those it had were not enough any more.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Setback {
    /// When.
    #[cfg_attr(feature = "serde", serde(with = "time::serde::rfc3339"))]
    pub at: OffsetDateTime,
    /// Who took the step in which it was noticed, or the server.
    pub by: Actor,
    /// Why, in words.
    pub reason: String,
    /// The approvals that went, as they were given.
    pub approvals: Vec<Approval>,
}

/// One person's approval, or rejection.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Approval {
    /// Who gave it.
    pub created_by: Actor,
    /// When.
    #[cfg_attr(feature = "serde", serde(with = "time::serde::rfc3339"))]
    pub created_at: OffsetDateTime,
    /// What was approved; `None` for rejections, and for approvals from before effects had names, which do not
    /// count.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub effect: Option<SignedEffect>,
}

/// What somebody said of a change request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Comment {
    /// Identifies the comment.
    pub id: CommentId,
    /// What was said, 1 to 1000 characters, without blanks at either end.
    pub text: String,
    /// Who said it.
    pub created_by: Actor,
    /// When.
    #[cfg_attr(feature = "serde", serde(with = "time::serde::rfc3339"))]
    pub created_at: OffsetDateTime,
}

/// How far a change request has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum State {
    /// Its author still gathers changes.
    Draft,
    /// It waits for approvals.
    #[cfg_attr(feature = "serde", serde(rename = "In review"))]
    InReview,
    /// Enough people approved it.
    Approved,
    /// It will be applied at a set time.
    Scheduled,
    /// Its changes were made. Final.
    Applied,
    /// Somebody rejected it. Final.
    Rejected,
    /// It was withdrawn. Final.
    Cancelled,
}

impl State {
    /// Every state.
    pub const ALL: &'static [State] = &[
        Self::Draft,
        Self::InReview,
        Self::Approved,
        Self::Scheduled,
        Self::Applied,
        Self::Rejected,
        Self::Cancelled,
    ];

    /// The state of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|state| state.name() == name)
    }

    /// The name under which it is stored and sent.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "Draft",
            Self::InReview => "In review",
            Self::Approved => "Approved",
            Self::Scheduled => "Scheduled",
            Self::Applied => "Applied",
            Self::Rejected => "Rejected",
            Self::Cancelled => "Cancelled",
        }
    }

    /// Whether it may still be changed: a draft, in review, or approved. A person has at most one
    /// pending request in a project and environment.
    #[must_use]
    pub fn is_pending(self) -> bool {
        matches!(self, Self::Draft | Self::InReview | Self::Approved)
    }

    /// Whether others are to see it, and it may still be applied one day: in review, approved or scheduled.
    #[must_use]
    pub fn is_proposed(self) -> bool {
        matches!(self, Self::InReview | Self::Approved | Self::Scheduled)
    }

    /// Whether it may still be applied one day: pending or scheduled.
    #[must_use]
    pub fn is_open(self) -> bool {
        self.is_pending() || self == Self::Scheduled
    }

    /// Whether it is over: applied, rejected or cancelled.
    #[must_use]
    pub fn is_closed(self) -> bool {
        !self.is_open()
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
