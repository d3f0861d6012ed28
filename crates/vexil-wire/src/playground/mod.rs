//! The playground: what is asked, and what is answered.

mod context;
mod entry;
mod question;

pub use context::{PlaygroundContext, Reading};
pub use entry::{EntryWriter, ResultForm};
pub use question::{AdvancedQuestion, ChangeRequestQuestion, Projects, SimpleQuestion};
