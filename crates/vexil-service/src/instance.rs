//! What tells an instance from all others, whatever its servers.

/// The name of the setting that holds its id, drawn at the first start.
pub const INSTANCE_ID: &str = "instance-id";
