//! Looks for texts of atoms whose hashes fall into certain cells.

use std::rc::Rc;

use vexil_budget::Exhausted;

use super::texts::{Members, NarrowCell, Search, width};
use super::{Finder, VARIANT_SEED};
use crate::Share;
use crate::effect::atoms::{Atom, Atoms, Part};
use crate::effect::boxes::AtomBox;
use crate::effect::frames::Frame;
use crate::effect::probe::{HashProber, Sample};
use crate::effect::rules::{Dimension, Purpose};

/// After so many texts it is asked whether numbered ones can do.
const FEW_TRIED: u32 = 12;

/// A hash, with what its tests say in each of the cells that a text must fall into.
type Cells<'b> = Vec<(&'b HashProber, Vec<&'b [bool]>)>;

impl<const N: usize> Finder<'_, '_, '_, N> {
    /// A text of one of these atoms whose hashes are as they should be, looked for once.
    pub(super) fn text_of(
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
                if !self.frame_is_in(&frame, field, atom, atoms)? {
                    continue;
                }
                if let Some(found) = search.solve(&frame, spend, |text| is_wanted(text, atom))? {
                    return Ok(Some(Sample::Text(found)));
                }
            }
        }
        let Some(most) = search.more_tries() else {
            for atom in &list {
                for frame in search.frames(atom, 2) {
                    if !self.frame_is_in(&frame, field, atom, atoms)? {
                        continue;
                    }
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

    /// Whether any of a few texts of a frame is of an atom, and may be had: a search in others finds nothing.
    fn frame_is_in(
        &self,
        frame: &Frame,
        field: &str,
        atom: &Atom,
        atoms: &Atoms<'_>,
    ) -> Result<bool, Exhausted> {
        for text in frame.some() {
            if self.fits_text(field, &text) && self.is_in(&text, atom, atoms)? {
                return Ok(true);
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
}
