//! What the program does besides serving.

mod preview;
mod preview_expect;
mod preview_remote;
mod preview_state;
mod preview_table;

pub use preview::{PreviewArguments, run as run_preview};
