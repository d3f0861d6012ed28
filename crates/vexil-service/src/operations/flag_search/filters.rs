//! What something must be to be found.

use std::collections::BTreeSet;

use time::{Date, OffsetDateTime};
use vexil_domain::{EnvironmentName, FeatureFlag, Snapshot};

/// Values of which something must be, or must not be, one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneOf {
    /// The values.
    pub values: Vec<String>,
    /// Whether they are unwanted.
    pub negated: bool,
}

impl OneOf {
    pub(super) fn fits(&self, value: &str) -> bool {
        self.fits_any(&[value])
    }

    /// The same of something that is several at once.
    pub(super) fn fits_any(&self, held: &[&str]) -> bool {
        let is_held = |wanted: &String| held.contains(&wanted.as_str());
        self.values.iter().any(is_held) != self.negated
    }
}

/// Values that a list must hold, or must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listed {
    /// Any one of these.
    Any(Vec<String>),
    /// All of these.
    All(Vec<String>),
    /// None of these.
    None(Vec<String>),
    /// Not all of these.
    NotAll(Vec<String>),
}

impl Listed {
    pub(super) fn fits(&self, held: &BTreeSet<&str>) -> bool {
        let holds = |value: &String| held.contains(value.as_str());
        match self {
            Self::Any(values) => values.iter().any(holds),
            Self::All(values) => values.iter().all(holds),
            Self::None(values) => !values.iter().any(holds),
            Self::NotAll(values) => !values.iter().all(holds),
        }
    }
}

/// On which side of the midnight that begins a day, in UTC, an instant must be. Never is on neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Day {
    /// Before it.
    Before(Date),
    /// At it or later.
    OnOrAfter(Date),
}

impl Day {
    pub(super) fn holds(&self, at: Option<OffsetDateTime>) -> bool {
        match self {
            Self::Before(day) => at.is_some_and(|at| at < day.midnight().assume_utc()),
            Self::OnOrAfter(day) => at.is_some_and(|at| day.midnight().assume_utc() <= at),
        }
    }
}

/// How a flag must be switched in an environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// The environment.
    pub environment: EnvironmentName,
    /// Whether it must be on.
    pub enabled: bool,
}

impl Switch {
    /// A flag is in the environments that its project uses, and off there until it is turned on.
    pub(super) fn fits(&self, snapshot: &Snapshot, flag: &FeatureFlag) -> bool {
        let project = snapshot.projects.get(&flag.project);
        let is_there = project.is_some_and(|it| it.environments.contains_key(&self.environment));
        let settings = flag.environments.get(&self.environment);
        is_there && settings.is_some_and(|settings| settings.enabled) == self.enabled
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn lists_are_asked_for_any_all_none_and_not_all() {
        let values = || vec!["a".to_owned(), "b".to_owned()];
        let table = [
            (Listed::Any(values()), [true, true, false]),
            (Listed::All(values()), [true, false, false]),
            (Listed::None(values()), [false, false, true]),
            (Listed::NotAll(values()), [false, true, true]),
        ];
        for (filter, expected) in table {
            let held = [
                BTreeSet::from(["a", "b"]),
                BTreeSet::from(["a", "c"]),
                BTreeSet::new(),
            ];
            assert_eq!(held.map(|it| filter.fits(&it)), expected, "{filter:?}");
        }
    }

    #[test]
    fn a_day_begins_at_midnight_in_utc() {
        let day = date!(2026 - 11 - 28);
        let just_before = datetime!(2026-11-28 01:00 +02:00);
        let midnight = datetime!(2026-11-28 0:00 UTC);
        let before = Day::Before(day);
        let after = Day::OnOrAfter(day);
        for (at, is_before) in [(just_before, true), (midnight, false)] {
            assert_eq!(
                (before.holds(Some(at)), after.holds(Some(at))),
                (is_before, !is_before),
                "{at}"
            );
        }
        assert!(!before.holds(None) && !after.holds(None));
    }
}
