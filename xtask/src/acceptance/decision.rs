//! What an SDK decided.

use serde_json::Value;

/// What an SDK decided for one flag in one context, asked once for the flag and once for its variant; or, where it knows
/// one value of a flag only, asked for that.
#[derive(Debug)]
pub(super) struct Decision {
    pub(super) flag: String,
    /// The index of the context in the scenario.
    pub(super) context: usize,
    pub(super) enabled: bool,
    pub(super) variant: Value,
    /// The value and the name of its variant, where the SDK knows these only.
    pub(super) value: Option<(Value, Value)>,
}
