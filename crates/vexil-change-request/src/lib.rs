//! What a change is, what it does to a snapshot, and how a change request moves from draft to applied.
//!
//! [`overlay`] is the only meaning of a change: a preview throws its result away, an apply and a
//! direct edit commit it. Nothing here reads a clock, draws lots or stores anything.
//!
//! ```
//! # use std::sync::Arc;
//! # use time::macros::datetime;
//! # use vexil_change_request::{Change, ChangeId, PlannedChange, Scope, UpdateEnabled, before, overlay};
//! # use vexil_domain::{Actor, ActorId, FeatureFlag, Project, ProjectEnvironment, Snapshot, Stickiness};
//! # let now = datetime!(2026-03-01 12:00 UTC);
//! # let project = Project {
//! #     id: "shop".into(),
//! #     name: "Shop".to_owned(),
//! #     description: None,
//! #     created_at: now,
//! #     default_stickiness: Stickiness::Default,
//! #     environments: [("production".into(), ProjectEnvironment::default())].into(),
//! #     left_environments: [].into(),
//! # };
//! # let mut live = Snapshot::default();
//! # live.projects.insert("shop".into(), Arc::new(project));
//! # live.flags.insert("checkout".into(), Arc::new(FeatureFlag::new("checkout", "shop", now)));
//! let scope = Scope {
//!     project: "shop".into(),
//!     environment: "production".into(),
//!     request: None,
//!     now,
//! };
//! let change = Change::UpdateEnabled(UpdateEnabled {
//!     enabled: true,
//!     activate_disabled: false,
//! });
//! let planned = PlannedChange {
//!     id: ChangeId(1),
//!     flag: Some("checkout".into()),
//!     before: before(&live, &scope, Some(&"checkout".into()), &change),
//!     change: change.into(),
//!     created_by: Actor { id: ActorId(1), name: "ada".to_owned() },
//!     created_at: now,
//! };
//! let outcome = overlay(&live, &scope, &[planned]);
//! assert_eq!(outcome.blocks().count(), 0);
//! let checkout = &outcome.proposed.flags["checkout"].environments["production"];
//! assert!(checkout.enabled);
//! // A flag that is on needs a way in: it got a strategy for everybody.
//! assert_eq!(checkout.strategies.len(), 1);
//! ```
//!
//! # Cargo features
//!
//! * `serde` (off by default): `Serialize` and `Deserialize`. A [`Change`] is Unleash's document
//!   `{"action": …, "payload": …}`; a whole [`ChangeRequest`] has the form in which it is stored.

mod approvals;
mod caller;
mod change;
mod checked;
mod conflict;
mod demand;
mod digest;
#[cfg(feature = "serde")]
mod document;
mod event;
mod outcome;
mod overlay;
mod problem;
mod reach;
mod request;
mod schedule;
mod step;
mod step_error;
mod steps;
pub mod validate;
mod weight;
mod weights;

pub use approvals::{clamp_approvals, required_approvals};
pub use caller::{Caller, Permissions};
pub use change::{Change, NewStrategy, SegmentUpdate, StrategyPlace, StrategyUpdate, UpdateEnabled};
pub use checked::CheckedChange;
pub use conflict::{ScheduleConflicts, schedule_conflicts};
pub use demand::{Demand, Effect};
pub use digest::{EffectDigest, SignedEffect, effect_digest};
#[cfg(feature = "serde")]
pub use document::DocumentError;
pub use event::{Event, EventKind, Retitled};
pub use outcome::{DefaultChange, Outcome, Scope};
pub use overlay::{before, overlay};
pub use problem::{ChangeProblem, Difference, ErrorKind, ProblemCode, ProblemLevel, Target};
pub use reach::{InProject, Reach, reach, rule_at};
pub use request::{
    Approval, Before, ChangeId, ChangeRequest, ChangeRequestId, Comment, CommentId, EarlierTitle,
    PlannedChange, Setback, State,
};
pub use schedule::{Schedule, ScheduleStatus};
pub use step::Step;
pub use step_error::{ChangedWords, StepError};
pub use steps::{
    MOST_CHANGES, MOST_COMMENT_CHARACTERS, MOST_EARLIER_TITLES, MOST_REQUEST_BYTES, MOST_REVIEWERS,
    MOST_TITLE_CHARACTERS, Opening, Transition,
};
