//! Proofs in which one thing is changed.

use vexil_proof_check::{Decision, On, Proof, Region};

use super::forged::stands_for;
use super::sides::Random;

/// A proof in which one thing was changed.
pub(crate) struct Forged {
    pub(crate) kind: &'static str,
    pub(crate) proof: Proof,
    pub(crate) wrong: Wrong,
}

/// What makes a changed proof wrong.
pub(crate) enum Wrong {
    /// What was changed, whatever it is.
    Always,
    /// That the witness of one of these regions is not one.
    Witnesses(Vec<usize>),
    /// That one of these atoms of a dimension stands for other values.
    Samples(usize, Vec<usize>),
    /// That a cell of a dimension holds other remainders.
    Cells(usize),
    /// That other combinations are in the boxes.
    Boxes,
}

/// Changes one thing; `None` where there is nothing of that kind to change.
pub(crate) fn forged(proof: &Proof, random: &mut Random) -> Option<Forged> {
    let mut forged = proof.clone();
    let (kind, wrong) = match random.below(4) {
        0 => of_boxes(proof, &mut forged, random)?,
        1 => of_witnesses(proof, &mut forged, random)?,
        2 => of_atoms(proof, &mut forged, random)?,
        _ => of_claims(proof, &mut forged, random)?,
    };
    Some(Forged {
        kind,
        proof: forged,
        wrong,
    })
}

