//! Witnesses: one context for each box, asked of the engine on both sides before it is shown.

mod chance;
pub(super) mod custom;
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
use super::probe::{ChanceProber, HashProber, Sample};
use super::rules::{Dimension, Purpose};
use super::walk::Walk;
use super::wanted::Wanted;
use crate::outcome::Judge;
use crate::{Comparison, Outcome, Share, Side};
pub use shown::{CustomAnswer, Witness};
use texts::{Members, NarrowCell, Search, width};

/// The seed of the hashes of variants.
const VARIANT_SEED: u32 = 86_028_157;
/// The name of a host that no list names.
const ANOTHER_HOST: &str = "another-host";
/// So many of them before such as are worked out.
const FEW_SEEDS: u64 = 500;
/// After so many texts it is asked whether numbered ones can do.
const FEW_TRIED: u32 = 12;
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

/// A hash, with what its tests say in each of the cells that a text must fall into.
type Cells<'b> = Vec<(&'b HashProber, Vec<&'b [bool]>)>;

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

    /// A text of one of these atoms whose hashes are as they should be, looked for once.
    fn text_of(
        &self,
        (level, chosen): (usize, &Rc<[u32]>),
        field: &str,
        atoms: &Atoms<'_>,
        cells: &[(usize, &Rc<[u32]>)],
    ) -> Result<Option<Sample>, Exhausted> {
        if cells.is_empty() {
            return Ok(self.sample(field, atoms, chosen).cloned());
        }
        let own = [(level, chosen)];
        let all = cells.iter().chain(&own);
        let key = (
            level,
            all.map(|(level, atoms)| (*level, Rc::clone(atoms)))
                .collect::<AtomBox>(),
        );
        if let Some(found) = self.texts.borrow().get(&key) {
            return Ok(found.clone());
        }
        let found = self.text(field, atoms, chosen, cells)?;
        self.texts.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    fn text(
        &self,
        field: &str,
        atoms: &Atoms<'_>,
        chosen: &[u32],
        cells: &[(usize, &Rc<[u32]>)],
    ) -> Result<Option<Sample>, Exhausted> {
        let mut list: Vec<&Atom> = chosen
            .iter()
            .filter_map(|atom| atoms.list.get(*atom as usize))
            .collect();
        list.sort_by_key(|atom| atom.is_unset());
        let fits = |sample: &&Sample| self.fits(field, sample);
        if list.iter().any(|atom| atom.pinned.is_some()) {
            let pinned = list.iter().filter(|atom| atom.pinned.is_some());
            let mut samples = pinned.flat_map(|atom| &atom.parts).map(|(_, sample)| sample);
            return Ok(samples.find(fits).cloned());
        }
        let Some(hashes) = self.hashes(atoms, cells) else {
            return Ok(None);
        };
        let search = self.search(cells);
        let is_wanted = |text: &str, atom: &Atom| {
            if !hashes.iter().all(|(asker, cells)| asker.says_any(text, cells)) {
                return Ok(false);
            }
            // a text that is an atom of its own is in no other, whatever else its tests answer
            let is_own = atoms.list.iter().any(|other| other.is_pinned_to(text));
            Ok(!is_own && self.fits_text(field, text) && self.is_in(text, atom, atoms)?)
        };
        for atom in &list {
            if let Some(found) = self.tried(field, (atom, atoms), search.tries(), &is_wanted)? {
                return Ok(Some(found));
            }
        }
        let spend = |work| self.walk.asked.budget.spend(work);
        for atom in &list {
            for frame in search.frames(atom, 1) {
                if let Some(found) = search.solve(&frame, spend, |text| is_wanted(text, atom))? {
                    return Ok(Some(Sample::Text(found)));
                }
            }
        }
        let Some(most) = search.more_tries() else {
            for atom in &list {
                for frame in search.frames(atom, 2) {
                    if let Some(found) = search.solve_two(&frame, spend, |text| is_wanted(text, atom))? {
                        return Ok(Some(Sample::Text(found)));
                    }
                }
            }
            return Ok(None);
        };
        for atom in &list {
            if let Some(found) = self.tried(field, (atom, atoms), most, &is_wanted)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The first of some texts of an atom that is wanted.
    fn tried(
        &self,
        field: &str,
        (atom, atoms): (&Atom, &Atoms<'_>),
        most: usize,
        is_wanted: &impl Fn(&str, &Atom) -> Result<bool, Exhausted>,
    ) -> Result<Option<Sample>, Exhausted> {
        let mut members = Members::new(field, atom, most);
        let mut buffer = String::new();
        let mut tried = 0_u32;
        self.walk.asked.budget.spend(1)?;
        while members.next(&mut buffer) {
            tried += 1;
            if tried.is_multiple_of(8) {
                self.walk.asked.budget.spend(1)?;
            }
            if tried == FEW_TRIED && !self.numbered_are_in(field, atom, atoms)? {
                members.without_numbered();
            }
            if is_wanted(&buffer, atom)? {
                return Ok(Some(Sample::Text(buffer)));
            }
        }
        Ok(None)
    }

    /// Whether any of a few numbered texts is of an atom: where others are looked for that begin alike, none may be.
    fn numbered_are_in(&self, field: &str, atom: &Atom, atoms: &Atoms<'_>) -> Result<bool, Exhausted> {
        let mut text = String::new();
        for (part, _) in &atom.parts {
            let Part::Texts(skeleton) = part else { continue };
            for number in 1..10 {
                text.clear();
                skeleton.write_numbered(&mut text, field, number);
                if self.is_in(&text, atom, atoms)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The hashes of a field, each with the cells that are wanted.
    fn hashes<'b>(&'b self, atoms: &'b Atoms<'_>, cells: &[(usize, &Rc<[u32]>)]) -> Option<Cells<'b>> {
        let hash = |(level, chosen): &(usize, &Rc<[u32]>)| {
            let known = self.walk.levels.get(*level)?.as_ref()?;
            let (_, asker) = atoms
                .hashes
                .iter()
                .find(|(number, _)| *number == known.dimension)?;
            let cells = chosen
                .iter()
                .filter_map(|atom| known.atoms.list.get(*atom as usize));
            Some((asker, cells.map(|cell| cell.holds.as_slice()).collect()))
        };
        cells.iter().map(hash).collect()
    }

    /// How a text is looked for whose hashes are all as wanted.
    fn search(&self, cells: &[(usize, &Rc<[u32]>)]) -> Search {
        let mut share = 1.0;
        let mut narrow: Vec<NarrowCell> = Vec::new();
        for (level, chosen) in cells {
            let Some(known) = self.walk.levels.get(*level).and_then(Option::as_ref) else {
                continue;
            };
            let Some(Dimension::Hash { group, purpose, .. }) =
                self.walk.asked.rules.dimensions.get(known.dimension)
            else {
                continue;
            };
            let atoms = chosen
                .iter()
                .filter_map(|atom| known.atoms.list.get(*atom as usize));
            let parts = atoms.clone().flat_map(|atom| &atom.parts);
            let ranges = parts.filter_map(|(part, _)| match part {
                Part::Remainders(ranges) => ranges.iter().copied().min_by_key(width),
                _ => None,
            });
            share *= atoms
                .filter_map(|atom| atom.share)
                .map(Share::as_f64)
                .sum::<f64>();
            let Some(range) = ranges.max_by_key(width) else {
                continue;
            };
            narrow.push(NarrowCell {
                group: group.clone(),
                seed: match purpose {
                    Purpose::Rollout => 0,
                    Purpose::Variant => VARIANT_SEED,
                },
                range,
                part: (range.to - range.from) as f64 / range.modulus.max(1) as f64,
            });
        }
        narrow.sort_by(|one, other| one.part.total_cmp(&other.part));
        Search { share, cells: narrow }
    }

    fn is_in(&self, text: &str, atom: &Atom, atoms: &Atoms<'_>) -> Result<bool, Exhausted> {
        match &atoms.prober {
            Some(prober) => prober.says(text, &atom.holds, self.walk.asked.budget),
            None => Ok(false),
        }
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
