//! Whether the combinations of a matrix reach every region of an effect.

use vexil_budget::{Budget, Exhausted};
use vexil_domain::{Context, FlagName};

use super::atoms::{Asked, Fixed};
use super::boxes::{AtomBox, MOST_PATHS, boxes};
use super::rules::{Dimension, Rules};
use super::walk::Walk;
use crate::classes::effective;
use crate::{Comparison, ContextMatrix};

/// How many regions of an effect some combinations reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Covers {
    /// How many boxes there are, over all flags.
    pub regions: usize,
    /// How many of them at least one combination is in.
    pub covered: usize,
    /// Whether these are all regions there are.
    pub complete: bool,
}

impl Comparison<'_> {
    /// How many regions of the effect on `flags` the combinations of `matrix` reach, with the present and
    /// the chance of the comparison.
    ///
    /// # Errors
    ///
    /// When the budget does not last.
    pub fn covers(
        &self,
        flags: &[FlagName],
        matrix: &ContextMatrix,
        budget: &Budget,
    ) -> Result<Covers, Exhausted> {
        let mut covers = Covers {
            complete: true,
            ..Covers::default()
        };
        for flag in flags {
            let rules = Rules::of([self.before, self.after], flag);
            let asked = Asked {
                flag,
                rules: &rules,
                fixed: &Fixed::default(),
                budget,
            };
            match rules.conjunctions.len() {
                _ if rules.dimensions.len() > super::MOST_DIMENSIONS => covers.complete = false,
                0..=64 => self.covered::<1>(&asked, matrix, &mut covers)?,
                65..=512 => self.covered::<8>(&asked, matrix, &mut covers)?,
                513..=4096 => self.covered::<64>(&asked, matrix, &mut covers)?,
                _ => covers.complete = false,
            }
        }
        Ok(covers)
    }

    fn covered<const N: usize>(
        &self,
        asked: &Asked<'_, '_>,
        matrix: &ContextMatrix,
        covers: &mut Covers,
    ) -> Result<(), Exhausted> {
        let mut walk = Walk::<N>::new(asked);
        let root = walk.run()?;
        let mut levels = walk.levels.iter().flatten();
        covers.complete &= levels.all(|level| level.atoms.undecided.is_empty());
        for change in walk.diagram.changes(root) {
            let part = walk.diagram.only(root, change, asked.budget)?;
            let size = |level: usize| {
                let level = walk.levels.get(level).and_then(Option::as_ref);
                level.map_or(usize::MAX, |level| level.atoms.list.len())
            };
            let (places, more) = boxes(&walk.diagram, part, &size, MOST_PATHS, asked.budget)?;
            covers.complete &= !more;
            for place in places {
                covers.regions += 1;
                covers.covered += usize::from(self.reaches(&walk, &place, matrix)?);
            }
        }
        Ok(())
    }

    /// Whether a combination of the matrix is in a box: each field has a value that meets all conditions on it.
    fn reaches<const N: usize>(
        &self,
        walk: &Walk<'_, '_, N>,
        place: &AtomBox,
        matrix: &ContextMatrix,
    ) -> Result<bool, Exhausted> {
        let field_of = |level: usize| {
            let dimension = walk
                .order
                .get(level)
                .and_then(|number| walk.asked.rules.dimensions.get(*number));
            match dimension {
                Some(Dimension::Field(field) | Dimension::Hash { field, .. }) => Some(field.as_str()),
                _ => None,
            }
        };
        let mut fields: Vec<Option<&str>> = place.iter().map(|(level, _)| field_of(*level)).collect();
        fields.sort_unstable();
        fields.dedup();
        for field in fields {
            let known = matrix
                .fields()
                .iter()
                .find(|known| Some(known.name.as_str()) == field);
            let unset = [String::new()];
            let values = known.map_or(&unset[..], |known| &known.values);
            let conditions: Vec<_> = place
                .iter()
                .filter(|(level, _)| field_of(*level) == field)
                .collect();
            let mut met = false;
            for value in values {
                let mut context = Context::default();
                if let Some(field) = field {
                    context.set(field, effective(field, value, self.environment));
                }
                let mut all = true;
                let mut pinned = false;
                for (level, atoms) in &conditions {
                    let Some(known) = walk.levels.get(*level).and_then(Option::as_ref) else {
                        continue;
                    };
                    if pinned {
                        continue;
                    }
                    let atom = walk.atom(known.dimension, &known.atoms, &context, &self.ambient)?;
                    all &= atom.is_some_and(|atom| atoms.contains(&(atom as u32)));
                    let atom = atom.and_then(|atom| known.atoms.list.get(atom));
                    pinned |= atom.is_some_and(|atom| atom.pinned.is_some());
                }
                if all {
                    met = true;
                    break;
                }
            }
            if !met {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
