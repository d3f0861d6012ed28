//! The checker accepts every proof, and refuses what was changed in one.
//!
//! Whether a changed proof is still a true one is told without the checker: from the walk that found it, and from
//! the engine.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proptest::strategy::{Strategy as _, ValueTree};
use time::OffsetDateTime;
use vexil_budget::Budget;
use vexil_domain::Context;
use vexil_engine::Ambient;
use vexil_proof_check::{Decision, On, Proof, ProofError, Region, Witness, check};

use super::super::certificate::decision;
use super::super::rules::Dimension;
use super::contexts::Drawn;
use super::forgeries::{Forged, Wrong, forged};
use super::mixed::{DATES, KINDS, mixed_change};
use super::sides::{Random, Sides, arb_sides, asked_for, runner};
use super::*;

type Change = (Decision, Decision);

/// Of larger proofs, by regions and atoms, fewer changed copies are tried.
const USUAL: u64 = 32;

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
pub(super) fn stands_for(proof: &Proof, dimension: usize, other: usize, gone: usize) -> bool {
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

/// What the walk and the engine say of a proof that was changed.
struct Judge<'j, 'w, 'r> {
    sides: &'j Sides,
    flag: &'j vexil_domain::FlagName,
    regions: &'j Regions<'w, 'r>,
    /// Both sides, by what custom strategies answer.
    answered: RefCell<Vec<(Vec<CustomAnswer>, [Answering; 2])>>,
}

impl Judge<'_, '_, '_> {
    /// Whether a changed proof is a true one, as far as what was changed goes.
    fn is_true(&self, proof: &Proof, changed: &Proof, wrong: &Wrong) -> bool {
        match wrong {
            Wrong::Always => false,
            Wrong::Witnesses(places) => places.iter().all(|place| {
                let region = &changed.regions[*place];
                region.witness == proof.regions[*place].witness || self.is_witness(*place, region)
            }),
            Wrong::Samples(dimension, atoms) => atoms.iter().all(|atom| {
                let [old, new] = [proof, changed].map(|proof| &proof.dimensions[*dimension].atoms[*atom]);
                // where the same changes at another atom, this one may go
                let mut others = (0..proof.dimensions[*dimension].atoms.len()).filter(|other| other != atom);
                let is_free = others.any(|other| stands_for(proof, *dimension, other, *atom));
                is_free || self.atom_of(*dimension, old) == self.atom_of(*dimension, new)
            }),
            Wrong::Cells(dimension) => have_same_cells(proof, changed, *dimension),
            Wrong::Boxes => are_same(&proof.regions, &changed.regions, proof),
        }
    }

    fn atom_of(&self, level: usize, atom: &vexil_proof_check::Atom) -> Option<usize> {
        let made = self.regions.walk.levels[level].as_ref().unwrap();
        let mut context = Context::default();
        let mut ambient = Ambient::new(atom.now.unwrap_or(OffsetDateTime::UNIX_EPOCH), 0);
        match &self.regions.walk.asked.rules.dimensions[made.dimension] {
            Dimension::Field(field) => {
                if let Some(text) = atom.sample.as_ref().filter(|text| !text.is_empty()) {
                    context.set(field, text.as_str());
                }
            }
            _ => ambient.host_name = atom.sample.as_deref(),
        }
        let walk = &self.regions.walk;
        walk.atom(made.dimension, &made.atoms, &context, &ambient)
            .unwrap()
    }

    /// Whether a witness is in its box, and changes as it says.
    fn is_witness(&self, place: usize, region: &Region) -> bool {
        let Witness {
            context: fields,
            now,
            seed,
            host,
            says,
        } = &region.witness;
        let mut context = Context::default();
        for (field, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            context.set(field, value.as_str());
        }
        let says = says.iter().map(|(name, parameters)| CustomAnswer {
            name: name.clone(),
            parameters: parameters.clone(),
            says: true,
        });
        let drawn = Drawn {
            context,
            now: now.unwrap_or(OffsetDateTime::UNIX_EPOCH),
            seed: seed.unwrap_or_default(),
            host: host.clone(),
            says: says.collect(),
        };
        let mut answered = self.answered.borrow_mut();
        let known = answered.iter().position(|(says, _)| *says == drawn.says);
        let known = known.unwrap_or_else(|| {
            let made = self.sides.both();
            let made = made.map(|side| Answering::new(side, self.flag, &drawn.says));
            answered.push((drawn.says.clone(), made));
            answered.len() - 1
        });
        let said = answered[known].1.each_ref();
        let said = said.map(|side| decision(&side.judge(&drawn).to_outcome()));
        said == [region.before.clone(), region.after.clone()]
            && self
                .regions
                .find(&drawn)
                .is_ok_and(|(_, inside)| inside.contains(&place))
    }
}

