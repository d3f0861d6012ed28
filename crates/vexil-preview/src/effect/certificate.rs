//! Effects in the form that `vexil-proof-check` checks.

use time::OffsetDateTime;
use vexil_budget::{Budget, Exhausted};
use vexil_domain::FlagName;
use vexil_proof_check::{Atom, Decision, Dimension, On, Proof, Region};

use super::atoms::{self, Asked, Fixed, Part};
use super::boxes::{AtomBox, MOST_PATHS, boxes};
use super::probe::Sample;
use super::rules::{self, Purpose, Rules};
use super::said::{Said, described};
use super::walk::Walk;
use super::witness::Finder;
use crate::{Comparison, Outcome};

impl Comparison<'_> {
    /// What becomes of a flag for every context, in a form that can be checked by another method; `None`
    /// where not everything is decided, or is shown by a witness.
    ///
    /// # Errors
    ///
    /// When the budget does not last.
    pub fn certificate(&self, flag: &FlagName, budget: &Budget) -> Result<Option<Proof>, Exhausted> {
        let rules = Rules::of([self.before, self.after], flag);
        if rules.conjunctions.len() > 512 || rules.dimensions.len() > super::MOST_DIMENSIONS {
            return Ok(None);
        }
        let fixed = Fixed::default();
        let asked = Asked {
            flag,
            rules: &rules,
            fixed: &fixed,
            budget,
        };
        let mut walk = Walk::<8>::new(&asked);
        let root = walk.run()?;
        for level in 0..walk.order.len() {
            walk.fill(level)?;
        }
        let Some((dimensions, places)) = dimensions(&walk) else {
            return Ok(None);
        };
        let mut regions = Vec::new();
        let judges = self.judges(flag);
        let mut said = Said::default();
        for (before, after) in walk.diagram.changes(root) {
            let part = walk.diagram.only(root, (before, after), budget)?;
            let size = |level: usize| places.get(level).map_or(usize::MAX, Vec::len);
            let (list, more) = boxes(&walk.diagram, part, &size, MOST_PATHS, budget)?;
            if more {
                return Ok(None);
            }
            let finder = Finder {
                comparison: self,
                flag,
                walk: &walk,
                judges: &judges,
                fields: &[],
                inside: true,
                texts: Default::default(),
            };
            let outcome = |number: u32| rules.outcomes.get(number as usize).unwrap_or(&Outcome::Off);
            for place in &list {
                let sides = [outcome(before), outcome(after)];
                let Some(region) = region(&finder, &places, place, sides, &mut said)? else {
                    return Ok(None);
                };
                regions.push(region);
            }
        }
        Ok(Some(Proof {
            flag: flag.to_string(),
            dimensions,
            regions,
        }))
    }
}

/// Of each atom of each level, the numbers of the atoms that it is stated as.
type Places = Vec<Vec<Vec<usize>>>;

/// The dimensions as they are stated; `None` where something of them is not decided.
fn dimensions<const N: usize>(walk: &Walk<'_, '_, N>) -> Option<(Vec<Dimension>, Places)> {
    let (mut dimensions, mut places) = (Vec::new(), Vec::new());
    for level in walk.levels.iter().flatten() {
        let possible = level.atoms.list.iter().any(|atom| atom.parts.is_empty());
        let what = walk.asked.rules.dimensions.get(level.dimension)?;
        if possible || !level.atoms.undecided.is_empty() {
            return None;
        }
        let (mut all, mut own) = (Vec::new(), Vec::new());
        for atom in &level.atoms.list {
            let parts = stated(what, atom);
            own.push((all.len()..all.len() + parts.len()).collect());
            all.extend(parts);
        }
        dimensions.push(Dimension {
            on: on(what),
            atoms: all,
        });
        places.push(own);
    }
    Some((dimensions, places))
}

