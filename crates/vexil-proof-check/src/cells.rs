//! Cells of hashes and draws: whether they are all of a whole, each part once, and how much of it some are.

use crate::{Dimension, On, Proof, ProofError, Region};

/// So many remainders are counted one by one.
const MOST_COUNTED: u128 = 2_000_000;

/// Refuses cells that miss a remainder, or hold one twice.
pub(crate) fn check_whole(dimension: &Dimension) -> Result<(), ProofError> {
    const WRONG: ProofError = ProofError::Malformed("cells are not all of a whole, each part once");
    let all: Vec<usize> = (0..dimension.atoms.len()).collect();
    if parts_share(dimension, &all)? != (1, 1) {
        return Err(WRONG);
    }
    let parts = || dimension.atoms.iter().flat_map(|atom| &atom.ranges);
    let moduli = |part: &Vec<(u64, u64, u64)>| part.iter().map(|(modulus, ..)| *modulus).collect::<Vec<_>>();
    let first = parts().next().map(moduli).unwrap_or_default();
    if parts().any(|part| moduli(part) != first) {
        return Err(WRONG);
    }
    if let [_] = first.as_slice() {
        let mut ranges: Vec<(u64, u64, u64)> = parts().flatten().copied().collect();
        ranges.sort_unstable();
        // as much as the whole, and none meets the next: none is missing
        let apart = ranges
            .iter()
            .zip(ranges.iter().skip(1))
            .all(|((_, _, to), (_, from, _))| to == from);
        return if apart { Ok(()) } else { Err(WRONG) };
    }
    let whole = first.iter().try_fold(1_u128, |whole, modulus| {
        let modulus = u128::from(*modulus);
        whole.checked_mul(modulus / gcd(whole, modulus))
    });
    let whole = whole
        .filter(|whole| *whole <= MOST_COUNTED)
        .ok_or(ProofError::TooLarge)?;
    let once = |number: u64| parts().filter(|part| is_inside(number, part)).count() == 1;
    if (0..whole as u64).all(once) {
        Ok(())
    } else {
        Err(WRONG)
    }
}

/// Whether a remainder is in a part.
pub(crate) fn is_inside(number: u64, part: &[(u64, u64, u64)]) -> bool {
    part.iter().all(|(modulus, from, to)| {
        let rest = number.checked_rem(*modulus);
        rest.is_some_and(|rest| (*from..*to).contains(&rest))
    })
}

/// The part of hashes and draws that a box is, where it names any.
pub(crate) fn share(proof: &Proof, region: &Region) -> Result<Option<(u128, u128)>, ProofError> {
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
            let own = (whole / u128::from(*modulus)).checked_mul(u128::from(to - from));
            let sum = own.and_then(|own| count.checked_add(own));
            count = sum.ok_or(ProofError::TooLarge)?;
        }
    } else {
        if whole > MOST_COUNTED {
            return Err(ProofError::TooLarge);
        }
        for number in 0..whole as u64 {
            count += parts.iter().filter(|part| is_inside(number, part)).count() as u128;
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

#[cfg(test)]
mod tests {
    use super::check_whole;
    use crate::{Atom, Dimension, On};

    #[test]
    fn cells_are_all_of_a_whole_each_part_once_in_ranges_of_the_same_moduli() {
        let is_whole = |parts: &[&[(u64, u64, u64)]]| {
            let atom = |part: &&[(u64, u64, u64)]| Atom {
                sample: None,
                now: None,
                alone: false,
                ranges: vec![part.to_vec()],
            };
            let dimension = Dimension {
                on: On::Chance {
                    strategy: None,
                    group: "g".to_owned(),
                },
                atoms: parts.iter().map(atom).collect(),
            };
            check_whole(&dimension).is_ok()
        };
        assert!(is_whole(&[&[(100, 0, 30)], &[(100, 30, 100)]]));
        assert!(is_whole(&[&[(4, 0, 1), (6, 0, 6)], &[(4, 1, 4), (6, 0, 6)]]));
        // a gap, twice, nothing, beyond the whole, and halves of different numbers that meet
        assert!(!is_whole(&[&[(100, 0, 30)], &[(100, 31, 100)]]));
        assert!(!is_whole(&[&[(100, 0, 31)], &[(100, 30, 100)]]));
        assert!(!is_whole(&[&[(100, 0, 30)], &[(100, 30, 30)], &[(100, 30, 100)]]));
        assert!(!is_whole(&[&[(100, 0, 30)], &[(100, 30, 101)]]));
        assert!(!is_whole(&[&[(100, 0, 50)], &[(200, 50, 150)]]));
        assert!(!is_whole(&[&[(4, 0, 2), (6, 0, 6)], &[(4, 1, 4), (6, 0, 6)]]));
    }
}
