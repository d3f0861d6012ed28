//! Witnesses: one context for each box, asked of the engine on both sides before it is shown.

mod chance;
pub(super) mod custom;
mod search;
mod shown;
mod texts;
mod wanted;

use std::cell::RefCell;
use std::rc::Rc;

use time::OffsetDateTime;
use vexil_budget::Exhausted;
use vexil_domain::FlagName;

use super::atoms::{Atom, Atoms, Part};
use super::boxes::AtomBox;
use super::fast::FastMap;
use super::probe::{ChanceProber, Sample};
use super::rules::Dimension;
use super::walk::Walk;
use super::wanted::Wanted;
use crate::outcome::Judge;
use crate::{Comparison, Outcome, Side};
pub use shown::{CustomAnswer, Witness};

/// The seed of the hashes of variants.
const VARIANT_SEED: u32 = 86_028_157;
/// The name of a host that no list names.
const ANOTHER_HOST: &str = "another-host";
/// So many of them before such as are worked out.
const FEW_SEEDS: u64 = 500;
/// So many seeds are tried to find one with certain draws.
const MOST_SEEDS: u64 = 200_000;
/// So many of them are put to the engine.
const MOST_CONFIRMED: u32 = 200;

/// Looks for witnesses of one flag.
pub(crate) struct Finder<'f, 'w, 'r, const N: usize> {
    pub(crate) comparison: &'f Comparison<'f>,
    pub(crate) flag: &'f FlagName,
    pub(crate) walk: &'f Walk<'w, 'r, N>,
    /// The flag on both sides.
    pub(crate) judges: &'f [Judge<'f>; 2],
    /// Fields that must have one of these values, or must have none of them.
    pub(crate) fields: &'f [Wanted<'f>],
    pub(crate) inside: bool,
    /// Texts that were found for atoms of a field and cells of its hashes.
    pub(crate) texts: RefCell<Found>,
}

/// What was found for the atoms of a field, by its level, and for the cells of its hashes.
pub(crate) type Found = FastMap<(usize, AtomBox), Option<Sample>>;

impl<const N: usize> Finder<'_, '_, '_, N> {
    /// A context in the box that the engine says changes as it should; `None` where none is found.
    pub(crate) fn find(
        &self,
        place: &AtomBox,
        before: &Outcome,
        after: &Outcome,
    ) -> Result<Option<Witness>, Exhausted> {
        let dimensions = &self.walk.asked.rules.dimensions;
        let mut witness = Witness::default();
        witness.context.reserve(place.len());
        for (level, chosen) in place {
            let Some(known) = self.walk.levels.get(*level).and_then(Option::as_ref) else {
                continue;
            };
            match dimensions.get(known.dimension) {
                Some(Dimension::Field(field)) => {
                    let cells = self.cells(place, field);
                    match self.text_of((*level, chosen), field, &known.atoms, &cells)? {
                        Some(Sample::Text(text)) => witness.context.push((field.clone(), text)),
                        Some(Sample::Unset) => {}
                        Some(Sample::UnsetAt(now)) => {
                            witness.now = OffsetDateTime::from_unix_timestamp_nanos(now).ok();
                        }
                        None => return Ok(None),
                    }
                }
                Some(Dimension::Host) => witness.host_name = Some(host(&known.atoms, chosen)),
                Some(Dimension::Custom { name, parameters }) => {
                    let says = pick(&known.atoms, chosen).is_some_and(|atom| atom.holds == [true]);
                    witness.strategies.push(CustomAnswer {
                        name: name.clone(),
                        parameters: parameters.clone(),
                        says,
                    });
                }
                _ => {}
            }
        }
        witness.context.extend(self.open(place));
        witness.context.sort_unstable();
        if self.confirmed(&mut witness, place, before, after)? {
            return Ok(Some(witness));
        }
        if witness.host_name.is_some() || !dimensions.contains(&Dimension::Host) {
            return Ok(None);
        }
        // whatever its name, the host must have one where a strategy asks for it
        witness.host_name = Some(ANOTHER_HOST.to_owned());
        let is_one = self.confirmed(&mut witness, place, before, after)?;
        Ok(is_one.then_some(witness))
    }

    /// The atoms of the box for each hash of a field.
    fn cells<'b>(&self, place: &'b AtomBox, field: &str) -> Vec<(usize, &'b Rc<[u32]>)> {
        let hashes = place.iter().filter(|(level, _)| {
            let dimension = self.walk.order.get(*level);
            let dimension = dimension.and_then(|number| self.walk.asked.rules.dimensions.get(*number));
            matches!(dimension, Some(Dimension::Hash { field: hashed, .. }) if hashed == field)
        });
        hashes.map(|(level, atoms)| (*level, atoms)).collect()
    }

    /// Whether the engine says on both sides of the witness what it should; chance is tried.
    fn confirmed(
        &self,
        witness: &mut Witness,
        place: &AtomBox,
        before: &Outcome,
        after: &Outcome,
    ) -> Result<bool, Exhausted> {
        let answered = self.answered(&witness.strategies);
        let answering = answered.as_ref().map(|sides| {
            sides.each_ref().map(|(snapshot, engine)| {
                let side = Side { snapshot, engine };
                Judge::new(side, self.flag.as_str(), &self.comparison.ambient)
            })
        });
        let judges = answering.as_ref().unwrap_or(self.judges);
        let dimensions = &self.walk.asked.rules.dimensions;
        let by_chance = dimensions.iter().any(|it| matches!(it, Dimension::Chance { .. }));
        let context = witness.to_context();
        let most = if by_chance { MOST_SEEDS } else { 1 };
        let draws = self.draws(place);
        let solved = if draws.is_empty() {
            Vec::new()
        } else {
            self.seeds(place)
        };
        let mut left = MOST_CONFIRMED;
        for seed in std::iter::once(self.comparison.ambient.seed)
            .chain(1..most.min(FEW_SEEDS))
            .chain(solved)
            .chain(FEW_SEEDS..most)
        {
            if seed % 16 == 0 {
                self.walk.asked.budget.spend(1)?;
            }
            let falls = |(asker, cells): &(&ChanceProber, Vec<&Atom>)| {
                cells.iter().any(|cell| asker.says(seed, &cell.holds))
            };
            if !draws.iter().all(falls) {
                continue;
            }
            self.walk.asked.budget.spend(4)?;
            // where nothing of the region is drawn, any seed does
            witness.seed = (!draws.is_empty() || seed != self.comparison.ambient.seed).then_some(seed);
            let ambient = witness.ambient(&self.comparison.ambient);
            let [was, is] = judges;
            if was.judge(&context, &ambient).is(before) && is.judge(&context, &ambient).is(after) {
                return Ok(true);
            }
            left -= 1;
            if left == 0 {
                break;
            }
        }
        Ok(false)
    }
}

fn pick<'a>(atoms: &'a Atoms<'_>, chosen: &[u32]) -> Option<&'a Atom> {
    atoms.list.get(*chosen.first()? as usize)
}

/// The name of a host in one of these atoms.
fn host(atoms: &Atoms<'_>, chosen: &[u32]) -> String {
    let parts = chosen.iter().filter_map(|atom| atoms.list.get(*atom as usize));
    let mut names = parts.flat_map(|atom| &atom.parts).map(|(part, _)| part);
    match names.next() {
        Some(Part::Host(Some(name))) => name.clone(),
        _ => ANOTHER_HOST.to_owned(),
    }
}
