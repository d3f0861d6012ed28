//! What the program does besides serving.

mod change_arguments;
mod contexts;
mod error;
mod guards;
mod lint;
mod markdown;
mod output;
mod preview;
mod preview_expect;
mod preview_remote;
mod preview_state;
mod preview_table;
mod prove;
mod prove_golden;
mod prove_text;
mod source;
mod warnings;

pub use lint::{LintArguments, run as run_lint};
pub use preview::{PreviewArguments, run as run_preview};
pub use prove::{CompareArguments, ProveArguments, run as run_prove, run_compare};
