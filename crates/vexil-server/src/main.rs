//! The feature-flag server.
fn main() {}
