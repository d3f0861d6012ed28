//! What the frontend API answers: every flag that is on for one context.

use std::sync::atomic::{AtomicU64, Ordering};

use time::OffsetDateTime;
use vexil_client_api::frontend::{Toggle, write_toggles};
use vexil_domain::{Context, ProjectId};
use vexil_engine::Ambient;
use vexil_store::ApiTokenId;

use crate::answer_counts::{AnswerCounts, Whose};
use crate::serving_state::ServedEnvironment;

/// Where evaluations are counted.
#[derive(Clone, Copy)]
pub(crate) struct Counting<'c> {
    /// How many there were.
    pub(crate) evaluations: &'c AtomicU64,
    /// What they came to, for whoever shows a token, where that is counted.
    pub(crate) answers: Option<(&'c AnswerCounts, ApiTokenId)>,
}

/// The application of those who do not name theirs.
const UNNAMED_APPLICATION: &str = "frontend-api";

/// About how long the text of a flag is, so that the answer is seldom moved while it is written.
const BYTES_PER_FLAG: usize = 128;

/// The flags of `projects` (of all, when empty) that are on for `context`, as JSON text.
///
/// The environment is that of the token, whatever the context says. Who has no session gets one
/// that lasts for this answer, so that a rollout by session is left to chance instead of being off: `seeds` gives
/// chance. What is decided is counted.
pub(crate) fn toggles(
    environment: &ServedEnvironment,
    projects: &[ProjectId],
    mut context: Context,
    now: OffsetDateTime,
    seeds: impl Fn() -> u64,
    counting: Counting<'_>,
) -> Vec<u8> {
    context.environment = Some(environment.name.to_string());
    context
        .app_name
        .get_or_insert_with(|| UNNAMED_APPLICATION.to_owned());
    context.session_id.get_or_insert_with(|| seeds().to_string());
    let ambient = Ambient::new(now, seeds());
    let prepared = environment.engine.prepare(&context, &ambient);
    let flags = environment
        .answers
        .flags_by_name(&environment.snapshot, &environment.engine);
    let visible = flags
        .iter()
        .filter(|(flag, _)| projects.is_empty() || projects.contains(&flag.project));
    let mut count = 0;
    let decided = visible.inspect(|_| count += 1).map(|(flag, id)| Toggle {
        name: &flag.name,
        impression_data: flag.impression_data,
        variant: prepared.variant_by(*id),
    });
    let mut out = Vec::with_capacity(BYTES_PER_FLAG * (1 + environment.snapshot.flags.len()));
    match counting.answers {
        None => write_toggles(decided, &mut out),
        Some((counts, token)) => {
            let decided: Vec<_> = decided.collect();
            write_toggles(decided.iter().copied(), &mut out);
            let whose = Whose {
                environment: environment.name.clone(),
                application: context.app_name.clone().unwrap_or_default(),
            };
            counts.add(whose, token, decided.iter().map(|flag| (flag.name, flag.variant)));
        }
    }
    counting.evaluations.fetch_add(count, Ordering::Relaxed);
    out
}
