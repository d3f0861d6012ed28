//! What flags can be for.

use serde::Serialize;

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
    pub lifetime_days: Option<u16>,
}

/// Everything that flags can be for.
pub const ALL: [FeatureType; 6] = [
    FeatureType {
        id: "release",
        name: "Release",
        description: "Brings out something new step by step. Expected to live about 40 days.",
        lifetime_days: Some(40),
    },
    FeatureType {
        id: "experiment",
        name: "Experiment",
        description: "Compares variants with each other. Expected to live about 40 days.",
        lifetime_days: Some(40),
    },
    FeatureType {
        id: "operational",
        name: "Operational",
        description: "Moves from one technical solution to another with little risk. Expected to live about 7 days.",
        lifetime_days: Some(7),
    },
    FeatureType {
        id: "kill-switch",
        name: "Kill switch",
        description: "Turns something off at once when it has to be. Stays for good.",
        lifetime_days: None,
    },
    FeatureType {
        id: "permission",
        name: "Permission",
        description: "Decides who may use something by role or entitlement. Stays for good.",
        lifetime_days: None,
    },
    FeatureType {
        id: "sunset",
        name: "Sunset",
        description: "Takes something old away step by step. Expected to live about 90 days.",
        lifetime_days: Some(90),
    },
];
