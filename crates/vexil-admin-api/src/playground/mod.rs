//! The playground: what is asked, and what is answered.

mod answer;
mod assignments;
mod compared;
mod context;
mod diff;
mod diff_question;
mod entry;
mod explanation;
mod part;
mod proof;
mod proof_answer;
mod question;
mod text;
mod warnings;

pub use answer::{AnswerWriter, PieceSink, SimpleAnswerWriter};
pub use assignments::{Assignment, assignment, read_assignments};
pub use compared::{ComparedFlags, ComparedSide, ProposedChanges, TwoSides};
pub use context::{PlaygroundContext, Reading, Values};
pub use diff::{DiffAnswer, outcome_document, transition_name};
pub use diff_question::{DiffQuestion, ExplainQuestion, MOST_USERS, SEED_BOUND};
pub use entry::{EntryWriter, ResultForm};
pub use explanation::explanation_document;
pub use part::Part;
pub use proof::{ProofQuestion, read_set, read_share};
pub use proof_answer::{ProofFrame, ProvenFlag};
pub use question::{AdvancedQuestion, ChangeRequestQuestion, Projects, SimpleQuestion};
pub use warnings::{ConflictWarning, ConstraintWarning, NotUnderstood, PlaygroundWarnings};
