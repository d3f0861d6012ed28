//! The check: the grid is split until all is decided, and compared with what is claimed.

use std::collections::BTreeMap;

use crate::atoms::{Grid, MISSING};
use crate::decide::{Decider, Part};
use crate::{Decision, On, Proof, ProofError, Region, Side, cells};

/// So many parts are decided; a larger proof is not checked.
const MOST_PARTS: usize = 200_000;

/// Accepts a proof, or says why not.
///
/// # Errors
///
/// Why it is not accepted: what is wrong in it, or that it is too large.
pub fn check(sides: [Side<'_>; 2], proof: &Proof) -> Result<(), ProofError> {
    if proof.dimensions.iter().any(|it| it.atoms.is_empty()) {
        return Err(ProofError::Malformed("a dimension has no atoms"));
    }
    let all: Part = proof
        .dimensions
        .iter()
        .map(|it| (0..it.atoms.len()).collect())
        .collect();
    // what is claimed of single boxes is quicker to refuse than what is claimed of all of them
    let mut claimed: BTreeMap<(Decision, Decision), u128> = BTreeMap::new();
    let mut boxes: Vec<Part> = Vec::with_capacity(proof.regions.len());
    for (number, region) in proof.regions.iter().enumerate() {
        let part = boxed(&all, region)?;
        if region.share != cells::share(proof, region)? {
            return Err(ProofError::WrongShare(number));
        }
        if let Some(other) = boxes.iter().position(|earlier| meets(&part, earlier)) {
            return Err(ProofError::Overlap(other, number));
        }
        let known = claimed
            .entry((region.before.clone(), region.after.clone()))
            .or_default();
        let sum = size(&part).and_then(|size| known.checked_add(size));
        *known = sum.ok_or(ProofError::TooLarge)?;
        boxes.push(part);
    }
    let grid = Grid::new(sides, proof);
    for (number, (region, part)) in proof.regions.iter().zip(boxes).enumerate() {
        if !grid.is_confirmed(region) {
            return Err(ProofError::WrongWitness(number));
        }
        let mut own = BTreeMap::new();
        split(&grid, part, &mut own, &mut 0)?;
        let change = (region.before.clone(), region.after.clone());
        if region.before == region.after || own.len() != 1 || !own.contains_key(&change) {
            return Err(ProofError::WrongBox(number));
        }
    }
    let mut sizes = BTreeMap::new();
    split(&grid, all, &mut sizes, &mut 0)?;
    sizes.retain(|(before, after): &(Decision, Decision), _| before != after);
    if sizes != claimed {
        return Err(ProofError::WrongSize);
    }
    for (number, dimension) in proof.dimensions.iter().enumerate() {
        check_dimension(&grid, proof, number, dimension)?;
    }
    // only now it is known which conditions can matter
    for (number, region) in proof.regions.iter().enumerate() {
        if !grid.is_in(&region.witness, &region.atoms) {
            return Err(ProofError::WitnessElsewhere(number));
        }
    }
    Ok(())
}

fn check_dimension(
    grid: &Grid<'_>,
    proof: &Proof,
    number: usize,
    dimension: &crate::Dimension,
) -> Result<(), ProofError> {
    let twice = proof
        .dimensions
        .iter()
        .skip(number + 1)
        .any(|other| other.on == dimension.on);
    if twice || dimension.atoms.is_empty() {
        return Err(ProofError::Malformed(
            "a dimension is named twice, or has no atoms",
        ));
    }
    match &dimension.on {
        On::Field(field) => match grid.missing(number, field) {
            Some(value) => Err(ProofError::MissingAtom {
                field: field.clone(),
                value,
            }),
            None => Ok(()),
        },
        On::Custom(..) if dimension.atoms.len() != 2 => {
            Err(ProofError::Malformed("a custom strategy says yes or no"))
        }
        On::Host => match grid.missing_host(number) {
            Some(value) => Err(ProofError::MissingAtom {
                field: "the name of the host".to_owned(),
                value,
            }),
            None => Ok(()),
        },
        On::Hash { .. } | On::Chance { .. } => cells::check_whole(dimension),
        On::Custom(..) => Ok(()),
    }
}

/// Splits a part until it is decided on both sides, and adds up how many combinations change how.
fn split(
    grid: &Grid<'_>,
    part: Part,
    sizes: &mut BTreeMap<(Decision, Decision), u128>,
    parts: &mut usize,
) -> Result<(), ProofError> {
    *parts += 1;
    if *parts > MOST_PARTS {
        return Err(ProofError::TooLarge);
    }
    let decided = [0, 1].map(|side| Decider { grid, side }.decide(&part));
    let (dimension, inside) = match decided {
        [Ok(before), Ok(after)] => {
            let known = sizes.entry((before, after)).or_default();
            *known = size(&part)
                .and_then(|size| known.checked_add(size))
                .ok_or(ProofError::TooLarge)?;
            return Ok(());
        }
        [Err(split), _] | [_, Err(split)] => split,
    };
    if dimension == MISSING || inside.is_empty() {
        return Err(ProofError::MissingDimension);
    }
    let (mut yes, mut no) = (part.clone(), part);
    if let (Some(yes), Some(no)) = (yes.get_mut(dimension), no.get_mut(dimension)) {
        no.retain(|atom| !inside.contains(atom));
        *yes = inside;
    }
    split(grid, yes, sizes, parts)?;
    split(grid, no, sizes, parts)
}

fn size(part: &Part) -> Option<u128> {
    let mut sizes = part.iter().map(|atoms| atoms.len() as u128);
    sizes.try_fold(1, u128::checked_mul)
}

fn meets(one: &Part, other: &Part) -> bool {
    one.iter()
        .zip(other)
        .all(|(one, other)| one.iter().any(|atom| other.contains(atom)))
}

/// The box of a region, with all atoms of what it does not name.
fn boxed(all: &Part, region: &Region) -> Result<Part, ProofError> {
    let mut part = all.clone();
    for (dimension, atoms) in &region.atoms {
        let Some(chosen) = part.get_mut(*dimension) else {
            return Err(ProofError::Malformed("a box names a dimension that is not there"));
        };
        let sorted = atoms
            .iter()
            .zip(atoms.iter().skip(1))
            .all(|(one, next)| one < next);
        if atoms.is_empty() || !sorted || atoms.iter().any(|atom| !chosen.contains(atom)) {
            return Err(ProofError::Malformed("a box names atoms that are not there"));
        }
        chosen.clone_from(atoms);
    }
    Ok(part)
}
