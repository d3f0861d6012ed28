//! What a change is, what it does to a snapshot, and how a change request moves from draft to applied.
//!
//! [`overlay`] is the only meaning of a change: a preview throws its result away, an apply and a
//! direct edit commit it. Nothing here reads a clock, draws lots or stores anything.
//!
//! # Cargo features
//!
//! * `serde` (off by default): `Serialize` and `Deserialize`. A [`Change`] is Unleash's document
//!   `{"action": …, "payload": …}`; a whole [`ChangeRequest`] has the form in which it is stored.

mod caller;
mod change;
mod conflict;
#[cfg(feature = "serde")]
mod document;
mod event;
mod issue;
mod outcome;
mod overlay;
mod refusal;
mod request;
mod schedule;
mod steps;
pub mod validate;
mod weights;

pub use caller::{Caller, Permissions};
pub use change::{Change, NewStrategy, SegmentUpdate, StrategyPlace, StrategyUpdate, UpdateEnabled};
pub use conflict::{schedule_conflicts, suspension};
#[cfg(feature = "serde")]
pub use document::DocumentError;
pub use event::{Event, EventKind};
pub use issue::{Difference, Fault, Issue, IssueCode, IssueLevel, Target};
pub use outcome::{DefaultChange, Outcome, Scope};
pub use overlay::{before, overlay};
pub use refusal::Refusal;
pub use request::{
    Approval, Before, ChangeId, ChangeRequest, ChangeRequestId, Comment, CommentId, PlannedChange, State,
};
pub use schedule::{Schedule, ScheduleStatus};
pub use steps::{
    MOST_COMMENT_CHARACTERS, MOST_REVIEWERS, MOST_TITLE_CHARACTERS, Opening, Step, Transition,
    clamp_approvals, required_approvals,
};
