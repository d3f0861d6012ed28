//! The checker accepts every proof, and refuses what was changed in one.

use proptest::strategy::{Strategy as _, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use time::macros::datetime;
use vexil_budget::Budget;
use vexil_engine::{Ambient, Engine};

use super::arb_sides;
use crate::{Side, affected_flags};

/// A sequence of well-mixed numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

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
    let from = |name: &str, otherwise: usize| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(otherwise)
    };
    let (changes, forgeries, seed) = (from("CHANGES", 8), from("FORGERIES", 16), from("SEED", 0));
    let mut bytes = [9; 32];
    bytes[..8].copy_from_slice(&(seed as u64).to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut random = Random(seed as u64);
    let (mut proofs, mut large, mut refused) = (0, 0, 0);
    for _ in 0..changes {
        let (before, after) = arb_sides().new_tree(&mut runner).unwrap().current();
        let engines = [&before, &after].map(|snapshot| Engine::compile(snapshot).0);
        let comparison = crate::Comparison {
            before: Side {
                snapshot: &before,
                engine: &engines[0],
            },
            after: Side {
                snapshot: &after,
                engine: &engines[1],
            },
            environment: "production",
            ambient: Ambient::new(datetime!(2024-07-01 00:00:30 UTC), 7),
        };
        let sides = [
            vexil_proof_check::Side {
                snapshot: &before,
                engine: &engines[0],
            },
            vexil_proof_check::Side {
                snapshot: &after,
                engine: &engines[1],
            },
        ];
        for flag in affected_flags(&before, &after) {
            let Some(proof) = comparison.certificate(&flag, &Budget::unlimited()).unwrap() else {
                continue;
            };
            match vexil_proof_check::check(sides, &proof) {
                Ok(()) => proofs += 1,
                Err(vexil_proof_check::Refused::TooLarge) => {
                    large += 1;
                    continue;
                }
                Err(why) => panic!("{flag}: {why}\n{proof:#?}"),
            }
            for _ in 0..forgeries {
                if let Some(forged) = forged(&proof, &mut random) {
                    let found = vexil_proof_check::check(sides, &forged);
                    assert!(found.is_err(), "{flag} {forged:#?}");
                    refused += 1;
                }
            }
        }
    }
    println!("proofs accepted: {proofs}, too large to check: {large}, forgeries refused: {refused}");
    assert!(proofs > changes / 2, "too few proofs: {proofs}");
}
