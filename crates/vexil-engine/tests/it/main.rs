//! The engine as its users see it.

mod answers;
mod explanations;
mod laws;
mod reference;
mod support;
mod updates;
mod warnings;
mod yggdrasil;
