//! What front ends and OpenFeature ask: flags for one context. There is one evaluation for both.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use time::OffsetDateTime;
use vexil_client_api::frontend::{Toggle, write_all_toggles, write_toggle, write_toggles};
use vexil_client_api::ofrep::{EventStream, Outcome, needs_user, reason, write_outcome, write_outcomes};
use vexil_domain::{Context, EnvironmentFlag, FlagName, ProjectId};
use vexil_engine::{Ambient, FlagId, Prepared, Verdicts};
use vexil_store::{ApiToken, ApiTokenId};

use crate::answer_counts::{AnswerCounts, Whose};
use crate::app::App;
use crate::served_environment::ServedEnvironment;

/// Where evaluations are counted.
#[derive(Clone, Copy)]
pub struct Counting<'c> {
    /// How many there were.
    pub(crate) evaluations: &'c AtomicU64,
    /// What they came to, for whoever shows a token, where that is counted.
    pub(crate) answers: Option<(&'c AnswerCounts, ApiTokenId)>,
}

opaque!(Counting<'_>);

impl<'c> Counting<'c> {
    /// What is decided for whoever shows `token` counts.
    #[must_use]
    pub fn of(app: &'c App, token: &ApiToken) -> Self {
        Self {
            evaluations: &app.numbers().evaluations,
            answers: app.answer_counts().map(|counts| (counts, token.id)),
        }
    }
}

/// The application of those who do not name theirs.
const UNNAMED_APPLICATION: &str = "frontend-api";

/// About how long the text of a flag is, so that the answer is seldom moved while it is written.
const BYTES_PER_FLAG: usize = 128;

/// Somebody for whom flags are asked.
pub struct Visit<'a> {
    environment: &'a ServedEnvironment,
    projects: &'a [ProjectId],
    context: Context,
    ambient: Ambient<'static>,
    counting: Counting<'a>,
}

opaque!(Visit<'_>);

impl<'a> Visit<'a> {
    /// Asks about the flags of `projects`; of all, when empty.
    ///
    /// The environment is that of the token, whatever the context says. Who has no session gets one that lasts for this
    /// answer, so that a rollout by session is left to chance instead of being off: `seeds` gives chance. What is decided
    /// is counted.
    pub fn new(
        environment: &'a ServedEnvironment,
        projects: &'a [ProjectId],
        mut context: Context,
        now: OffsetDateTime,
        seeds: impl Fn() -> u64,
        counting: Counting<'a>,
    ) -> Self {
        context.environment = Some(environment.name.to_string());
        context
            .app_name
            .get_or_insert_with(|| UNNAMED_APPLICATION.to_owned());
        context.session_id.get_or_insert_with(|| seeds().to_string());
        Self {
            environment,
            projects,
            context,
            ambient: Ambient::new(now, seeds()),
            counting,
        }
    }

    /// Counts what is decided of `flags`.
    fn count<'f>(&self, prepared: &Prepared<'_>, flags: impl Iterator<Item = (&'f FlagName, FlagId)>) {
        let mut count = 0;
        let flags = flags.inspect(|_| count += 1);
        match self.counting.answers {
            None => flags.for_each(drop),
            Some((counts, token)) => {
                let whose = Whose {
                    environment: self.environment.name.clone(),
                    application: self.context.app_name.clone().unwrap_or_default(),
                };
                let decided = flags.map(|(name, id)| (name, prepared.variant_by(id)));
                counts.add(whose, token, decided);
            }
        }
        self.counting.evaluations.fetch_add(count, Ordering::Relaxed);
    }

    fn prepared(&self) -> Prepared<'_> {
        self.environment.engine().prepare(&self.context, &self.ambient)
    }

    fn may_see(&self, flag: &EnvironmentFlag) -> bool {
        self.projects.is_empty() || self.projects.contains(&flag.project)
    }

    /// The flags by name, each with the engine's handle of it.
    fn flags(&self) -> impl Iterator<Item = &(Arc<EnvironmentFlag>, FlagId)> {
        let environment = self.environment;
        let flags = environment
            .answers
            .flags_by_name(&environment.snapshot, environment.engine());
        flags.iter().filter(|(flag, _)| self.may_see(flag))
    }

    fn flag(&self, name: &str) -> Option<(&Arc<EnvironmentFlag>, FlagId)> {
        let flag = self.environment.snapshot.flags.get(name)?;
        let id = self.environment.engine().flag(name)?;
        self.may_see(flag).then_some((flag, id))
    }

    fn room(&self) -> Vec<u8> {
        Vec::with_capacity(BYTES_PER_FLAG * (1 + self.environment.snapshot.flags.len()))
    }
}

