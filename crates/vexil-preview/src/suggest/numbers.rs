//! Numbers at, just below and just above what constraints compare with.

use vexil_budget::Exhausted;

use super::found::Candidates;

pub(super) fn sort(numbers: &mut Vec<f64>) {
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
}

pub(super) fn add(sorted: &[f64], found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    for number in sorted {
        found.add(number.to_string())?;
    }
    if let (Some(first), Some(last)) = (sorted.first(), sorted.last()) {
        found.add(stepped(*first, -1.0).to_string())?;
        found.add(stepped(*last, 1.0).to_string())?;
    }
    for (low, high) in sorted.iter().zip(sorted.iter().skip(1)) {
        for between in [low + 1.0, high - 1.0, low + (high - low) / 2.0, low.next_up()] {
            if *low < between && between < *high {
                found.add(between.to_string())?;
            }
        }
    }
    Ok(())
}

/// The number one step further, or the nearest where one step is lost in rounding.
fn stepped(number: f64, step: f64) -> f64 {
    let next = number + step;
    match (next == number, step < 0.0) {
        (false, _) => next,
        (true, true) => number.next_down(),
        (true, false) => number.next_up(),
    }
}
