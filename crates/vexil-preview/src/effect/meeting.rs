//! Whether two changes of the same environment change a flag for the same contexts.

use vexil_budget::{Budget, Exhausted};
use vexil_domain::FlagName;

use super::atoms::{Asked, Fixed};
use super::boxes::{SHOWN_PATHS, boxes};
use super::diagram::SAME;
use super::rules::Rules;
use super::walk::Walk;
use super::witness::Finder;
use super::{EffectBox, FastMap, Said, described};
use crate::outcome::Judge;
use crate::{Comparison, Outcome, Side};

/// So many boxes are looked at for a context that both change.
const MOST_TRIED: usize = 8;

/// Whether two changes meet in a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meeting {
    /// No context is changed by both.
    Apart,
    /// Some are: those of a box, with a context that was put to the engine on all sides.
    At(Box<EffectBox>),
    /// It could not be told.
    Undecided,
}

impl Comparison<'_> {
    /// Whether a flag changes for the same contexts as where the same environment becomes `other` instead.
    #[must_use]
    pub fn meeting(&self, other: Side<'_>, flag: &FlagName, budget: &Budget) -> Meeting {
        let mut rules = Rules::of([self.before, self.after], flag);
        let third = rules.side(other, flag);
        let [before, after] = rules.sides.clone();
        // what both change is asked first
        rules.sides = [after.clone(), third.clone()];
        let asked = Asked {
            flag,
            rules: &rules,
            fixed: &Fixed::default(),
            budget,
        };
        let sides = [[before.clone(), after], [before, third]];
        let met = match rules.conjunctions.len() {
            _ if rules.dimensions.len() > super::MOST_DIMENSIONS => return Meeting::Undecided,
            0..=64 => self.met::<1>(&asked, &sides, other),
            65..=512 => self.met::<8>(&asked, &sides, other),
            513..=4096 => self.met::<64>(&asked, &sides, other),
            _ => return Meeting::Undecided,
        };
        met.unwrap_or(Meeting::Undecided)
    }

    fn met<const N: usize>(
        &self,
        asked: &Asked<'_, '_>,
        [own, theirs]: &[[super::rules::SideRules; 2]; 2],
        other: Side<'_>,
    ) -> Result<Meeting, Exhausted> {
        let mut walk = Walk::<N>::new(asked);
        let own = walk.run_between(own)?;
        let theirs = walk.run_between(theirs)?;
        let both = walk
            .diagram
            .where_both(own, theirs, &mut FastMap::default(), asked.budget)?;
        let mut levels = walk.levels.iter().flatten();
        let is_told = levels.all(|level| level.atoms.undecided.is_empty());
        if both == SAME {
            return Ok(if is_told {
                Meeting::Apart
            } else {
                Meeting::Undecided
            });
        }
        let judges = self.judges(asked.flag);
        let [before, third] =
            [self.before, other].map(|side| Judge::new(side, asked.flag.as_str(), &self.ambient));
        for change in walk.diagram.changes(both) {
            let part = walk.diagram.only(both, change, asked.budget)?;
            let size = |level: usize| {
                let level = walk.levels.get(level).and_then(Option::as_ref);
                level.map_or(usize::MAX, |level| level.atoms.list.len())
            };
            let (places, _) = boxes(&walk.diagram, part, &size, SHOWN_PATHS, asked.budget)?;
            let [was, is] = [change.0, change.1].map(|number| {
                let outcome = asked.rules.outcomes.get(number as usize);
                outcome.cloned().unwrap_or(Outcome::Off)
            });
            let finder = Finder {
                comparison: self,
                flag: asked.flag,
                walk: &walk,
                judges: &judges,
                fields: &[],
                inside: true,
                texts: Default::default(),
            };
            for place in places.iter().take(MOST_TRIED) {
                let Some(witness) = finder.find(place, &was, &is)? else {
                    continue;
                };
                let context = witness.to_context();
                let ambient = witness.ambient(&self.ambient);
                // what custom strategies say, the engine cannot be asked here
                let differs = !witness.strategies.is_empty()
                    || !before
                        .judge(&context, &ambient)
                        .is(&third.judge(&context, &ambient).to_outcome());
                if differs {
                    let shown = described(&walk, place, Some(witness), &mut Said::default());
                    return Ok(Meeting::At(Box::new(shown)));
                }
            }
        }
        Ok(Meeting::Undecided)
    }
}