/// The flags that are on, as JSON text.
#[must_use]
pub fn toggles(visit: &Visit<'_>) -> Vec<u8> {
    let prepared = visit.prepared();
    visit.count(&prepared, visit.flags().map(|(flag, id)| (&flag.name, *id)));
    let mut out = visit.room();
    write_toggles(
        visit.flags().map(|(flag, id)| decided(&prepared, flag, *id)),
        &mut out,
    );
    out
}

/// All flags, on or off, as JSON text.
#[must_use]
pub fn all_toggles(visit: &Visit<'_>) -> Vec<u8> {
    let prepared = visit.prepared();
    visit.count(&prepared, visit.flags().map(|(flag, id)| (&flag.name, *id)));
    let mut out = visit.room();
    write_all_toggles(
        visit.flags().map(|(flag, id)| decided(&prepared, flag, *id)),
        &mut out,
    );
    out
}

/// One flag, on or off, as JSON text; `None` where there is no such flag to see.
#[must_use]
pub fn toggle(visit: &Visit<'_>, name: &str) -> Option<Vec<u8>> {
    let (flag, id) = visit.flag(name)?;
    let prepared = visit.prepared();
    visit.count(&prepared, std::iter::once((&flag.name, id)));
    let mut out = Vec::new();
    write_toggle(&decided(&prepared, flag, id), &mut out);
    Some(out)
}

fn decided<'a>(prepared: &Prepared<'a>, flag: &'a EnvironmentFlag, id: FlagId) -> Toggle<'a> {
    Toggle {
        name: &flag.name,
        impression_data: flag.impression_data,
        variant: prepared.variant_by(id),
    }
}

/// All flags, as OpenFeature asks for them, as JSON text.
#[must_use]
pub fn outcomes(visit: &Visit<'_>, streams: &[EventStream<'_>]) -> Vec<u8> {
    let prepared = visit.prepared();
    visit.count(&prepared, visit.flags().map(|(flag, id)| (&flag.name, *id)));
    let mut verdicts = Verdicts::default();
    let mut out = visit.room();
    let decided = visit.flags().map(|(flag, id)| {
        let outcome = outcome(visit, &prepared, (flag, *id), &mut verdicts);
        (&flag.name, outcome)
    });
    write_outcomes(decided, streams, &mut out);
    out
}

/// One flag, as OpenFeature asks for it, as JSON text; `None` where there is no such flag to see.
#[must_use]
pub fn one_outcome(visit: &Visit<'_>, name: &str) -> Option<OneOutcome> {
    let (flag, id) = visit.flag(name)?;
    let prepared = visit.prepared();
    visit.count(&prepared, std::iter::once((&flag.name, id)));
    let outcome = outcome(visit, &prepared, (flag, id), &mut Verdicts::default());
    let mut text = Vec::new();
    write_outcome(&flag.name, outcome, &mut text);
    Some(match outcome {
        Outcome::Decided(..) => OneOutcome::Decided(text),
        Outcome::TargetingKeyMissing => OneOutcome::TargetingKeyMissing,
    })
}

/// What became of one flag.
pub enum OneOutcome {
    /// It was decided: as JSON text.
    Decided(Vec<u8>),
    /// It is for users, and the context names none.
    TargetingKeyMissing,
}

opaque!(OneOutcome);

fn outcome<'a>(
    visit: &Visit<'_>,
    prepared: &Prepared<'a>,
    (flag, id): (&EnvironmentFlag, FlagId),
    verdicts: &mut Verdicts,
) -> Outcome<'a> {
    prepared.verdicts_by(id, verdicts);
    let is_anonymous = visit.context.get("userId").is_none();
    let is_off_for_it = verdicts.enabled_in_environment && !verdicts.enabled;
    if is_anonymous && is_off_for_it && needs_user(flag, &visit.environment.snapshot) {
        return Outcome::TargetingKeyMissing;
    }
    Outcome::Decided(prepared.variant_by(id), reason(flag, verdicts))
}
