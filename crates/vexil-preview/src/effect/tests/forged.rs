//! The checker accepts every proof, and refuses what was changed in one.

use proptest::strategy::{Strategy as _, ValueTree};
use vexil_budget::Budget;

use super::sides::{Random, Sides, arb_sides, asked_for, runner};
use crate::affected_flags;

/// One thing of a proof is made wrong; `None` where there was nothing to change.
fn forged(proof: &vexil_proof_check::Proof, random: &mut Random) -> Option<vexil_proof_check::Proof> {
    use vexil_proof_check::Decision;
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
            let changes = |atom: usize| -> Vec<bool> {
                let regions = proof.regions.iter();
                regions
                    .map(|region| region.atoms.get(&dimension).is_none_or(|all| all.contains(&atom)))
                    .collect()
            };
            let gone = random.below(atoms.len());
            let alike = (0..atoms.len()).any(|other| other != gone && changes(other) == changes(gone));
            if atoms.len() < 2
                || alike
                || matches!(proof.dimensions[dimension].on, vexil_proof_check::On::Host)
            {
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
                Err(vexil_proof_check::Refused::TooLarge) => {
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