type Change = Option<(&'static str, Wrong)>;

fn of_boxes(proof: &Proof, forged: &mut Proof, random: &mut Random) -> Change {
    let place = random.below(proof.regions.len());
    let region = forged.regions.get_mut(place)?;
    let number = random.below(region.atoms.len());
    match random.below(6) {
        0 => {
            forged.regions.remove(place);
            Some(("region dropped", Wrong::Always))
        }
        1 => {
            let (_, atoms) = region.atoms.iter_mut().nth(number)?;
            atoms.remove(random.below(atoms.len()));
            Some(("region narrowed", Wrong::Always))
        }
        2 => {
            let (dimension, atoms) = region.atoms.iter_mut().nth(number)?;
            let count = proof.dimensions.get(*dimension)?.atoms.len();
            let others: Vec<usize> = (0..count).filter(|atom| !atoms.contains(atom)).collect();
            atoms.push(*others.get(random.below(others.len()))?);
            atoms.sort_unstable();
            Some(("region widened by an atom", Wrong::Always))
        }
        3 => {
            let dimension = *region.atoms.keys().nth(number)?;
            region.atoms.remove(&dimension);
            Some(("region widened by a dimension", Wrong::Always))
        }
        4 => {
            let again = region.clone();
            forged.regions.push(again);
            Some(("region twice", Wrong::Always))
        }
        _ => {
            let other = random.below(proof.regions.len());
            let dimension = *region.atoms.keys().nth(number)?;
            let theirs = proof.regions[other].atoms.get(&dimension)?.clone();
            let own = region.atoms.insert(dimension, theirs)?;
            forged.regions[other].atoms.insert(dimension, own);
            Some(("atoms of two regions swapped", Wrong::Boxes))
        }
    }
}

fn of_claims(proof: &Proof, forged: &mut Proof, random: &mut Random) -> Change {
    let place = random.below(proof.regions.len());
    let other = random.below(proof.regions.len());
    let region = forged.regions.get_mut(place)?;
    match random.below(5) {
        0 => {
            std::mem::swap(&mut region.before, &mut region.after);
            Some(("sides swapped", Wrong::Always))
        }
        1 => {
            let own = if random.below(2) == 0 {
                &mut region.before
            } else {
                &mut region.after
            };
            *own = match random.below(4) {
                0 => Decision::Off,
                1 => Decision::On(None),
                2 => Decision::Absent,
                _ => Decision::On(Some((random.one_of(&["a", "b", "blue"]).to_string(), None))),
            };
            Some(("decision changed", Wrong::Always))
        }
        2 => {
            region.share = match (region.share, random.below(4)) {
                (Some((part, whole)), 0) => Some((part + 1, whole)),
                (Some((part, whole)), 1) => Some((part.checked_sub(1)?, whole)),
                (Some((part, whole)), 2) => Some((part, whole ^ 1 << random.below(60))),
                (Some(_), _) => None,
                (None, 0) => Some((1, 1)),
                (None, _) => Some((1, 2)),
            };
            Some(("count changed", Wrong::Always))
        }
        3 => {
            let theirs = proof.regions[other].share;
            region.share = theirs;
            Some(("count of another region", Wrong::Always))
        }
        _ => {
            let theirs = &proof.regions[other];
            (region.before, region.after) = (theirs.before.clone(), theirs.after.clone());
            Some(("decisions of another region", Wrong::Always))
        }
    }
}

fn of_witnesses(proof: &Proof, forged: &mut Proof, random: &mut Random) -> Change {
    let place = random.below(proof.regions.len());
    let other = random.below(proof.regions.len());
    if random.below(4) == 0 {
        let theirs = proof.regions.get(other)?.witness.clone();
        forged.regions[other].witness = proof.regions[place].witness.clone();
        forged.regions[place].witness = theirs;
        return Some(("witnesses swapped", Wrong::Witnesses(vec![place, other])));
    }
    let witness = &mut forged.regions.get_mut(place)?.witness;
    let kind = match random.below(7) {
        0 => {
            let number = random.below(witness.context.len());
            let value = &mut witness.context.get_mut(number)?.1;
            *value = flipped(value, random)?;
            "witness with a bit flipped"
        }
        1 => {
            let number = random.below(witness.context.len());
            (number < witness.context.len()).then(|| witness.context.remove(number))?;
            "witness without a field"
        }
        2 | 3 => {
            let fields = proof.dimensions.iter().filter(|it| matches!(it.on, On::Field(_)));
            let fields: Vec<_> = fields.collect();
            let known = fields.get(random.below(fields.len()))?;
            let On::Field(field) = &known.on else { return None };
            let value = known.atoms.get(random.below(known.atoms.len()))?.sample.clone()?;
            witness.context.retain(|(name, _)| name != field);
            witness.context.push((field.clone(), value));
            "witness with another value"
        }
        4 => {
            witness.seed = Some(random.below(1 << 20) as u64);
            "witness with another draw"
        }
        5 => {
            witness.now = match witness.now {
                Some(now) => now.checked_add(time::Duration::seconds(random.below(1 << 30) as i64)),
                None => Some(time::OffsetDateTime::UNIX_EPOCH),
            };
            "witness at another present"
        }
        _ => {
            if witness.says.pop().is_none() {
                witness.host = match &witness.host {
                    Some(_) => None,
                    None => Some("h".to_owned()),
                };
            }
            "witness on another host"
        }
    };
    Some((kind, Wrong::Witnesses(vec![place])))
}

fn of_atoms(proof: &Proof, forged: &mut Proof, random: &mut Random) -> Change {
    let dimension = random.below(proof.dimensions.len());
    let known = forged.dimensions.get_mut(dimension)?;
    let named = proof
        .regions
        .iter()
        .any(|region| region.atoms.contains_key(&dimension));
    let number = random.below(known.atoms.len());
    match random.below(7) {
        0 => {
            let atom = &mut known.atoms[number];
            atom.sample = Some(flipped(atom.sample.as_ref()?, random)?);
            matches!(known.on, On::Field(_)).then_some(())?;
            Some((
                "sample with a bit flipped",
                Wrong::Samples(dimension, vec![number]),
            ))
        }
        1 => {
            let other = random.below(known.atoms.len());
            matches!(known.on, On::Field(_)).then_some(())?;
            if known.atoms[number].alone != known.atoms[other].alone {
                return None;
            }
            known.atoms.swap(number, other);
            Some(("samples swapped", Wrong::Samples(dimension, vec![number, other])))
        }
        2 => {
            let part = random.below(known.atoms[number].ranges.len());
            let part = known.atoms[number].ranges.get_mut(part)?;
            let which = random.below(part.len());
            let (modulus, from, to) = part.get_mut(which)?;
            let bit = 1 << random.below(33);
            match random.below(5) {
                0 => *modulus ^= bit,
                1 => *from ^= bit,
                2 => *to ^= bit,
                3 => *from += 1,
                _ => *to -= 1,
            }
            Some(("range changed", Wrong::Cells(dimension)))
        }
        3 => {
            let again = known.atoms[number].clone();
            let mut regions = proof.regions.iter();
            regions
                .any(|region| {
                    region
                        .atoms
                        .get(&dimension)
                        .is_some_and(|own| own.contains(&number))
                })
                .then(|| known.atoms.push(again))?;
            matches!(known.on, On::Field(_) | On::Hash { .. }).then_some(())?;
            Some(("atom twice", Wrong::Always))
        }
        4 if named => {
            forged.dimensions.remove(dimension);
            for region in &mut forged.regions {
                let kept = std::mem::take(&mut region.atoms).into_iter();
                let kept = kept.filter(|(number, _)| *number != dimension);
                region.atoms = kept
                    .map(|(number, own)| (number - usize::from(number > dimension), own))
                    .collect();
            }
            Some(("dimension dropped", Wrong::Always))
        }
        5 if named => {
            match &mut known.on {
                On::Field(name) | On::Hash { group: name, .. } | On::Chance { group: name, .. } => {
                    *name = flipped(name, random)?;
                }
                On::Custom(name, _) => *name = flipped(name, random)?,
                On::Host => return None,
            }
            let twice = proof.dimensions.iter().any(|other| other.on == known.on);
            (!twice).then_some(("dimension renamed", Wrong::Always))
        }
        6 => without_atom(proof, forged, dimension, number),
        _ => None,
    }
}

/// Drops an atom that changes as no other does: the rest cannot stand for it.
fn without_atom(proof: &Proof, forged: &mut Proof, dimension: usize, gone: usize) -> Change {
    let atoms = &mut forged.dimensions.get_mut(dimension)?.atoms;
    let alike = (0..atoms.len()).any(|other| other != gone && stands_for(proof, dimension, other, gone));
    if atoms.len() < 2 || alike {
        return None;
    }
    atoms.remove(gone);
    let shifted = |region: &mut Region| {
        if let Some(atoms) = region.atoms.get_mut(&dimension) {
            atoms.retain(|atom| *atom != gone);
            atoms
                .iter_mut()
                .filter(|atom| **atom > gone)
                .for_each(|atom| *atom -= 1);
        }
    };
    forged.regions.iter_mut().for_each(shifted);
    forged
        .regions
        .retain(|region| region.atoms.values().all(|atoms| !atoms.is_empty()));
    Some(("atom dropped", Wrong::Always))
}

/// The text with one bit changed, where that is a text.
fn flipped(text: &str, random: &mut Random) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let place = random.below(bytes.len());
    *bytes.get_mut(place)? ^= 1 << random.below(8);
    String::from_utf8(bytes).ok()
}