/// Whether the cells of a dimension hold the same remainders: where its ranges are of several moduli, no remainder may
/// be in both of a pair of them.
fn have_same_cells(one: &Proof, two: &Proof, dimension: usize) -> bool {
    let gcd = |mut one: u128, mut two: u128| {
        while two != 0 {
            (one, two) = (two, one % two);
        }
        one
    };
    let both = [one, two].map(|proof| &proof.dimensions[dimension].atoms);
    let ranges = both.into_iter().flatten().flat_map(|atom| &atom.ranges).flatten();
    let moduli: BTreeSet<u128> = ranges.map(|(modulus, ..)| u128::from(*modulus)).collect();
    let whole = moduli.iter().try_fold(1_u128, |whole, modulus| {
        let divisor = gcd(whole, *modulus);
        (*modulus != 0).then_some(())?;
        whole.checked_mul(modulus / divisor)
    });
    // of more, no proof is checked
    let Some(whole) = whole.filter(|whole| *whole <= 2_000_000) else {
        return false;
    };
    let holds = |atom: &vexil_proof_check::Atom, number: u64| {
        atom.ranges.iter().any(|part| {
            part.iter()
                .all(|(modulus, from, to)| (*from..*to).contains(&(number % modulus)))
        })
    };
    let [one, two] = both;
    let mut pairs = one.iter().zip(two).filter(|(one, two)| one != two);
    pairs.all(|(one, two)| (0..whole as u64).all(|number| holds(one, number) == holds(two, number)))
}

/// Whether boxes that do not meet hold the same combinations for each change.
fn are_same(one: &[Region], two: &[Region], proof: &Proof) -> bool {
    let common = |one: &Region, two: &Region| -> u128 {
        let sides = proof.dimensions.iter().enumerate().map(|(number, known)| {
            let both = [one, two].map(|region| region.atoms.get(&number));
            match both {
                [None, None] => known.atoms.len(),
                [Some(own), None] | [None, Some(own)] => own.len(),
                [Some(one), Some(two)] => one.iter().filter(|atom| two.contains(atom)).count(),
            }
        });
        sides.map(|size| size as u128).product()
    };
    let meet = |place: usize| two[..place].iter().any(|other| common(other, &two[place]) > 0);
    if (0..two.len()).any(meet) {
        return false;
    }
    let size = |all: &[Region]| -> u128 { all.iter().map(|region| common(region, region)).sum() };
    let pairs = one.iter().flat_map(|one| two.iter().map(move |two| (one, two)));
    let alike = pairs.filter(|(one, two)| (&one.before, &one.after) == (&two.before, &two.after));
    let shared: u128 = alike.map(|(one, two)| common(one, two)).sum();
    size(one) == size(two) && shared == size(one)
}

/// What came of the proofs that were changed, by what was changed.
#[derive(Debug, Default)]
struct Found {
    proofs: usize,
    /// Proofs that are too large to be checked.
    large: usize,
    refused: BTreeMap<&'static str, usize>,
    /// Changed proofs that are true.
    still_true: BTreeMap<&'static str, usize>,
}

