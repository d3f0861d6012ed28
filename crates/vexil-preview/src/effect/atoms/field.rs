//! The atoms of a context field.

use std::borrow::Cow;
use std::collections::BTreeSet;

use regex_syntax::hir::Hir;
use vexil_budget::{Budget, Exhausted};
use vexil_domain::Constraint;
use vexil_values::{Comparison, Network, read};

use super::{Asked, Atoms, Gathered, Part, samples};
use crate::effect::addresses::{Block, blocks};
use crate::effect::ordered::{self, Interval, Key, Order};
use crate::effect::patterns::{self, Single};
use crate::effect::probe::{HashProber, Prober, Sample};
use crate::effect::rules::{Dimension, Test};
use crate::effect::texts::{Needles, Skeleton, skeletons};
use crate::effect::undecided::{Reason, Undecided};

/// A block of so many addresses at most is taken apart where addresses are hashed.
const FEW_ADDRESSES: u128 = 256;

/// What the tests of a field compare it with.
#[derive(Default)]
pub(crate) struct Compared<'a> {
    /// Single texts.
    pub(super) listed: BTreeSet<Cow<'a, str>>,
    pub(super) needles: Needles,
    /// The values at which constraints begin or cease to hold, by order.
    pub(super) cuts: [Vec<Key>; 3],
    pub(super) networks: Vec<Network>,
    /// Whether any network, readable or not, is asked for.
    pub(super) addresses: bool,
    /// The tests for texts, by their place among the tests of the field.
    pub(super) for_texts: Vec<ForTexts<'a>>,
    /// How many tests there are.
    count: usize,
}

/// A test for texts.
pub(super) struct ForTexts<'a> {
    /// Its place among the tests of the field.
    pub(super) place: usize,
    pub(super) constraint: &'a Constraint,
    /// The expression that is matched, where it looks for more than single texts.
    pub(super) pattern: Option<Hir>,
}

impl<'a> Compared<'a> {
    fn add(&mut self, test: &Test<'a>) {
        match test {
            Test::Users(list) => self.list(list.split(',').map(str::trim)),
            Test::Listed(values) => self.list(values.iter().map(String::as_str)),
            Test::Addresses(list) => self.networks(list.split(',')),
            Test::Constraint(constraint) => self.add_constraint(constraint),
            Test::Hosts(_) | Test::Set(_) | Test::Remainder(_) | Test::Says => {}
        }
        self.count += 1;
    }

    fn add_constraint(&mut self, constraint: &'a Constraint) {
        // what cannot be read holds for nobody
        let Some(comparison) = read(constraint, drop) else {
            return;
        };
        if let Some((order, cuts)) = ordered::cuts(&comparison)
            && let Some(known) = self.cuts.get_mut(order as usize)
        {
            known.extend(cuts);
        }
        match comparison {
            Comparison::OneOf(entries) | Comparison::NoneOf(entries) => self.list(entries),
            Comparison::Text {
                place,
                ignore_case,
                needles,
            } => {
                self.needles.add(place, ignore_case, needles);
                self.test_for_texts(constraint, None);
            }
            Comparison::Pattern(pattern) => match patterns::single(pattern.hir()) {
                Some(Single::Whole(texts)) => self.listed.extend(texts.into_iter().map(Cow::Owned)),
                Some(Single::Part(place, texts)) => {
                    self.needles.add(place, false, texts.iter().map(String::as_str));
                    self.test_for_texts(constraint, None);
                }
                None => self.test_for_texts(constraint, Some(pattern.hir().clone())),
            },
            Comparison::Within(networks) => {
                self.addresses = true;
                self.networks.extend(networks);
            }
            _ => {}
        }
    }

    fn test_for_texts(&mut self, constraint: &'a Constraint, pattern: Option<Hir>) {
        self.for_texts.push(ForTexts {
            place: self.count,
            constraint,
            pattern,
        });
    }

    fn list(&mut self, texts: impl Iterator<Item = &'a str>) {
        let texts = texts.filter(|text| !text.is_empty());
        self.listed.extend(texts.map(Cow::Borrowed));
    }

