//! What a flag is for a context, and what becomes of it.

use std::fmt;

use vexil_domain::{Context, EnvironmentSnapshot, Payload};
use vexil_engine::{Ambient, Choice, Engine, Evaluation, Explanation, FlagId, Verdict};

use crate::quoting::quoted;

/// One environment as it is, or as it would be.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Its live flags and the segments.
    pub snapshot: &'a EnvironmentSnapshot,
    /// The same, compiled.
    pub engine: &'a Engine,
}

/// What a flag is for one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// There is no such flag; applications take it as off unless they say otherwise.
    Absent,
    /// It is off.
    Off,
    /// Only an application that knows a custom activation strategy can tell; to all others it is off.
    Unknown,
    /// It is on, with this variant.
    On(Option<ChosenVariant>),
}

/// A variant as applications receive it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenVariant {
    /// Its name.
    pub name: String,
    /// Its data.
    pub payload: Option<Payload>,
}

/// Absent, off, unknown, on, or on with a variant, in words.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("not there"),
            Self::Off => f.write_str("off"),
            Self::Unknown => f.write_str("unknown"),
            Self::On(None) => f.write_str("on"),
            Self::On(Some(variant)) => write!(f, "on with variant {}", quoted(&variant.name)),
        }
    }
}

impl Outcome {
    /// What becomes of it, in words: `off -> on`. Where a variant only gets other data, these are told.
    #[must_use]
    pub fn change_to(&self, after: &Self) -> String {
        match (self, after) {
            (Self::On(Some(before)), Self::On(Some(after)))
                if before.name == after.name && before != after =>
            {
                let name = quoted(&after.name);
                let [before, after] = [before, after].map(ChosenVariant::data);
                format!("on with variant {name} of {before} -> on with variant {name} of {after}")
            }
            _ => format!("{self} -> {after}"),
        }
    }
}

impl ChosenVariant {
    fn data(&self) -> String {
        self.payload.as_ref().map_or_else(
            || "no data".to_owned(),
            |payload| format!("{} {}", quoted(&payload.kind), quoted(&payload.value)),
        )
    }
}

/// What becomes of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transition {
    /// Off or absent becomes on.
    TurnsOn,
    /// On becomes off or absent.
    TurnsOff,
    /// On stays on, with another variant or with other data.
    VariantChanges,
    /// It can no longer be told here.
    BecomesUnknown,
    /// It can be told here, and could not before.
    NoLongerUnknown,
    /// A flag that is off comes into being.
    Appears,
    /// A flag that was off is gone.
    Disappears,
    /// Nothing changes.
    Unchanged,
}

impl Transition {
    /// What becomes of `before` when it is `after`.
    #[must_use]
    pub fn of(before: &Outcome, after: &Outcome) -> Self {
        use Outcome::{Absent, Off, On, Unknown};
        match (before, after) {
            (before, after) if before == after => Self::Unchanged,
            (On(_), On(_)) => Self::VariantChanges,
            (_, Unknown) => Self::BecomesUnknown,
            (Unknown, _) => Self::NoLongerUnknown,
            (_, On(_)) => Self::TurnsOn,
            (On(_), _) => Self::TurnsOff,
            (Absent, _) => Self::Appears,
            (Off, _) => Self::Disappears,
        }
    }
}

/// How often each transition occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// [`Transition::TurnsOn`].
    pub turns_on: u128,
    /// [`Transition::TurnsOff`].
    pub turns_off: u128,
    /// [`Transition::VariantChanges`].
    pub variant_changes: u128,
    /// [`Transition::BecomesUnknown`].
    pub becomes_unknown: u128,
    /// [`Transition::NoLongerUnknown`].
    pub no_longer_unknown: u128,
    /// [`Transition::Appears`].
    pub appears: u128,
    /// [`Transition::Disappears`].
    pub disappears: u128,
    /// [`Transition::Unchanged`].
    pub unchanged: u128,
}

impl Counts {
    /// Counts `times` more of a transition. Stops at `u128::MAX`.
    pub fn add(&mut self, transition: Transition, times: u128) {
        let count = match transition {
            Transition::TurnsOn => &mut self.turns_on,
            Transition::TurnsOff => &mut self.turns_off,
            Transition::VariantChanges => &mut self.variant_changes,
            Transition::BecomesUnknown => &mut self.becomes_unknown,
            Transition::NoLongerUnknown => &mut self.no_longer_unknown,
            Transition::Appears => &mut self.appears,
            Transition::Disappears => &mut self.disappears,
            Transition::Unchanged => &mut self.unchanged,
        };
        *count = count.saturating_add(times);
    }

    /// Counts everything that `other` counts as well.
    pub fn add_all(&mut self, other: &Self) {
        self.add(Transition::TurnsOn, other.turns_on);
        self.add(Transition::TurnsOff, other.turns_off);
        self.add(Transition::VariantChanges, other.variant_changes);
        self.add(Transition::BecomesUnknown, other.becomes_unknown);
        self.add(Transition::NoLongerUnknown, other.no_longer_unknown);
        self.add(Transition::Appears, other.appears);
        self.add(Transition::Disappears, other.disappears);
        self.add(Transition::Unchanged, other.unchanged);
    }

