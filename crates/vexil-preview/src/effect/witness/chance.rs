//! Seeds from which chance draws what a box asks for.

use std::rc::Rc;

use super::texts::width;
use super::{Finder, VARIANT_SEED};
use crate::effect::atoms::{Atom, Part};
use crate::effect::boxes::AtomBox;
use crate::effect::preimage;
use crate::effect::probe::ChanceProber;
use crate::effect::rules::Dimension;
use crate::effect::walk::Asker;

impl<const N: usize> Finder<'_, '_, '_, N> {
    /// The draws of the box, with the cells that they must fall into.
    pub(super) fn draws<'b>(&'b self, place: &AtomBox) -> Vec<(&'b ChanceProber, Vec<&'b Atom>)> {
        let draw = |(level, chosen): &(usize, Rc<[u32]>)| {
            let known = self.walk.levels.get(*level)?.as_ref()?;
            // others are not made for this
            let what = self.walk.asked.rules.dimensions.get(known.dimension);
            matches!(what, Some(Dimension::Chance { .. })).then_some(())?;
            let Some(Asker::Chance(asker)) = self.walk.asker(known.dimension) else {
                return None;
            };
            let cells = chosen
                .iter()
                .filter_map(|atom| known.atoms.list.get(*atom as usize));
            Some((asker, cells.collect()))
        };
        place.iter().filter_map(draw).collect()
    }

    /// Seeds for the narrowest draw for variants, where trying finds none.
    pub(super) fn seeds(&self, place: &AtomBox) -> Vec<u64> {
        let draw = |(level, chosen): &(usize, Rc<[u32]>)| {
            let known = self.walk.levels.get(*level)?.as_ref()?;
            let dimension = self.walk.asked.rules.dimensions.get(known.dimension)?;
            let Dimension::Chance {
                strategy: None,
                group,
            } = dimension
            else {
                return None;
            };
            let atom = known.atoms.list.get(*chosen.first()? as usize)?;
            match &atom.parts.first()?.0 {
                Part::Remainders(ranges) => Some((group, *ranges.first()?)),
                _ => None,
            }
        };
        let narrowest = place
            .iter()
            .filter_map(draw)
            .min_by_key(|(_, range)| width(range));
        let Some((group, range)) = narrowest.filter(|(_, range)| width(range) < 1 << 60) else {
            return Vec::new();
        };
        let start = (u128::from(range.from) << 64).div_ceil(u128::from(range.modulus.max(1)));
        let step = (width(&range) / 2_000).max(1);
        let draws = (0..2_000).map(|number| start + step * number);
        let draws = draws.filter_map(|draw| u64::try_from(draw).ok());
        draws
            .map(|draw| preimage::seed(group, VARIANT_SEED, draw))
            .collect()
    }
}
