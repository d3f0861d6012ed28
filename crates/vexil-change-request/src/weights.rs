//! Variant weights and their order.

use vexil_domain::{Variant, WeightType};

/// What the weights of variants sum to.
pub(crate) const WHOLE: u32 = 1000;

/// The sum of the fixed weights.
pub(crate) fn fixed(variants: &[Variant]) -> u64 {
    variants
        .iter()
        .filter(|variant| variant.weight_type == WeightType::Fix)
        .map(|variant| u64::from(variant.weight))
        .sum()
}

/// Lets the variable variants share what the fixed ones leave, as evenly as whole numbers can: the
/// first of them get one more. Then puts all in order of their names.
///
/// The order matters: variants take their ranges of the hash space one after the other.
pub(crate) fn settle(variants: &mut [Variant]) {
    let left = u64::from(WHOLE).saturating_sub(fixed(variants));
    let sharers = variants
        .iter()
        .filter(|variant| variant.weight_type != WeightType::Fix)
        .count() as u64;
    let mut place = 0;
    for variant in variants.iter_mut() {
        if variant.weight_type == WeightType::Fix || sharers == 0 {
            continue;
        }
        let share = left / sharers + u64::from(place < left % sharers);
        variant.weight = u32::try_from(share).unwrap_or(WHOLE);
        place += 1;
    }
    variants.sort_by_cached_key(|variant| collation_key(&variant.name));
}

/// Orders names as Unicode's root collation does, for the characters that names may have:
/// punctuation, digits, letters; lower case before upper case where nothing else differs.
fn collation_key(name: &str) -> (Vec<u32>, Vec<bool>) {
    const PUNCTUATION: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
    const DIGITS: u32 = 100;
    const LETTERS: u32 = 200;
    let rank = |c: char| match PUNCTUATION.find(c) {
        Some(place) => place as u32,
        None if c.is_ascii_digit() => DIGITS + u32::from(c),
        None => LETTERS + u32::from(c.to_ascii_lowercase()),
    };
    let case = |c: char| c.is_ascii_uppercase();
    (name.chars().map(rank).collect(), name.chars().map(case).collect())
}

#[cfg(test)]
mod tests;
