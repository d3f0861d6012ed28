//! Counts what was answered.

use crate::{Choice, FlagId};

/// How often flags were on and off and which variants they gave, for a usage report.
///
/// Have one for each thread: counting then takes no lock and shares no memory. Add them up
/// ([`Tally::add`]) when it is time to report. Flags are known by their handles, which are those of one
/// engine and of all that are [`updated`](crate::Engine::updated) from it.
///
/// ```
/// # use vexil_domain::{Context, EnvironmentSnapshot};
/// # use vexil_engine::{Ambient, Engine, Tally};
/// # let engine = Engine::compile(&EnvironmentSnapshot::default()).0;
/// # let ambient = Ambient::new(time::OffsetDateTime::UNIX_EPOCH, 0);
/// let mut tally = Tally::default();
/// if let Some(flag) = engine.flag("checkout") {
///     tally.check(flag, engine.is_enabled_by(flag, &Context::default(), &ambient));
///     tally.variant(flag, &engine.variant_by(flag, &Context::default(), &ambient));
/// }
/// for (flag, counts) in tally.iter() {
///     println!("{:?}: {} yes, {} no", engine.name(flag), counts.yes, counts.no);
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    by_flag: Vec<FlagTally>,
}

/// The counts of one flag.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlagTally {
    /// How often it was on.
    pub yes: u64,
    /// How often it was off.
    pub no: u64,
    /// How often it gave each variant, in the order of the first time; `disabled` is counted like any other.
    pub variants: Vec<(Box<str>, u64)>,
}

impl Tally {
    /// Counts an answer of on or off.
    #[inline]
    pub fn check(&mut self, flag: FlagId, enabled: bool) {
        self.count(flag, |counts| counts.answer(enabled));
    }

    /// Counts a variant, together with the answer of on or off that comes with it.
    #[inline]
    pub fn variant(&mut self, flag: FlagId, choice: &Choice<'_>) {
        self.count(flag, |counts| {
            counts.answer(choice.feature_enabled);
            counts.gave(choice.name, 1);
        });
    }

    /// Adds the counts of another thread.
    pub fn add(&mut self, other: &Self) {
        for (flag, more) in other.iter() {
            self.count(flag, |counts| {
                counts.yes += more.yes;
                counts.no += more.no;
                for (name, times) in &more.variants {
                    counts.gave(name, *times);
                }
            });
        }
    }

    /// The flags that were asked for, with their counts, in the order of their handles.
    pub fn iter(&self) -> impl Iterator<Item = (FlagId, &FlagTally)> {
        let all = (0..).map(FlagId).zip(&self.by_flag);
        all.filter(|(_, counts)| counts.yes > 0 || counts.no > 0)
    }

    #[inline]
    fn count(&mut self, flag: FlagId, count: impl FnOnce(&mut FlagTally)) {
        let place = flag.0 as usize;
        if place >= self.by_flag.len() {
            self.by_flag.resize_with(place + 1, FlagTally::default);
        }
        if let Some(counts) = self.by_flag.get_mut(place) {
            count(counts);
        }
    }
}

impl FlagTally {
    #[inline]
    fn answer(&mut self, enabled: bool) {
        let counter = if enabled { &mut self.yes } else { &mut self.no };
        *counter += 1;
    }

    fn gave(&mut self, variant: &str, times: u64) {
        match self.variants.iter_mut().find(|(name, _)| **name == *variant) {
            Some((_, counter)) => *counter += times,
            None => self.variants.push((variant.into(), times)),
        }
    }
}
