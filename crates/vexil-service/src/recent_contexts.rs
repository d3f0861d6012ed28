//! A sample of the contexts for which front ends and OpenFeature have asked lately, so that a change can be tried on those who
//! really come. Off unless the operator names fields; only those are kept, in memory alone, for an hour.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use time::{Duration, OffsetDateTime};
use vexil_domain::{Context, EnvironmentName};

use crate::clock::is_recent;

/// So many contexts are kept of each environment, the latest.
const MOST: usize = 2_000;
/// A value of more bytes is left out.
const LONGEST: usize = 100;
/// A context is kept for so long.
const KEPT: Duration = Duration::HOUR;

/// The contexts of the last hour.
#[derive(Default)]
pub struct RecentContexts {
    /// The fields that are kept of each.
    fields: Vec<String>,
    noted: Mutex<BTreeMap<EnvironmentName, VecDeque<Noted>>>,
}

opaque!(RecentContexts);

struct Noted {
    at: OffsetDateTime,
    /// The values of the fields, in their order.
    values: Box<[Option<Box<str>>]>,
}

impl RecentContexts {
    /// Keeps these fields of each context; nothing, where there are none.
    pub(crate) fn of(fields: &[String]) -> Self {
        let fields = fields.iter().map(|field| field.trim().to_owned());
        Self {
            fields: fields.filter(|field| !field.is_empty()).collect(),
            noted: Mutex::default(),
        }
    }

    /// Whether anything is kept.
    pub fn is_on(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Notes a context that somebody asked for.
    pub fn note(&self, environment: &EnvironmentName, context: &Context, now: OffsetDateTime) {
        if !self.is_on() {
            return;
        }
        let value = |field: &String| {
            let value = context.get(field).filter(|value| value.len() <= LONGEST);
            value.map(Box::from)
        };
        let noted = Noted {
            at: now,
            values: self.fields.iter().map(value).collect(),
        };
        let mut all = self.noted();
        let of_environment = match all.get_mut(environment) {
            Some(known) => known,
            None => all.entry(environment.clone()).or_default(),
        };
        if of_environment.len() == MOST {
            of_environment.pop_front();
        }
        of_environment.push_back(noted);
    }

    /// Forgets those that were noted an hour ago or earlier.
    pub(crate) fn forget(&self, now: OffsetDateTime) {
        self.noted().retain(|_, noted| {
            noted.retain(|one| is_recent(one.at, now, KEPT));
            !noted.is_empty()
        });
    }

    /// The contexts of the last hour, the first one first.
    pub fn of_last_hour(&self, environment: &str, now: OffsetDateTime) -> Vec<Context> {
        self.forget(now);
        let all = self.noted();
        let Some(noted) = all.get(environment) else {
            return Vec::new();
        };
        let context = |one: &Noted| {
            let mut context = Context::default();
            for (field, value) in self.fields.iter().zip(&one.values) {
                if let Some(value) = value {
                    context.set(field, value.to_string());
                }
            }
            context
        };
        noted.iter().map(context).collect()
    }

    fn noted(&self) -> MutexGuard<'_, BTreeMap<EnvironmentName, VecDeque<Noted>>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    fn names(recent: &RecentContexts, now: OffsetDateTime) -> Vec<Option<String>> {
        recent
            .of_last_hour("e", now)
            .into_iter()
            .map(|it| it.user_id)
            .collect()
    }

    #[test]
    fn only_the_fields_that_were_named_are_kept() {
        let recent = RecentContexts::of(&["plan".to_owned(), " userId ".to_owned(), String::new()]);
        let context = Context::default()
            .with("userId", "x".repeat(101))
            .with("plan", "pro")
            .with("email", "a@b");
        recent.note(&"e".into(), &context, NOW);
        assert_eq!(
            recent.of_last_hour("e", NOW),
            [Context::default().with("plan", "pro")]
        );
        assert_eq!(recent.of_last_hour("other", NOW), []);
    }

    #[test]
    fn nothing_is_kept_unless_fields_are_named() {
        let recent = RecentContexts::default();
        recent.note(&"e".into(), &Context::default().with("userId", "u"), NOW);
        assert!(recent.of_last_hour("e", NOW).is_empty() && !recent.is_on());
    }

    #[test]
    fn the_latest_of_the_last_hour_are_kept() {
        let recent = RecentContexts::of(&["userId".to_owned()]);
        for number in 0..2_500_i64 {
            let context = Context::default().with("userId", number.to_string());
            recent.note(&"e".into(), &context, NOW + Duration::seconds(number));
        }
        let kept = names(&recent, NOW + Duration::seconds(2_499));
        assert_eq!((kept.len(), kept[0].as_deref()), (2_000, Some("500")));
        let kept = names(&recent, NOW + Duration::seconds(3_600 + 1_999));
        assert_eq!((kept.len(), kept[0].as_deref()), (500, Some("2000")));
        // one that was noted before the clock was set back is not kept for longer
        recent.forget(NOW - Duration::seconds(3_600 - 2_450));
        assert_eq!(recent.noted()[&EnvironmentName::from("e")].len(), 450);
        recent.forget(NOW + Duration::seconds(3_600 + 2_500));
        assert!(recent.noted().is_empty());
    }
}
