//! The checker accepts every proof, and refuses what was changed in one.

use std::collections::BTreeMap;

use proptest::strategy::{Strategy as _, ValueTree};
use vexil_budget::Budget;
use vexil_proof_check::{Decision, On, Proof};

use super::sides::{Random, Sides, arb_sides, asked_for, runner};
use crate::affected_flags;

type Change = (Decision, Decision);

/// What changes, as boxes that do not meet, where a dimension is at one atom and some others at a cell.
fn section(
    proof: &Proof,
    dimension: usize,
    atom: usize,
    cells: &BTreeMap<usize, usize>,
) -> Vec<(Change, Vec<Vec<usize>>)> {
    let regions = proof.regions.iter().filter_map(|region| {
        let fixed = |number: usize| {
            (number == dimension)
                .then_some(atom)
                .or(cells.get(&number).copied())
        };
        let sides = proof.dimensions.iter().enumerate().map(|(number, known)| {
            let own = region.atoms.get(&number).cloned();
            let own = own.unwrap_or_else(|| (0..known.atoms.len()).collect());
            match fixed(number) {
                // at one place in both sections
                Some(fixed) => own.contains(&fixed).then(|| vec![0]),
                None => Some(own),
            }
        });
        let sides: Option<Vec<Vec<usize>>> = sides.collect();
        Some(((region.before.clone(), region.after.clone()), sides?))
    });
    regions.collect()
}

/// Whether the same changes at both atoms, whatever the rest is. A single text falls into the cells that its
/// hashes say, so an atom of many texts can stand for it there.
fn stands_for(proof: &Proof, dimension: usize, other: usize, gone: usize) -> bool {
    let known = &proof.dimensions[dimension];
    let mut cells = BTreeMap::new();
    if known.atoms[gone].alone && !known.atoms[other].alone {
        let text = known.atoms[gone].sample.clone().unwrap_or_default();
        for (number, hashed) in proof.dimensions.iter().enumerate() {
            if let On::Hash {
                field,
                group,
                variants,
            } = &hashed.on
                && known.on == On::Field(field.clone())
            {
                let seed = if *variants { 86_028_157 } else { 0 };
                let hash = murmur3::murmur3_32(&mut format!("{group}:{text}").as_bytes(), seed).unwrap();
                let inside = |part: &Vec<(u64, u64, u64)>| {
                    part.iter()
                        .all(|(modulus, from, to)| (*from..*to).contains(&(u64::from(hash) % modulus)))
                };
                let cell = hashed
                    .atoms
                    .iter()
                    .position(|cell| cell.ranges.iter().any(inside));
                cells.insert(number, cell.unwrap());
            }
        }
    }
    let [one, two] = [gone, other].map(|atom| section(proof, dimension, atom, &cells));
    let size = |all: &[(Change, Vec<Vec<usize>>)], change: &Change| -> u128 {
        let own = all.iter().filter(|(other, _)| other == change);
        let sizes = own.map(|(_, sides)| sides.iter().map(|side| side.len() as u128).product::<u128>());
        sizes.sum()
    };
    let mut changes: Vec<Change> = one.iter().chain(&two).map(|(change, _)| change.clone()).collect();
    changes.dedup();
    if changes
        .iter()
        .any(|change| size(&one, change) != size(&two, change))
    {
        return false;
    }
    let shared: Vec<(Change, Vec<Vec<usize>>)> = one
        .iter()
        .flat_map(|one| two.iter().map(move |two| (one, two)))
        .filter(|(one, two)| one.0 == two.0)
        .map(|(one, two)| {
            let both = one.1.iter().zip(&two.1);
            let both = both.map(|(one, two)| one.iter().copied().filter(|atom| two.contains(atom)).collect());
            (one.0.clone(), both.collect())
        })
        .collect();
    changes
        .iter()
        .all(|change| size(&one, change) == size(&shared, change))
}

