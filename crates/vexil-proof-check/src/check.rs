//! The check: the grid is split until all is decided, and compared with what is claimed.

use std::collections::BTreeMap;

use time::OffsetDateTime;
use vexil_engine::Ambient;

use crate::atoms::{Grid, MISSING};
use crate::decide::{Decider, Part};
use crate::{Decision, On, Proof, Region, Side};

/// So many parts are decided; a larger proof is not checked.
const MOST_PARTS: usize = 200_000;

/// Why a proof is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// An atom, a box or a number of the proof makes no sense.
    #[error("the proof is not well formed: {0}")]
    Malformed(&'static str),
    /// A decision depends on something that the proof does not name.
    #[error("a decision depends on something that the proof does not name")]
    MissingDimension,
    /// No atom stands for this value.
    #[error("no atom of `{field}` stands for `{value}`")]
    MissingAtom {
        /// The field.
        field: String,
        /// The value.
        value: String,
    },
    /// A box does not change as it says.
    #[error("box {0} does not change as it says")]
    WrongBox(usize),
    /// Two boxes meet.
    #[error("boxes {0} and {1} meet")]
    Overlap(usize, usize),
    /// The boxes of a change are not as large as what changes so.
    #[error("what changes is not what is claimed")]
    WrongSize,
    /// A share is not what counting gives.
    #[error("the share of box {0} is not what counting gives")]
    WrongShare(usize),
    /// The engine says something else of a witness.
    #[error("the witness of box {0} does not change as it says")]
    WrongWitness(usize),
    /// The proof is too large to check.
    #[error("the proof has too many parts to check")]
    TooLarge,
}

