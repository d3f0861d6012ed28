//! What an answer of the playground warns of.

use serde::Serialize;
use vexil_change_request::Outcome;
use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, SegmentId};
use vexil_engine::{ConditionPlace, ConstraintProblem};

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
    /// The constraints that could not be understood.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable_constraints: Vec<ConstraintWarning>,
    /// What could not be understood of sides that are compared. It is closed there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_understood: Vec<NotUnderstood>,
}

/// Something that the engine could not understand. It is off, alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotUnderstood {
    /// On which sides of a comparison: `before`, `after`; empty where nothing is compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<&'static str>,
    /// Where, for people; strategies and constraints are counted from zero.
    pub place: String,
    /// What is the matter, for people.
    pub message: String,
}

/// A constraint that could not be understood: it lets nobody in, inverted or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConstraintWarning {
    /// The environment.
    pub environment: String,
    /// The flag.
    pub feature_name: String,
    /// The strategy that it keeps from letting anybody in.
    pub strategy_id: String,
    /// The segment that it is a part of, if it is not the strategy's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment_id: Option<SegmentId>,
    /// The context field that it compares.
    pub context_name: String,
    /// What is the matter, for people.
    pub message: String,
}

impl ConstraintWarning {
    /// Of a flag in an environment, whose snapshot it is.
    #[must_use]
    pub fn new(
        environment: &str,
        flag: &EnvironmentFlag,
        snapshot: &EnvironmentSnapshot,
        place: ConditionPlace,
        problem: &ConstraintProblem,
    ) -> Option<Self> {
        let (strategy, segment, constraint) = match place {
            ConditionPlace::Constraint { strategy, constraint } => (strategy, None, constraint),
            ConditionPlace::SegmentConstraint {
                strategy,
                segment,
                constraint,
            } => (strategy, Some(segment), constraint),
            ConditionPlace::Segment { .. } => return None,
        };
        let strategy = flag.settings.strategies.get(strategy)?;
        let segment_id = segment.and_then(|place| strategy.segments.get(place).copied());
        let constraints = match segment_id {
            Some(id) => &snapshot.segments.get(&id)?.constraints,
            None => &strategy.constraints,
        };
        Some(Self {
            environment: environment.to_owned(),
            feature_name: flag.name.to_string(),
            strategy_id: strategy.id.to_string(),
            segment_id,
            context_name: constraints.get(constraint)?.context_name.clone(),
            message: format!("{problem}, so {}", problem.consequence()),
        })
    }
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
            ..Self::default()
        }
    }

    /// Whether there is nothing to warn of.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.invalid_context_properties.is_empty()
            && self.change_request_conflicts.is_empty()
            && self.unreadable_constraints.is_empty()
            && self.not_understood.is_empty()
    }
}