    fn networks<'t>(&mut self, entries: impl Iterator<Item = &'t str>) {
        self.addresses = true;
        self.networks
            .extend(entries.filter_map(|entry| Network::parse(entry.trim())));
    }

    fn finish(&mut self) {
        for cuts in &mut self.cuts {
            cuts.sort_by(Key::compare);
            cuts.dedup_by(|one, other| one.compare(other).is_eq());
        }
    }

    /// The intervals of all orders that are compared in.
    pub(super) fn intervals(&self) -> Vec<Interval> {
        let orders = [Order::Numbers, Order::Moments, Order::Versions];
        let asked = orders.into_iter().zip(&self.cuts);
        let asked = asked.filter(|(_, cuts)| !cuts.is_empty());
        asked
            .flat_map(|(order, cuts)| ordered::intervals(order, cuts))
            .collect()
    }

    /// Whether patterns are matched, or something is looked for that could occur in a text that is
    /// compared in an order.
    fn is_mixed(&self) -> bool {
        if self.for_texts.iter().any(|test| test.pattern.is_some()) {
            return true;
        }
        let numbers =
            |letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter) || letter.is_whitespace();
        let moments = |letter: char| letter.is_ascii_digit() || "+-.:TtZz ".contains(letter);
        let versions = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
        let addresses = |letter: char| letter.is_ascii_hexdigit() || ".:".contains(letter);
        let letters: [fn(char) -> bool; 4] = [numbers, moments, versions, addresses];
        let orders = self.cuts.iter().map(|cuts| !cuts.is_empty());
        let asked = orders.chain([self.addresses]).zip(letters);
        let mut asked = asked.filter(|(asked, _)| *asked);
        asked.any(|(_, letters)| self.needles.all().any(|needle| needle.chars().all(letters)))
    }

    /// Of each test, whether it is one for texts, and then whether it is turned round.
    fn inverted(&self) -> Vec<Option<bool>> {
        let mut inverted = vec![None; self.count];
        for test in &self.for_texts {
            if let Some(known) = inverted.get_mut(test.place) {
                *known = Some(test.constraint.is_inverted());
            }
        }
        inverted
    }
}

/// Gathers samples of one field.
pub(crate) struct Gatherer<'a, 'r> {
    pub(super) prober: Prober<'r>,
    /// Who asks the hashes of the field, with the numbers of their dimensions and of their tests.
    hashes: Vec<(usize, HashProber, Vec<usize>)>,
    listed: &'a BTreeSet<Cow<'a, str>>,
    pub(super) gathered: Gathered,
    pub(super) undecided: Vec<Undecided>,
    pub(super) budget: &'a Budget,
    /// How the tests answer for combinations for which no text was found.
    possible: Vec<Vec<bool>>,
}

impl Gatherer<'_, '_> {
    pub(super) fn ask(&mut self, sample: &Sample) -> Result<Vec<bool>, Exhausted> {
        self.prober.ask(sample, self.budget)
    }

    pub(super) fn add(&mut self, part: Part, sample: Sample) -> Result<(), Exhausted> {
        let holds = self.ask(&sample)?;
        self.gathered.add(holds, None, part, sample);
        Ok(())
    }

    /// Adds one text that is an atom of its own where its field is hashed.
    pub(super) fn single(&mut self, text: &str) -> Result<(), Exhausted> {
        let holds = self.prober.ask_text(text, self.budget)?;
        self.pinned(holds, text.to_owned())
    }

    fn pinned(&mut self, holds: Vec<bool>, text: String) -> Result<(), Exhausted> {
        let count = self.hashes.iter().map(|(_, _, literals)| literals.len()).sum();
        let mut pinned = Vec::with_capacity(count);
        for (_, prober, literals) in &self.hashes {
            self.budget.spend(1)?;
            prober.ask_into(&text, literals, &mut pinned);
        }
        let pinned = (!self.hashes.is_empty()).then_some(pinned);
        let sample = Sample::Text(text.clone());
        self.gathered.add(holds, pinned, Part::Listed(text), sample);
        Ok(())
    }

    /// Adds texts in pieces by one of them, or by another that reads better.
    pub(super) fn add_skeleton(
        &mut self,
        skeleton: Skeleton,
        text: String,
        holds: Vec<bool>,
        field: &str,
    ) -> Result<(), Exhausted> {
        let mut sample = text;
        for plain in skeleton.plain(field) {
            let same = !self.is_listed(&plain) && self.prober.ask_text(&plain, self.budget)? == holds;
            if same {
                sample = plain;
                break;
            }
        }
        self.gathered
            .add(holds, None, Part::Texts(skeleton), Sample::Text(sample));
        Ok(())
    }

    /// Adds a text as one of many that do not read better.
    pub(super) fn add_matching(&mut self, part: Part, text: &str) -> Result<Vec<bool>, Exhausted> {
        let sample = Sample::Text(text.to_owned());
        let holds = self.ask(&sample)?;
        self.gathered.add_one_of(holds.clone(), part, sample);
        Ok(holds)
    }

    /// Remembers a combination for which no text was found.
    pub(super) fn possible(&mut self, holds: Vec<bool>) {
        self.possible.push(holds);
    }

    /// The first of some texts that is not listed.
    pub(super) fn free(&self, mut texts: impl Iterator<Item = String>) -> Option<String> {
        texts.find(|text| !self.is_listed(text))
    }

    /// Whether a hash of the field counts.
    pub(super) fn is_hashed(&self) -> bool {
        !self.hashes.is_empty()
    }

    /// Whether the addresses of a block are atoms of their own.
    pub(super) fn takes_apart(&self, block: &Block) -> bool {
        self.is_hashed() && !block.is_v6 && block.count() <= FEW_ADDRESSES
    }

    pub(super) fn is_listed(&self, text: &str) -> bool {
        self.listed.contains(text)
    }

    /// Adds an interval by one of its texts.
    pub(super) fn interval(&mut self, interval: Interval) -> Result<(), Exhausted> {
        let Some(text) = self.free(interval.texts()) else {
            return Ok(());
        };
        self.add(Part::Between(interval), Sample::Text(text))
    }

