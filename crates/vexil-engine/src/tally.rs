//! Counts what was answered.

use std::collections::BTreeMap;

use vexil_domain::FlagName;

use crate::lineage::Lineage;
use crate::{Choice, Engine, FlagId};

/// How many names that no flag has are counted one by one.
const MOST_UNKNOWN: usize = 1_000;

/// How often flags were on and off and which variants they gave, for a usage report.
///
/// Have one for each thread: counting then takes no lock and shares no memory, and after the first time it allocates
/// nothing. Add them up ([`Tally::add`]) when it is time to report. Counts are those of names, so they outlive an engine
/// that is replaced by another one; flags that do not exist are counted too, as a server wants to know of them.
///
/// ```
/// use vexil_engine::{Ambient, Context, Engine, EnvironmentFlag, OffsetDateTime, Tally};
///
/// let engine = Engine::compile(&[EnvironmentFlag::new("checkout", "default")].into_iter().collect()).0;
/// let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
/// let mut tally = Tally::default();
/// if let Some(flag) = engine.flag("checkout") {
///     tally.check(&engine, flag, engine.is_enabled_by(flag, &Context::default(), &ambient));
/// }
/// let is_on = engine.is_enabled("chekout", &Context::default(), &ambient);
/// tally.check_by_name(&engine, "chekout", is_on);
///
/// let counts = tally.take();
/// assert_eq!((counts["checkout"].yes, counts["checkout"].no), (1, 0));
/// assert_eq!((counts["chekout"].yes, counts["chekout"].no), (0, 1));
/// assert!(tally.take().is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// The engine that `by_flag` is about, and all that are updated from it.
    lineage: Option<Lineage>,
    by_flag: Vec<Slot>,
    /// What was counted in other engines, and names that no flag has.
    by_name: BTreeMap<FlagName, FlagTally>,
    left_out: u64,
}

#[derive(Debug, Clone, Default)]
struct Slot {
    name: Option<FlagName>,
    counts: FlagTally,
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
    /// Counts an answer of on or off that an engine gave.
    #[inline]
    pub fn check(&mut self, engine: &Engine, flag: FlagId, enabled: bool) {
        match self.counts(engine, flag) {
            Some(counts) => counts.answer(enabled),
            None => self.left_out += 1,
        }
    }

    /// Counts a variant that an engine gave, together with the answer of on or off that comes with it.
    #[inline]
    pub fn variant(&mut self, engine: &Engine, flag: FlagId, choice: &Choice<'_>) {
        match self.counts(engine, flag) {
            Some(counts) => counts.choice(choice),
            None => self.left_out += 1,
        }
    }

    /// Counts an answer of on or off by name, also where no flag has this name.
    pub fn check_by_name(&mut self, engine: &Engine, name: &str, enabled: bool) {
        match self.counts_by_name(engine, name) {
            Some(counts) => counts.answer(enabled),
            None => self.left_out += 1,
        }
    }

    /// Counts a variant by name, also where no flag has this name.
    pub fn variant_by_name(&mut self, engine: &Engine, name: &str, choice: &Choice<'_>) {
        match self.counts_by_name(engine, name) {
            Some(counts) => counts.choice(choice),
            None => self.left_out += 1,
        }
    }

    /// How many answers were left out: those for handles of other engines, whose flags nobody knows, and those for
    /// names that no flag has beyond the first thousand of them.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Adds the counts of another thread.
    pub fn add(&mut self, other: &Self) {
        for (name, counts) in other.all() {
            match self.by_name.get_mut(name) {
                Some(known) => known.add(counts),
                None => drop(self.by_name.insert(name.clone(), counts.clone())),
            }
        }
        self.left_out += other.left_out;
    }

    /// What was counted since the last time, by name. The memory is kept for what is counted next.
    pub fn take(&mut self) -> BTreeMap<FlagName, FlagTally> {
        let mut taken = std::mem::take(&mut self.by_name);
        for slot in &mut self.by_flag {
            if let Some(name) = slot.name.as_ref().filter(|_| !slot.counts.is_nothing()) {
                taken.entry(name.clone()).or_default().add(&slot.counts);
                slot.counts.clear();
            }
        }
        self.left_out = 0;
        taken
    }

    /// All that was counted; a name may come twice.
    fn all(&self) -> impl Iterator<Item = (&FlagName, &FlagTally)> {
        let slots = self.by_flag.iter();
        let slots = slots.filter_map(|slot| Some((slot.name.as_ref()?, &slot.counts)));
        slots
            .chain(&self.by_name)
            .filter(|(_, counts)| !counts.is_nothing())
    }

    #[inline]
    fn counts(&mut self, engine: &Engine, flag: FlagId) -> Option<&mut FlagTally> {
        let place = flag.number as usize;
        let is_known = self.lineage == Some(flag.lineage)
            && self.by_flag.get(place).is_some_and(|slot| slot.name.is_some());
        if !is_known {
            self.make_known(engine, flag)?;
        }
        self.by_flag.get_mut(place).map(|slot| &mut slot.counts)
    }

    /// Makes a place for a flag that was not counted yet, or not in this engine.
    #[cold]
    fn make_known(&mut self, engine: &Engine, flag: FlagId) -> Option<()> {
        let name = engine.counted_name(flag)?.clone();
        if self.lineage != Some(flag.lineage) {
            let counted = self.take_keeping_left_out();
            self.by_name = counted;
            self.by_flag.clear();
            self.lineage = Some(flag.lineage);
        }
        let place = flag.number as usize;
        if place >= self.by_flag.len() {
            self.by_flag.resize_with(place + 1, Slot::default);
        }
        self.by_flag.get_mut(place)?.name = Some(name);
        Some(())
    }

    fn take_keeping_left_out(&mut self) -> BTreeMap<FlagName, FlagTally> {
        let left_out = self.left_out;
        let counted = self.take();
        self.left_out = left_out;
        counted
    }

    fn counts_by_name(&mut self, engine: &Engine, name: &str) -> Option<&mut FlagTally> {
        if let Some(flag) = engine.flag(name) {
            return self.counts(engine, flag);
        }
        if !self.by_name.contains_key(name) {
            if self.by_name.len() >= MOST_UNKNOWN + self.by_flag.len() {
                return None;
            }
            self.by_name.insert(name.into(), FlagTally::default());
        }
        self.by_name.get_mut(name)
    }
}

impl FlagTally {
    #[inline]
    fn answer(&mut self, enabled: bool) {
        let counter = if enabled { &mut self.yes } else { &mut self.no };
        *counter += 1;
    }

    fn choice(&mut self, choice: &Choice<'_>) {
        self.answer(choice.feature_enabled);
        self.gave(choice.name, 1);
    }

    fn gave(&mut self, variant: &str, times: u64) {
        match self.variants.iter_mut().find(|(name, _)| **name == *variant) {
            Some((_, counter)) => *counter += times,
            None => self.variants.push((variant.into(), times)),
        }
    }

    fn is_nothing(&self) -> bool {
        self.yes == 0 && self.no == 0
    }

    fn add(&mut self, more: &Self) {
        self.yes += more.yes;
        self.no += more.no;
        for (name, times) in more.variants.iter().filter(|(_, times)| *times > 0) {
            self.gave(name, *times);
        }
    }

    /// Back to nothing, with the names of the variants kept.
    fn clear(&mut self) {
        (self.yes, self.no) = (0, 0);
        self.variants.iter_mut().for_each(|(_, times)| *times = 0);
    }
}
