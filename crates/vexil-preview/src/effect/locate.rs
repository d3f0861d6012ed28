//! Which change a context undergoes: its place in a diagram.

use time::OffsetDateTime;
use vexil_budget::Exhausted;
use vexil_domain::Context;
use vexil_engine::{Ambient, Verdicts};

use super::atoms::{Atom, Atoms, Part};
#[cfg(test)]
use super::diagram::{Kind, Node, SAME};
use super::probe::{Prober, Sample};
use super::rules::Dimension;
use super::walk::Walk;

/// Where a context is in a diagram.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Located {
    /// Nothing changes.
    Same,
    /// What the flag was and what it becomes, by the numbers of outcomes.
    Changes(u32, u32),
    /// A value is in no atom of this dimension.
    Nowhere(usize),
}

impl<const N: usize> Walk<'_, '_, N> {
    /// Which change a context undergoes; custom strategies say no.
    #[cfg(test)]
    pub(crate) fn locate(
        &self,
        root: Node,
        context: &Context,
        ambient: &Ambient<'_>,
    ) -> Result<Located, Exhausted> {
        let mut node = root;
        let mut verdicts = Verdicts::default();
        loop {
            let (level, children) = match self.diagram.kind(node) {
                _ if node == SAME => return Ok(Located::Same),
                None => return Ok(Located::Same),
                Some(Kind::Leaf(before, after)) => return Ok(Located::Changes(*before, *after)),
                Some(Kind::Branch(level, children)) => (*level as usize, children),
            };
            let Some(known) = self.levels.get(level).and_then(Option::as_ref) else {
                return Ok(Located::Nowhere(level));
            };
            let atom = self.atom(known.dimension, &known.atoms, context, ambient, &mut verdicts)?;
            match atom.and_then(|atom| children.get(atom)) {
                Some(child) => node = *child,
                None => return Ok(Located::Nowhere(known.dimension)),
            }
        }
    }

    /// The atom of a dimension that a context is in.
    pub(crate) fn atom(
        &self,
        dimension: usize,
        atoms: &Atoms,
        context: &Context,
        ambient: &Ambient<'_>,
        verdicts: &mut Verdicts,
    ) -> Result<Option<usize>, Exhausted> {
        let budget = self.asked.budget;
        let rules = self.asked.rules;
        let value = |field: &str| context.get(field).map(|text| Sample::Text(text.to_owned()));
        let holds = match rules.dimensions.get(dimension) {
            Some(Dimension::Field(field)) => {
                let Some(prober) = &atoms.prober else {
                    return Ok(None);
                };
                let sample = value(field).unwrap_or_else(|| unset(field, ambient.now));
                if let Some(place) = atoms.list.iter().position(|atom| is_pinned_to(atom, &sample)) {
                    return Ok(Some(place));
                }
                prober.ask(&sample, verdicts, budget)?
            }
            Some(Dimension::Hash { field, .. }) => {
                let (Some(prober), Some(sample)) = (Prober::of_hash(rules, dimension), value(field)) else {
                    return Ok(None);
                };
                prober.ask(&sample, verdicts, budget)?
            }
            Some(Dimension::Chance { .. }) => {
                let Some(prober) = Prober::of_chance(rules, dimension) else {
                    return Ok(None);
                };
                prober.ask_chance(ambient.seed, verdicts, budget)?
            }
            Some(Dimension::Host) => {
                let prober = Prober::of_field(rules, dimension, "");
                prober.ask_host(ambient.host_name, verdicts, budget)?
            }
            Some(Dimension::Custom { .. }) => vec![false],
            None => return Ok(None),
        };
        let place = atoms
            .list
            .iter()
            .position(|atom| atom.pinned.is_none() && atom.holds == holds);
        Ok(place)
    }
}

fn unset(field: &str, now: OffsetDateTime) -> Sample {
    match field {
        "currentTime" => Sample::UnsetAt(now.unix_timestamp_nanos()),
        _ => Sample::Unset,
    }
}

fn is_pinned_to(atom: &Atom, sample: &Sample) -> bool {
    let is_sample = |(part, own): &(Part, Sample)| matches!(part, Part::Listed(_)) && own == sample;
    atom.pinned.is_some() && atom.parts.iter().any(is_sample)
}
