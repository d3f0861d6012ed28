//! What an answer of the playground warns of.

use serde::Serialize;
use vexil_change_request::Outcome;

/// What is to be warned of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaygroundWarnings {
    /// The context fields that were left out, since their values are of the wrong type.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invalid_context_properties: Vec<String>,
    /// The changes that overwrite a newer edit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub change_request_conflicts: Vec<ConflictWarning>,
}

/// A change that overwrites a newer edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConflictWarning {
    /// The change.
    pub change_id: i64,
    /// What is the matter, for machines.
    pub code: &'static str,
    /// What is the matter, for people.
    pub message: String,
}

impl PlaygroundWarnings {
    /// Of context fields that were left out.
    #[must_use]
    pub fn of_context(invalid: Vec<String>) -> Self {
        Self {
            invalid_context_properties: invalid,
            ..Self::default()
        }
    }

    /// Of context fields that were left out, and of what was found while changes were laid over the configuration.
    #[must_use]
    pub fn of_changes(invalid: Vec<String>, outcome: &Outcome) -> Self {
        let conflicts = outcome.stale().map(|problem| ConflictWarning {
            change_id: problem.change.0,
            code: problem.code.name(),
            message: problem.message.clone(),
        });
        Self {
            invalid_context_properties: invalid,
            change_request_conflicts: conflicts.collect(),
        }
    }

    /// Whether there is nothing to warn of.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.invalid_context_properties.is_empty() && self.change_request_conflicts.is_empty()
    }
}
