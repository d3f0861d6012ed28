//! Schedules: when a change request will be applied by itself.

use time::OffsetDateTime;
use vexil_domain::Actor;

/// When a change request will be applied, and in whose name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Schedule {
    /// When.
    #[cfg_attr(feature = "serde", serde(with = "time::serde::rfc3339"))]
    pub scheduled_at: OffsetDateTime,
    /// Who set it; the changes are applied in this name.
    pub scheduled_by: Actor,
    /// Whether it will happen.
    pub status: ScheduleStatus,
}

/// Whether a scheduled change request will be applied at its time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "status", rename_all = "lowercase")
)]
pub enum ScheduleStatus {
    /// It will.
    Pending,
    /// It was tried, and could not be.
    Failed {
        /// Why, in a sentence.
        reason: String,
    },
    /// It will not, unless somebody schedules it again.
    Suspended {
        /// Why, in a sentence.
        reason: String,
    },
}

impl ScheduleStatus {
    /// `pending`, `failed` or `suspended`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Failed { .. } => "failed",
            Self::Suspended { .. } => "suspended",
        }
    }

    /// Why it failed or was suspended.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Pending => None,
            Self::Failed { reason } | Self::Suspended { reason } => Some(reason),
        }
    }
}

impl Schedule {
    /// Whether the changes should be applied now: pending, and the time has come.
    #[must_use]
    pub fn is_due(&self, now: OffsetDateTime) -> bool {
        self.status == ScheduleStatus::Pending && self.scheduled_at <= now
    }
}