/// One thing of a proof is made wrong; `None` where there was nothing to change.
fn forged(proof: &Proof, random: &mut Random) -> Option<Proof> {
    let mut forged = proof.clone();
    let place = random.below(proof.regions.len());
    match random.below(8) {
        0 if !proof.regions.is_empty() => drop(forged.regions.remove(place)),
        1 => {
            let region = forged.regions.get_mut(place)?;
            let number = random.below(region.atoms.len());
            let (_, atoms) = region.atoms.iter_mut().nth(number)?;
            if atoms.len() < 2 {
                return None;
            }
            atoms.remove(random.below(atoms.len()));
        }
        2 => {
            let region = forged.regions.get_mut(place)?;
            let number = random.below(region.atoms.len());
            let (dimension, atoms) = region.atoms.iter_mut().nth(number)?;
            let count = proof.dimensions.get(*dimension)?.atoms.len();
            let added = (0..count).find(|atom| !atoms.contains(atom))?;
            atoms.push(added);
            atoms.sort_unstable();
        }
        3 => {
            let region = forged.regions.get_mut(place)?;
            std::mem::swap(&mut region.before, &mut region.after);
        }
        4 => {
            let region = forged.regions.get_mut(place)?;
            region.share = match region.share {
                Some((part, whole)) if part < whole => Some((part + 1, whole)),
                Some(_) => None,
                None => Some((1, 2)),
            };
        }
        5 => {
            let region = forged.regions.get_mut(place)?;
            region.after = match region.after {
                Decision::On(None) => Decision::Off,
                _ => Decision::On(None),
            };
            if region.after == proof.regions.get(place)?.after || region.after == region.before {
                return None;
            }
        }
        6 => {
            let dimension = random.below(proof.dimensions.len());
            let atoms = &mut forged.dimensions.get_mut(dimension)?.atoms;
            // an atom that changes as no other does: the rest cannot stand for it
            let gone = random.below(atoms.len());
            let alike =
                (0..atoms.len()).any(|other| other != gone && stands_for(proof, dimension, other, gone));
            if atoms.len() < 2 || alike || matches!(proof.dimensions[dimension].on, On::Host) {
                return None;
            }
            atoms.remove(gone);
            for region in &mut forged.regions {
                if let Some(atoms) = region.atoms.get_mut(&dimension) {
                    atoms.retain(|atom| *atom != gone);
                    atoms
                        .iter_mut()
                        .filter(|atom| **atom > gone)
                        .for_each(|atom| *atom -= 1);
                }
            }
            forged
                .regions
                .retain(|region| region.atoms.values().all(|atoms| !atoms.is_empty()));
        }
        7 => {
            let region = forged.regions.get(place)?.clone();
            forged.regions.push(region);
        }
        _ => return None,
    }
    (forged != *proof).then_some(forged)
}

#[test]
fn the_checker_accepts_every_proof_and_refuses_every_forged_one() {
    let (changes, forgeries) = (asked_for("CHANGES", 8) as usize, asked_for("FORGERIES", 16));
    let mut runner = runner(9);
    let mut random = Random(asked_for("SEED", 0));
    let (mut proofs, mut large, mut refused) = (0, 0, 0);
    for _ in 0..changes {
        let sides = Sides::new(arb_sides().new_tree(&mut runner).unwrap().current());
        let comparison = sides.comparison();
        let (before, after, to_check) = (&sides.before, &sides.after, sides.to_check());
        for flag in affected_flags(before, after) {
            let Some(proof) = comparison.certificate(&flag, &Budget::unlimited()).unwrap() else {
                continue;
            };
            match vexil_proof_check::check(to_check, &proof) {
                Ok(()) => proofs += 1,
                Err(vexil_proof_check::ProofError::TooLarge) => {
                    large += 1;
                    continue;
                }
                Err(why) => panic!("{flag}: {why}\n{proof:#?}"),
            }
            for _ in 0..forgeries {
                if let Some(forged) = forged(&proof, &mut random) {
                    let found = vexil_proof_check::check(to_check, &forged);
                    assert!(found.is_err(), "{flag} {forged:#?}");
                    refused += 1;
                }
            }
        }
    }
    println!("proofs accepted: {proofs}, too large to check: {large}, forgeries refused: {refused}");
    assert!(proofs > changes / 2, "too few proofs: {proofs}");
}