    /// How many are not [`Transition::Unchanged`]. Stops at `u128::MAX`.
    #[must_use]
    pub fn changed(&self) -> u128 {
        [
            self.turns_on,
            self.turns_off,
            self.variant_changes,
            self.becomes_unknown,
            self.no_longer_unknown,
            self.appears,
            self.disappears,
        ]
        .into_iter()
        .fold(0, u128::saturating_add)
    }
}

/// Decides one flag on one side, again and again.
pub(crate) struct Judge<'a> {
    engine: &'a Engine,
    flag: Option<FlagId>,
    /// Whether it has an enabled strategy that cannot be evaluated here.
    uncertain: bool,
}

/// An outcome that borrows from the engine.
#[derive(Clone, Copy)]
pub(crate) enum Judged<'a> {
    Absent,
    Off,
    Unknown,
    On(Choice<'a>),
}

impl<'a> Judge<'a> {
    pub(crate) fn new(side: Side<'a>, flag_name: &str, ambient: &Ambient<'_>) -> Self {
        let there = side.snapshot.flags.contains_key(flag_name);
        let flag = there.then(|| side.engine.flag(flag_name)).flatten();
        let strategies = side.snapshot.flags.get(flag_name);
        let strategies = strategies.map_or(&[][..], |found| &found.settings.strategies);
        let nothing = Context::default();
        let is_open = |(place, strategy): (usize, &vexil_domain::ActivationStrategy)| {
            let rule = flag.and_then(|flag| side.engine.probe_rule(flag, place));
            !strategy.disabled && rule.is_some_and(|rule| rule.holds(&nothing, ambient).is_none())
        };
        let uncertain = strategies.iter().enumerate().any(is_open);
        Self {
            engine: side.engine,
            flag,
            uncertain,
        }
    }

    pub(crate) fn judge<'j>(&'j self, context: &'j Context, ambient: &'j Ambient<'j>) -> Judged<'j> {
        let Some(flag) = self.flag else {
            return Judged::Absent;
        };
        let choice = self.engine.variant_by(flag, context, ambient);
        if choice.feature_enabled {
            return Judged::On(choice);
        }
        let unknown = self.uncertain
            && self
                .engine
                .explain_by(flag, context, ambient)
                .is_some_and(|found| is_unknown(&found));
        if unknown { Judged::Unknown } else { Judged::Off }
    }
}

impl Judged<'_> {
    pub(crate) fn is(&self, outcome: &Outcome) -> bool {
        match (self, outcome) {
            (Self::Absent, Outcome::Absent)
            | (Self::Off, Outcome::Off)
            | (Self::Unknown, Outcome::Unknown) => true,
            (Self::On(choice), Outcome::On(None)) => !choice.enabled,
            (Self::On(choice), Outcome::On(Some(variant))) => {
                choice.enabled && choice.name == variant.name && choice.payload == variant.payload.as_ref()
            }
            _ => false,
        }
    }

    pub(crate) fn to_outcome(self) -> Outcome {
        match self {
            Self::Absent => Outcome::Absent,
            Self::Off => Outcome::Off,
            Self::Unknown => Outcome::Unknown,
            Self::On(choice) => Outcome::On(choice.enabled.then(|| ChosenVariant {
                name: choice.name.to_owned(),
                payload: choice.payload.cloned(),
            })),
        }
    }
}

/// Whether applications see no difference.
pub(crate) fn same(before: Judged<'_>, after: Judged<'_>) -> bool {
    match (before, after) {
        (Judged::On(before), Judged::On(after)) => {
            before.enabled == after.enabled && before.name == after.name && before.payload == after.payload
        }
        (Judged::Off, Judged::Off)
        | (Judged::Absent, Judged::Absent)
        | (Judged::Unknown, Judged::Unknown) => true,
        _ => false,
    }
}

/// What `flag` is on one side for a context.
#[must_use]
pub fn outcome(side: Side<'_>, flag: &str, context: &Context, ambient: &Ambient<'_>) -> Outcome {
    Judge::new(side, flag, ambient)
        .judge(context, ambient)
        .to_outcome()
}

/// Whether a flag that is off might be on in an application that knows its custom strategies.
fn is_unknown(explanation: &Explanation) -> bool {
    let open = |strategy: &vexil_engine::StrategyExplanation| {
        strategy.evaluation == Evaluation::Incomplete && strategy.verdict == Verdict::Unknown
    };
    !explanation.enabled
        && explanation.enabled_in_environment
        && !explanation.has_unsatisfied_dependency()
        && explanation.strategies.iter().any(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_that_differ_do_not_read_alike() {
        let data = |kind: &str, value: &str| {
            Some(Payload {
                kind: kind.to_owned(),
                value: value.to_owned(),
            })
        };
        let variant = |name: &str, payload| {
            let name = name.to_owned();
            Outcome::On(Some(ChosenVariant { name, payload }))
        };
        let all = [
            Outcome::Absent,
            Outcome::Off,
            Outcome::Unknown,
            Outcome::On(None),
            variant("a", None),
            variant("a", data("string", "1")),
            variant("a", data("number", "1")),
            variant("a", data("string", "2")),
            variant("b", data("string", "2")),
        ];
        for (before, after) in all
            .iter()
            .flat_map(|before| all.iter().map(move |after| (before, after)))
        {
            let told = before.change_to(after);
            let (was, is) = told.split_once(" -> ").unwrap();
            assert_eq!(was == is, before == after, "{told}");
        }
        assert_eq!(
            all[5].change_to(&all[7]),
            "on with variant a of string 1 -> on with variant a of string 2"
        );
    }
}
