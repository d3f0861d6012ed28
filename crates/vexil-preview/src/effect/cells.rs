//! Cells: the parts of a hash's remainders, or of chance, that no test tells apart.
//!
//! A hash gives a remainder for each modulus that is asked for. How many of all remainders, modulo the
//! least common multiple, fall into a range of each modulus follows from the Chinese remainder theorem:
//! given the remainder modulo what the moduli have in common two by two, they are independent.

use vexil_budget::{Budget, Exhausted};

use super::rules::Range;
use crate::Share;
use crate::share::gcd;

/// A part that no test tells apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Whether each test holds, in the order in which they were given.
    pub(crate) holds: Vec<bool>,
    /// How large a part of the whole it is; `None` where that is beyond counting.
    pub(crate) share: Option<Share>,
    /// What it consists of: ranges, one for each modulus, that all hold.
    pub(crate) parts: Vec<Vec<Range>>,
}

/// So large may the common part of the moduli be that is counted through.
const COUNTED: u64 = 1 << 20;

/// The cells of a hash that these tests tell apart.
pub(crate) fn of_hash(tests: &[Range], budget: &Budget) -> Result<Vec<Cell>, Exhausted> {
    let mut moduli: Vec<u64> = tests.iter().map(|test| test.modulus).collect();
    moduli.sort_unstable();
    moduli.dedup();
    let pieces: Vec<Vec<Range>> = moduli.iter().map(|modulus| pieces(*modulus, tests)).collect();
    let counter = Counter::new(&moduli);
    let mut cells = Cells::default();
    let mut chosen: Vec<Range> = Vec::new();
    product(&pieces, &mut chosen, &mut |parts| {
        budget.spend(1 + counter.cost(parts.len()))?;
        let share = counter.share(parts);
        if share != Some(Share::NONE) {
            let holds = |test: &Range| parts.iter().any(|part| inside(part, test));
            cells.add(tests.iter().map(holds).collect(), share, parts.to_vec());
        }
        Ok(())
    })?;
    Ok(cells.0)
}

/// The cells of a draw from the numbers from 0 to 1: `from / modulus` to `to / modulus`.
pub(crate) fn of_chance(tests: &[Range], budget: &Budget) -> Result<Vec<Cell>, Exhausted> {
    let whole = tests.iter().try_fold(1_u128, |whole, test| {
        let modulus = u128::from(test.modulus);
        whole.checked_mul(modulus / gcd(whole, modulus))
    });
    budget.spend(tests.len() as u64 * 2)?;
    // A whole beyond counting is rounded to one that is not: draws have 64 bits.
    let whole = whole.filter(|whole| *whole < 1 << 63).unwrap_or(1 << 63);
    let scaled = |place: u64, modulus: u64| match whole % u128::from(modulus) {
        0 => whole / u128::from(modulus) * u128::from(place),
        _ => (u128::from(place) << 63) / u128::from(modulus),
    };
    let mut cuts: Vec<u128> = tests
        .iter()
        .flat_map(|test| [scaled(test.from, test.modulus), scaled(test.to, test.modulus)])
        .chain([0, whole])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut cells = Cells::default();
    for (from, to) in cuts.iter().zip(cuts.iter().skip(1)) {
        let holds =
            |test: &Range| scaled(test.from, test.modulus) <= *from && *to <= scaled(test.to, test.modulus);
        let share = Share::new(to - from, whole);
        let part = Range {
            modulus: whole as u64,
            from: *from as u64,
            to: *to as u64,
        };
        cells.add(tests.iter().map(holds).collect(), Some(share), vec![part]);
    }
    Ok(cells.0)
}

/// Cells, put together where no test tells them apart.
#[derive(Default)]
struct Cells(Vec<Cell>);

impl Cells {
    fn add(&mut self, holds: Vec<bool>, share: Option<Share>, part: Vec<Range>) {
        let known = self.0.iter_mut().find(|known| known.holds == holds);
        let Some(known) = known else {
            return self.0.push(Cell {
                holds,
                share,
                parts: vec![part],
            });
        };
        known.share = known.share.zip(share).and_then(|(one, other)| one.plus(other));
        match (known.parts.last_mut().map(Vec::as_mut_slice), part.as_slice()) {
            (Some([last]), [next]) if last.modulus == next.modulus && last.to == next.from => {
                last.to = next.to;
            }
            _ => known.parts.push(part),
        }
    }
}

/// The ranges of one modulus between all ends of tests.
fn pieces(modulus: u64, tests: &[Range]) -> Vec<Range> {
    let mut cuts: Vec<u64> = tests
        .iter()
        .filter(|test| test.modulus == modulus)
        .flat_map(|test| [test.from, test.to])
        .chain([0, modulus])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let ends = cuts.iter().zip(cuts.iter().skip(1));
    ends.map(|(from, to)| Range {
        modulus,
        from: *from,
        to: *to,
    })
    .collect()
}

fn inside(part: &Range, test: &Range) -> bool {
    part.modulus == test.modulus && test.from <= part.from && part.to <= test.to
}

/// Visits all ways to choose one piece of each modulus.
fn product(
    pieces: &[Vec<Range>],
    chosen: &mut Vec<Range>,
    visit: &mut impl FnMut(&[Range]) -> Result<(), Exhausted>,
) -> Result<(), Exhausted> {
    let Some((first, rest)) = pieces.split_first() else {
        return visit(chosen);
    };
    for piece in first {
        chosen.push(*piece);
        product(rest, chosen, visit)?;
        chosen.pop();
    }
    Ok(())
}

/// Counts remainders that fall into one range of each modulus.
struct Counter {
    /// What the moduli have in common two by two; `None` where it is too much to count through.
    common: Option<u64>,
}

impl Counter {
    fn new(moduli: &[u64]) -> Self {
        let mut common: Option<u128> = Some(1);
        for (place, one) in moduli.iter().enumerate() {
            for other in moduli.iter().skip(place + 1) {
                let shared = gcd(u128::from(*one), u128::from(*other));
                common = common.and_then(|common| common.checked_mul(shared / gcd(common, shared)));
            }
        }
        let common = common.and_then(|common| u64::try_from(common).ok());
        Self {
            common: common.filter(|common| *common <= COUNTED),
        }
    }

    /// Units of work to count one choice.
    fn cost(&self, moduli: usize) -> u64 {
        self.common.unwrap_or(1) * moduli as u64 / 64
    }

    /// The share of all remainders in these ranges.
    fn share(&self, ranges: &[Range]) -> Option<Share> {
        if let [only] = ranges {
            return Some(Share::new(
                u128::from(only.to - only.from),
                u128::from(only.modulus),
            ));
        }
        let common = self.common?;
        let mut whole = u128::from(common);
        for range in ranges {
            let modulus = u128::from(range.modulus);
            whole = whole.checked_mul(modulus / gcd(modulus, u128::from(common)))?;
        }
        let mut count: u128 = 0;
        for rest in 0..common {
            let ways = |range: &Range| {
                let step = gcd(u128::from(range.modulus), u128::from(common)) as u64;
                let below = |bound: u64| u128::from((bound + step - 1 - rest % step) / step);
                below(range.to) - below(range.from)
            };
            let ways = ranges
                .iter()
                .try_fold(1_u128, |all, range| all.checked_mul(ways(range)))?;
            count = count.checked_add(ways)?;
        }
        Some(Share::new(count, whole))
    }
}

#[cfg(test)]
mod tests;
