//! Context fields that constraints can be about: those that every application knows.

use serde::Serialize;

use super::timestamp::Timestamp;

/// A context field.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextField {
    /// The name in contexts and constraints.
    pub name: &'static str,
    /// What it holds.
    pub description: &'static str,
    /// Whether it is offered as what decides the bucket of a user.
    pub stickiness: bool,
    /// The place in lists.
    pub sort_order: u8,
    /// The only values it can have; any when empty.
    pub legal_values: [(); 0],
    /// When it was created; never, since it was always there.
    pub created_at: Option<Timestamp>,
}

const fn field(
    name: &'static str,
    description: &'static str,
    stickiness: bool,
    sort_order: u8,
) -> ContextField {
    ContextField {
        name,
        description,
        stickiness,
        sort_order,
        legal_values: [],
        created_at: None,
    }
}

/// The context fields that every application knows, by name.
pub const BUILT_IN: [ContextField; 6] = [
    field("appName", "The application that asks", false, 2),
    field("currentTime", "The time of the question", false, 3),
    field("environment", "The environment the application runs in", false, 0),
    field("remoteAddress", "The IP address of the user", false, 5),
    field("sessionId", "The session of the user", true, 4),
    field("userId", "The user", true, 1),
];

/// A context field in a list, with how much it is used.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextFieldListItem {
    /// The field.
    #[serde(flatten)]
    pub field: ContextField,
    /// In how many projects a live flag has a constraint on it.
    pub used_in_projects: usize,
    /// How many live flags have a constraint on it.
    pub used_in_features: usize,
}