/// A box as it is stated, with a witness; `None` where none shows it, or how many it has is not known.
fn region<const N: usize>(
    finder: &Finder<'_, '_, '_, N>,
    places: &Places,
    place: &AtomBox,
    [was, is]: [&Outcome; 2],
    said: &mut Said,
) -> Result<Option<Region>, Exhausted> {
    let Some(witness) = finder.find(place, was, is)? else {
        return Ok(None);
    };
    let shown = described(finder.walk, place, None, said);
    if is_drawn(finder.walk, place) && shown.share.is_none() {
        return Ok(None);
    }
    let atoms = place.iter().map(|(level, chosen)| {
        let of = |atom: &u32| places.get(*level).and_then(|all| all.get(*atom as usize));
        let mut atoms: Vec<usize> = chosen.iter().filter_map(of).flatten().copied().collect();
        atoms.sort_unstable();
        (*level, atoms)
    });
    Ok(Some(Region {
        before: decision(was),
        after: decision(is),
        atoms: atoms.collect(),
        share: shown.share.map(|share| (share.numerator(), share.denominator())),
        witness: vexil_proof_check::Witness {
            context: witness.context,
            now: witness.now,
            seed: witness.seed,
            host: witness.host_name,
            says: witness
                .strategies
                .into_iter()
                .filter(|one| one.says)
                .map(|one| (one.name, one.parameters))
                .collect(),
        },
    }))
}

/// Whether a box asks for something that is drawn.
fn is_drawn<const N: usize>(walk: &Walk<'_, '_, N>, place: &AtomBox) -> bool {
    let dimension = |level: &usize| walk.asked.rules.dimensions.get(*walk.order.get(*level)?);
    place.iter().any(|(level, _)| {
        matches!(
            dimension(level),
            Some(rules::Dimension::Hash { .. } | rules::Dimension::Chance { .. })
        )
    })
}

fn on(what: &rules::Dimension) -> On {
    match what {
        rules::Dimension::Field(field) => On::Field(field.clone()),
        rules::Dimension::Host => On::Host,
        rules::Dimension::Custom { name, parameters } => On::Custom(name.clone(), parameters.clone()),
        rules::Dimension::Hash {
            field,
            group,
            purpose,
        } => On::Hash {
            field: field.clone(),
            group: group.clone(),
            variants: *purpose == Purpose::Variant,
        },
        rules::Dimension::Chance { strategy, group } => On::Chance {
            strategy: strategy.as_ref().map(ToString::to_string),
            group: group.clone(),
        },
    }
}

/// An atom as it is stated: unset apart from set, and texts that stand for themselves one by one.
fn stated(what: &rules::Dimension, atom: &atoms::Atom) -> Vec<Atom> {
    let of_sample = |sample: &Sample, alone: bool| Atom {
        sample: match sample {
            Sample::Text(text) => Some(text.clone()),
            Sample::Unset | Sample::UnsetAt(_) => None,
        },
        now: match sample {
            Sample::UnsetAt(now) => OffsetDateTime::from_unix_timestamp_nanos(*now).ok(),
            _ => None,
        },
        alone,
        ranges: Vec::new(),
    };
    let samples = || atom.parts.iter().map(|(_, sample)| sample);
    match what {
        rules::Dimension::Field(_) if atom.pinned.is_some() => {
            samples().map(|sample| of_sample(sample, true)).collect()
        }
        rules::Dimension::Field(_) => {
            let is_set = |sample: &&Sample| matches!(sample, Sample::Text(_));
            let unset = samples().find(|sample| !is_set(sample));
            let set = samples().find(is_set);
            unset
                .into_iter()
                .chain(set)
                .map(|sample| of_sample(sample, false))
                .collect()
        }
        rules::Dimension::Host | rules::Dimension::Custom { .. } => {
            samples().take(1).map(|sample| of_sample(sample, false)).collect()
        }
        rules::Dimension::Hash { .. } | rules::Dimension::Chance { .. } => {
            let ranges = atom.parts.iter().filter_map(|(part, _)| match part {
                Part::Remainders(ranges) => {
                    Some(ranges.iter().map(|it| (it.modulus, it.from, it.to)).collect())
                }
                _ => None,
            });
            vec![Atom {
                sample: None,
                now: None,
                alone: false,
                ranges: ranges.collect(),
            }]
        }
    }
}

pub(super) fn decision(outcome: &Outcome) -> Decision {
    match outcome {
        Outcome::Absent => Decision::Absent,
        Outcome::Off | Outcome::Unknown => Decision::Off,
        Outcome::On(variant) => Decision::On(variant.as_ref().map(|variant| {
            let payload = variant.payload.as_ref();
            let payload = payload.map(|payload| (payload.kind.clone(), payload.value.clone()));
            (variant.name.clone(), payload)
        })),
    }
}