/// Accepts a proof, or says why not.
///
/// # Errors
///
/// Why it is not accepted: what is wrong in it, or that it is too large.
pub fn check(sides: [Side<'_>; 2], proof: &Proof) -> Result<(), ProofError> {
    let grid = Grid::new(sides, proof);
    if proof.dimensions.iter().any(|it| it.atoms.is_empty()) {
        return Err(ProofError::Malformed("a dimension has no atoms"));
    }
    let all: Part = proof
        .dimensions
        .iter()
        .map(|it| (0..it.atoms.len()).collect())
        .collect();
    let mut sizes = BTreeMap::new();
    split(&grid, all.clone(), &mut sizes, &mut 0)?;
    for (number, dimension) in proof.dimensions.iter().enumerate() {
        check_dimension(&grid, proof, number, dimension)?;
    }
    sizes.retain(|(before, after): &(Decision, Decision), _| before != after);
    for (number, region) in proof.regions.iter().enumerate() {
        let part = boxed(&all, region)?;
        let mut own = BTreeMap::new();
        split(&grid, part.clone(), &mut own, &mut 0)?;
        let change = (region.before.clone(), region.after.clone());
        if region.before == region.after || own.len() != 1 || !own.contains_key(&change) {
            return Err(ProofError::WrongBox(number));
        }
        let left = sizes.get_mut(&change).ok_or(ProofError::WrongBox(number))?;
        *left = left.checked_sub(size(&part)).ok_or(ProofError::WrongSize)?;
        for (other, earlier) in proof.regions.iter().enumerate().take(number) {
            if meets(&part, &boxed(&all, earlier)?) {
                return Err(ProofError::Overlap(other, number));
            }
        }
        if region.share != share(proof, region)? {
            return Err(ProofError::WrongShare(number));
        }
        check_witness(sides, proof, number, region)?;
    }
    if sizes.values().any(|left| *left != 0) {
        return Err(ProofError::WrongSize);
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
        On::Hash { .. } | On::Chance { .. } => {
            let total = parts_share(dimension, &(0..dimension.atoms.len()).collect::<Vec<_>>())?;
            if total == (1, 1) {
                Ok(())
            } else {
                Err(ProofError::Malformed("cells are not all of a whole"))
            }
        }
        _ => Ok(()),
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
            *sizes.entry((before, after)).or_default() += size(&part);
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

fn size(part: &Part) -> u128 {
    part.iter()
        .fold(1, |all: u128, atoms| all.saturating_mul(atoms.len() as u128))
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

/// The part of hashes and draws that a box is, where it names any.
fn share(proof: &Proof, region: &Region) -> Result<Option<(u128, u128)>, ProofError> {
    let mut share: Option<(u128, u128)> = None;
    for (dimension, atoms) in &region.atoms {
        let Some(dimension) = proof.dimensions.get(*dimension) else {
            continue;
        };
        if matches!(dimension.on, On::Hash { .. } | On::Chance { .. }) {
            let (part, whole) = parts_share(dimension, atoms)?;
            let (before, all) = share.unwrap_or((1, 1_u128));
            let (part, whole) = (part.checked_mul(before), all.checked_mul(whole));
            let (Some(part), Some(whole)) = (part, whole) else {
                return Err(ProofError::TooLarge);
            };
            share = Some(lowest(part, whole));
        }
    }
    Ok(share)
}

/// The part of a hash or a draw that some cells are: remainders are counted, one by one where there are several moduli.
fn parts_share(dimension: &crate::Dimension, atoms: &[usize]) -> Result<(u128, u128), ProofError> {
    let parts: Vec<&Vec<(u64, u64, u64)>> = atoms
        .iter()
        .filter_map(|atom| dimension.atoms.get(*atom))
        .flat_map(|atom| &atom.ranges)
        .collect();
    let mut whole: u128 = 1;
    for (modulus, from, to) in parts.iter().copied().flatten() {
        if *modulus == 0 || from >= to || to > modulus {
            return Err(ProofError::Malformed("a range is not one"));
        }
        let modulus = u128::from(*modulus);
        whole = whole
            .checked_mul(modulus / gcd(whole, modulus))
            .ok_or(ProofError::TooLarge)?;
    }
    let single = parts.iter().all(|part| part.len() == 1);
    let mut count: u128 = 0;
    if single {
        for (modulus, from, to) in parts.iter().copied().flatten() {
            count += whole / u128::from(*modulus) * u128::from(to - from);
        }
    } else {
        if whole > 2_000_000 {
            return Err(ProofError::TooLarge);
        }
        for number in 0..whole as u64 {
            let inside = |part: &&&Vec<(u64, u64, u64)>| {
                part.iter()
                    .all(|(modulus, from, to)| (*from..*to).contains(&(number % modulus)))
            };
            count += parts.iter().filter(inside).count() as u128;
        }
    }
    Ok(lowest(count, whole))
}

fn lowest(part: u128, whole: u128) -> (u128, u128) {
    let divisor = gcd(part, whole).max(1);
    (part / divisor, whole / divisor)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn check_witness(
    sides: [Side<'_>; 2],
    proof: &Proof,
    number: usize,
    region: &Region,
) -> Result<(), ProofError> {
    let witness = &region.witness;
    if proof.dimensions.iter().any(|it| matches!(it.on, On::Custom(..))) {
        // what a custom strategy says is not for the engine to tell
        return Ok(());
    }
    let mut context = vexil_domain::Context::default();
    witness
        .context
        .iter()
        .for_each(|(field, value)| context.set(field, value.as_str()));
    let ambient = Ambient {
        host_name: witness.host.as_deref(),
        ..Ambient::new(
            witness.now.unwrap_or(OffsetDateTime::UNIX_EPOCH),
            witness.seed.unwrap_or_default(),
        )
    };
    let said = sides.map(|side| {
        let choice = side.engine.variant(&proof.flag, &context, &ambient);
        match (
            side.snapshot.flags.contains_key(proof.flag.as_str()),
            choice.feature_enabled,
            choice.enabled,
        ) {
            (false, ..) => Decision::Absent,
            (_, false, _) => Decision::Off,
            (_, _, false) => Decision::On(None),
            _ => Decision::with(choice.name, choice.payload),
        }
    });
    if said == [region.before.clone(), region.after.clone()] {
        Ok(())
    } else {
        Err(ProofError::WrongWitness(number))
    }
}
