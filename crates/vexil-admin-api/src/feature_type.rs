//! What flags can be for, and how long such flags are expected to live.

use serde::Serialize;
use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems};

/// What a flag can be for, with how long such flags usually live.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FeatureType {
    /// The name in documents.
    pub id: &'static str,
    /// The name shown to people.
    pub name: &'static str,
    /// What such a flag is for.
    pub description: &'static str,
    /// How many days such a flag is expected to live; `None` for ever.
    pub lifetime_days: Option<u32>,
}

/// How many days flags of a type are expected to live, as it is sent: `{"lifetimeDays": …}`, with `null` or 0 for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifetimeForm {
    /// The id of the type, where it is said; it cannot be changed.
    pub id: Option<String>,
    /// So many; `None` for ever.
    pub days: Option<u32>,
}

/// The members of a type in the documents that it is shown in.
const FEATURE_TYPE: &[&str] = &["id", "name", "description", "lifetimeDays"];

impl LifetimeForm {
    /// Reads a lifetime.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        let sent = node.object_of(&mut problems, FEATURE_TYPE);
        let days = sent.and_then(|_| match node.get("lifetimeDays") {
            days if days.value() == Some(&Value::Null) => Some(0),
            days => days.integer(&mut problems, 0, i32::MAX.into()),
        });
        let days = days.and_then(|days| u32::try_from(days).ok());
        let id = node.get("id").optional_text(&mut problems);
        problems.finish(days.map(|days| Self {
            id,
            days: (days > 0).then_some(days),
        }))
    }
}

/// Everything that flags can be for, with the lifetimes that count until others are set.
pub const ALL: [FeatureType; 6] = [
    FeatureType {
        id: "release",
        name: "Release",
        description: "Brings out something new step by step.",
        lifetime_days: Some(40),
    },
    FeatureType {
        id: "experiment",
        name: "Experiment",
        description: "Compares variants with each other.",
        lifetime_days: Some(40),
    },
    FeatureType {
        id: "operational",
        name: "Operational",
        description: "Moves from one technical solution to another with little risk.",
        lifetime_days: Some(7),
    },
    FeatureType {
        id: "kill-switch",
        name: "Kill switch",
        description: "Turns something off at once when it has to be.",
        lifetime_days: None,
    },
    FeatureType {
        id: "permission",
        name: "Permission",
        description: "Decides who may use something by role or entitlement.",
        lifetime_days: None,
    },
    FeatureType {
        id: "sunset",
        name: "Sunset",
        description: "Takes something old away step by step.",
        lifetime_days: Some(90),
    },
];
