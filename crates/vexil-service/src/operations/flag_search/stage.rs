//! How far a flag has come, told by where it was reported.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_admin_api::flag_document::Lifecycle;
use vexil_admin_api::flag_upkeep::status_of;
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, Snapshot};

/// When flags were last reported, by environment.
pub type LastSeen = BTreeMap<FlagName, BTreeMap<EnvironmentName, OffsetDateTime>>;

/// How far a flag has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Nobody has reported it.
    Initial,
    /// It was reported, but from no environment of the type `production`.
    PreLive,
    /// It was reported from an environment of the type `production`.
    Live,
    /// Somebody has said that it is done.
    Completed,
    /// It is archived.
    Archived,
}

/// The names of all stages.
pub const STAGES: [&str; 5] = ["initial", "pre-live", "live", "completed", "archived"];

impl Stage {
    /// The name under which it is asked for and sent.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Initial => "initial",
            Self::PreLive => "pre-live",
            Self::Live => "live",
            Self::Completed => "completed",
            Self::Archived => "archived",
        }
    }
}

/// How far a flag has come.
#[must_use]
pub fn stage_of(snapshot: &Snapshot, last_seen: &LastSeen, flag: &FeatureFlag) -> Stage {
    if flag.is_archived() {
        return Stage::Archived;
    }
    if flag.completed.is_some() {
        return Stage::Completed;
    }
    let Some(seen) = last_seen.get(&flag.name).filter(|seen| !seen.is_empty()) else {
        return Stage::Initial;
    };
    let is_live = seen.keys().any(|name| {
        let environment = snapshot.environments.get(name);
        environment.is_some_and(|environment| environment.kind == "production")
    });
    if is_live { Stage::Live } else { Stage::PreLive }
}

/// The same as a document, with since when at the latest.
#[must_use]
pub fn lifecycle_of(snapshot: &Snapshot, last_seen: &LastSeen, flag: &FeatureFlag) -> Lifecycle {
    let stage = stage_of(snapshot, last_seen, flag);
    let done = flag.completed.as_ref().filter(|_| stage == Stage::Completed);
    // nobody notes when a flag came to be reported; that it was created is all that is known
    let since = flag.archived_at.or(done.map(|it| it.at));
    let since = since.unwrap_or(flag.created_at);
    Lifecycle {
        stage: stage.name(),
        status: done.map(status_of),
        entered_stage_at: since.into(),
    }
}
