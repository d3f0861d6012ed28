//! The atoms that a context is in.

use time::OffsetDateTime;
use vexil_budget::Exhausted;
use vexil_domain::Context;
use vexil_engine::Ambient;

use super::atoms::Atoms;
use super::probe::Sample;
use super::rules::Dimension;
use super::walk::{Asker, Walk};

impl<const N: usize> Walk<'_, '_, N> {
    /// The atom of a dimension that a context is in.
    pub(crate) fn atom(
        &self,
        dimension: usize,
        atoms: &Atoms<'_>,
        context: &Context,
        ambient: &Ambient<'_>,
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
                let own = |text: &str| atoms.list.iter().position(|atom| atom.is_pinned_to(text));
                if let Sample::Text(text) = &sample
                    && let Some(place) = own(text)
                {
                    return Ok(Some(place));
                }
                prober.ask(&sample, budget)?
            }
            Some(Dimension::Hash { field, .. }) => match (self.asker(dimension), context.get(field)) {
                (Some(Asker::Hash(asker)), Some(text)) => {
                    budget.spend(1)?;
                    asker.ask(Some(text))
                }
                _ => return Ok(None),
            },
            Some(Dimension::Chance { .. } | Dimension::Host) => match self.asker(dimension) {
                Some(Asker::Chance(asker)) => asker.ask(ambient.seed),
                Some(Asker::Host(asker)) => asker.ask_host(ambient.host_name, budget)?,
                _ => return Ok(None),
            },
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
