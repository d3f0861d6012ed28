//! What front-end endpoints decide, counted as if SDKs had reported it, where that is switched on. It waits in memory
//! for some seconds before it is stored, so a crash loses what was counted in these.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use time::OffsetDateTime;
use vexil_client_api::usage::OTHER;
use vexil_domain::{EnvironmentName, FlagName};
use vexil_engine::Choice;
use vexil_metrics::{Count, Counts, Report};
use vexil_store::ApiTokenId;

/// How many applications are told apart while they wait.
const APPLICATIONS: usize = 1_000;

/// What was counted and is not stored yet.
#[derive(Debug, Default)]
pub(crate) struct AnswerCounts(Mutex<BTreeMap<Whose, Counted>>);

/// Whom it was counted for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Whose {
    /// The environment.
    pub(crate) environment: EnvironmentName,
    /// The application.
    pub(crate) application: String,
}

/// The counts, by flag.
#[derive(Debug)]
pub(crate) struct Counted {
    /// A token that was shown.
    pub(crate) token: ApiTokenId,
    flags: HashMap<FlagName, Counts>,
}

impl AnswerCounts {
    /// Counts what was decided for one context.
    pub(crate) fn add<'a>(
        &self,
        mut whose: Whose,
        token: ApiTokenId,
        decided: impl Iterator<Item = (&'a FlagName, Choice<'a>)>,
    ) {
        let mut waiting = self.waiting();
        if waiting.len() >= APPLICATIONS && !waiting.contains_key(&whose) {
            OTHER.clone_into(&mut whose.application);
        }
        let one = Count::new(1);
        let counted = waiting.entry(whose).or_insert_with(|| Counted::of(token));
        for (flag, choice) in decided {
            if !counted.flags.contains_key(flag) {
                counted.flags.insert(flag.clone(), Counts::default());
            }
            let Some(counts) = counted.flags.get_mut(flag) else {
                continue;
            };
            if choice.feature_enabled {
                counts.yes = counts.yes.plus(one);
            } else {
                counts.no = counts.no.plus(one);
            }
            if choice.enabled {
                counts.add_variant(choice.name, one);
            }
        }
    }

    /// Takes what was counted.
    pub(crate) fn take(&self) -> BTreeMap<Whose, Counted> {
        std::mem::take(&mut self.waiting())
    }

    /// Puts back what could not be stored.
    pub(crate) fn put_back(&self, whose: Whose, counted: Counted) {
        let mut waiting = self.waiting();
        let known = waiting.entry(whose).or_insert_with(|| Counted::of(counted.token));
        for (flag, counts) in counted.flags {
            known.flags.entry(flag).or_default().add(&counts);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<Whose, Counted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counted {
    fn of(token: ApiTokenId) -> Self {
        Self {
            token,
            flags: HashMap::new(),
        }
    }

    /// The counts as a report of this moment.
    pub(crate) fn report(&self, whose: &Whose, now: OffsetDateTime) -> Report {
        let mut report = Report::new(whose.application.as_str(), whose.environment.clone(), now, now);
        for (flag, counts) in &self.flags {
            report.add(flag.as_str(), counts);
        }
        report
    }
}
