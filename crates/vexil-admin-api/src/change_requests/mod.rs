//! Change requests: what is asked of them, and what is answered.

mod changes;
mod command;
mod document;
mod payload;
mod person;
mod proposal;
mod query;
mod summary;

pub use changes::{
    ChangeDocument, ChangeRequestReference, DefaultChangeDocument, EffectConflictDocument, EffectConflicts,
    FeatureChanges, Findings, ScheduleConflicts, SegmentChange,
};
pub use command::{RuleCommand, StateCommand, read_comment, read_reviewers, read_title};
pub use document::{ApprovalDocument, ChangeRequestDocument, CommentDocument, ScheduleDocument};
pub use person::PersonDocument;
pub use proposal::Proposal;
pub use query::{ScheduledQuery, SearchQuery};
pub use summary::{
    ActionableDocument, CountDocument, ReviewerDocument, ReviewersDocument, RuleDocument, ScheduledDocument,
    SearchDocument, SearchItem,
};

#[cfg(test)]
mod tests;
