//! How a project does, in figures: what happened in it of late, and how long its flags take to production.

use serde::Serialize;

/// What happened in a project in the last thirty days, and in the thirty before.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectStats {
    /// How many days it took, on average, from the creation of a flag to its first time on in production, for flags that
    /// were created in the last thirty days.
    pub avg_time_to_prod_current_window: f64,
    /// Flags created.
    pub created_current_window: usize,
    /// Flags created before that.
    pub created_past_window: usize,
    /// Flags archived.
    pub archived_current_window: usize,
    /// Flags archived before that.
    pub archived_past_window: usize,
    /// What the audit log has of the project.
    pub project_activity_current_window: u64,
    /// What it has from before that.
    pub project_activity_past_window: u64,
    /// How often somebody got something in the project who had nothing of the kind.
    pub project_members_added_current_window: usize,
}

/// How long flags take to production.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeadTime {
    /// Every live flag that was on in production, by name.
    pub features: Vec<FlagLeadTime>,
    /// The average of them, in days.
    pub project_average: f64,
}

/// How long a flag took to production.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlagLeadTime {
    /// The flag.
    pub name: String,
    /// Days from its creation to its first time on in an environment of the type `production`.
    pub time_to_production: f64,
}

/// How many flags have outlived their purpose, with a rating in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rated {
    /// The rating, in percent.
    pub rating: u8,
    /// Live flags that are not stale, those that are potentially stale among them.
    pub active_count: usize,
    /// Live flags that are not stale, and older than flags of their type are expected to become.
    pub potentially_stale_count: usize,
    /// Live flags that are stale.
    pub stale_count: usize,
}