    /// Adds the addresses of a block. `alike` says that no test tells them apart.
    pub(super) fn block(&mut self, block: Block, alike: bool) -> Result<(), Exhausted> {
        if self.takes_apart(&block) {
            let mut known = None;
            for text in block.texts() {
                if self.is_listed(&text) {
                    continue;
                }
                let holds = match known.take().filter(|_| alike) {
                    Some(holds) => holds,
                    None => self.prober.ask_text(&text, self.budget)?,
                };
                known = Some(holds.clone());
                self.pinned(holds, text)?;
            }
            return Ok(());
        }
        self.budget.spend(self.listed.len() as u64 / 64)?;
        if let Some(text) = self.free(block.texts()) {
            self.add(Part::Within(block), Sample::Text(text))?;
        }
        Ok(())
    }
}

impl<'r> Asked<'_, 'r> {
    pub(super) fn of_field(&self, dimension: usize, field: &str) -> Result<Atoms<'r>, Exhausted> {
        let mut compared = Compared::default();
        let literals = self.rules.by_dimension.get(dimension).into_iter().flatten();
        for literal in literals.filter_map(|number| self.rules.literals.get(*number)) {
            self.budget.spend(1)?;
            compared.add(&literal.test);
        }
        compared.finish();
        compared.list(self.fixed.texts_of(field));
        let mut gatherer = Gatherer {
            prober: Prober::of_field(self.rules, dimension, field),
            hashes: self.hashes(field),
            listed: &compared.listed,
            gathered: Gathered::default(),
            undecided: Vec::new(),
            budget: self.budget,
            possible: Vec::new(),
        };
        self.unset(field, &compared, &mut gatherer)?;
        for text in &compared.listed {
            gatherer.single(text)?;
        }
        self.texts(field, &compared, &mut gatherer)?;
        for holds in std::mem::take(&mut gatherer.possible) {
            gatherer.gathered.add_possible(holds);
        }
        let hashes = gatherer.hashes.into_iter();
        Ok(Atoms {
            hashes: hashes.map(|(number, prober, _)| (number, prober)).collect(),
            prober: Some(gatherer.prober),
            undecided: gatherer.undecided,
            ..gatherer.gathered.finish()
        })
    }

    fn hashes(&self, field: &str) -> Vec<(usize, HashProber, Vec<usize>)> {
        let dimensions = self.rules.dimensions.iter().enumerate();
        let hashed = dimensions.filter(
            |(_, dimension)| matches!(dimension, Dimension::Hash { field: hashed, .. } if hashed == field),
        );
        let probers = hashed.filter_map(|(number, _)| {
            let prober = HashProber::new(self.rules, number)?;
            Some((number, prober, self.rules.by_dimension.get(number)?.clone()))
        });
        probers.collect()
    }

    /// Without a value; where the present stands in for it, once for each interval it may be in.
    fn unset(
        &self,
        field: &str,
        compared: &Compared<'_>,
        gatherer: &mut Gatherer<'_, '_>,
    ) -> Result<(), Exhausted> {
        let [_, cuts, _] = &compared.cuts;
        if field != "currentTime" || cuts.is_empty() {
            return gatherer.add(Part::Unset, Sample::Unset);
        }
        if let Some(now) = self.fixed.now {
            return gatherer.add(Part::Unset, Sample::UnsetAt(now.unix_timestamp_nanos()));
        }
        for interval in ordered::intervals(Order::Moments, cuts) {
            if let Some(now) = interval.present() {
                gatherer.add(Part::Now(interval), Sample::UnsetAt(now))?;
            }
        }
        Ok(())
    }

    /// Texts that are not listed.
    fn texts(
        &self,
        field: &str,
        compared: &Compared<'_>,
        gatherer: &mut Gatherer<'_, '_>,
    ) -> Result<(), Exhausted> {
        let spelled = compared.needles.spelled();
        let spelled = match spelled {
            Some(spelled) if !compared.is_mixed() => spelled,
            spelled => return samples(self, field, compared, spelled.as_ref(), gatherer),
        };
        for interval in compared.intervals() {
            gatherer.interval(interval)?;
        }
        if compared.addresses {
            let alike = compared.for_texts.is_empty() && compared.cuts.iter().all(Vec::is_empty);
            for block in blocks(&compared.networks) {
                gatherer.block(block, alike)?;
            }
        }
        let inverted = compared.inverted();
        let Some(all) = skeletons(&spelled, &gatherer.prober, &inverted, self.budget)? else {
            let reason = Reason::TooManyTexts {
                field: field.to_owned(),
            };
            gatherer.undecided.push(Undecided::new(self.flag, reason));
            return Ok(());
        };
        for skeleton in all {
            let Some(text) = gatherer.free((0..).map(|number| skeleton.text(number))) else {
                continue;
            };
            let holds = gatherer.prober.ask_text(&text, self.budget)?;
            gatherer.add_skeleton(skeleton, text, holds, field)?;
        }
        Ok(())
    }
}