#[test]
fn the_checker_accepts_every_proof_and_refuses_every_forged_one() {
    let (changes, forgeries) = (asked_for("CHANGES", 8) as usize, asked_for("FORGERIES", 32));
    let wanted = asked_for("FORGED", u64::MAX);
    let mut runner = runner(9);
    let mut random = Random(asked_for("SEED", 0));
    let (mut found, mut count) = (Found::default(), 0);
    for _ in 0..changes {
        let sides = Sides::new(arb_sides().new_tree(&mut runner).unwrap().current());
        for flag in affected_flags(&sides.before, &sides.after) {
            if count < wanted {
                count += try_forgeries(&sides, &flag, forgeries, &mut random, &mut found);
            }
        }
    }
    println!("{count} changed: {found:#?}");
    assert!(found.proofs > changes / 2, "too few proofs: {}", found.proofs);
}

#[test]
fn forged_proofs_of_values_beside_letters_are_refused() {
    let (changes, forgeries) = (asked_for("CHANGES", 4), asked_for("FORGERIES", 32));
    let mut random = Random(asked_for("SEED", 0));
    let (mut found, mut count) = (Found::default(), 0);
    for _ in 0..changes {
        for kinds in [&KINDS[..], &[DATES]] {
            let sides = Sides::new(mixed_change(kinds, &mut random));
            count += try_forgeries(&sides, &"f".into(), forgeries, &mut random, &mut found);
        }
    }
    println!("{count} changed: {found:#?}");
    assert!(found.proofs as u64 > changes, "too few proofs: {}", found.proofs);
}

fn try_forgeries(
    sides: &Sides,
    flag: &vexil_domain::FlagName,
    forgeries: u64,
    random: &mut Random,
    found: &mut Found,
) -> u64 {
    let budget = Budget::unlimited();
    let Some(proof) = sides.comparison().certificate(flag, &budget).unwrap() else {
        return 0;
    };
    match check(sides.to_check(), &proof) {
        Ok(()) => found.proofs += 1,
        Err(ProofError::TooLarge) => {
            found.large += 1;
            return 0;
        }
        Err(why) => {
            let flags = sides.both().map(|side| side.snapshot.flags.get(flag));
            panic!("{flag}: {why}\n{proof:#?}\n{flags:#?}");
        }
    }
    let rules = Rules::of(sides.both(), flag);
    let asked = Asked {
        flag,
        rules: &rules,
        fixed: &Fixed::default(),
        budget: &budget,
    };
    let mut regions = Regions::new(&asked);
    for level in 0..regions.walk.order.len() {
        regions.walk.fill(level).unwrap();
    }
    assert_eq!(regions.boxes.len(), proof.regions.len());
    let judge = Judge {
        sides,
        flag,
        regions: &regions,
        answered: RefCell::default(),
    };
    // large proofs take long to refuse, and differ from small ones in nothing else
    let size = proof.regions.len() + proof.dimensions.iter().map(|it| it.atoms.len()).sum::<usize>();
    let mut count = 0;
    for _ in 0..forgeries * USUAL / (size as u64).max(USUAL) {
        let Some(Forged {
            kind,
            proof: changed,
            wrong,
        }) = forged(&proof, random)
        else {
            continue;
        };
        if changed == proof {
            continue;
        }
        count += 1;
        if judge.is_true(&proof, &changed, &wrong) {
            *found.still_true.entry(kind).or_default() += 1;
            continue;
        }
        let checked = check(sides.to_check(), &changed);
        let flags = sides.both().map(|side| side.snapshot.flags.get(flag));
        assert!(
            checked.is_err(),
            "{kind} of {flag}:\n{proof:#?}\n{changed:#?}\n{flags:#?}"
        );
        *found.refused.entry(kind).or_default() += 1;
    }
    count
}
