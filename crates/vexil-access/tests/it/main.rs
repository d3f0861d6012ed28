//! What users of the crate can see.

mod assigning;
mod laws;
mod modes;
mod names;
mod roles;
