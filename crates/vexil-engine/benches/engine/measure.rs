//! Times two ways of doing the same, in turn.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

/// Samples of nanoseconds for one operation.
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    pub(crate) fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    fn least(&self) -> f64 {
        self.0[0]
    }
}

/// Times both, sample by sample in turn: ours, then theirs.
pub(crate) fn versus<A, B>(
    samples: usize,
    mut ours: impl FnMut() -> A,
    mut theirs: impl FnMut() -> B,
) -> (Samples, Samples) {
    let (mine, other) = (repeats(&mut ours), repeats(&mut theirs));
    let mut both = (Vec::new(), Vec::new());
    for _ in 0..samples {
        both.0.push(time(mine, &mut ours));
        both.1.push(time(other, &mut theirs));
    }
    (sorted(both.0), sorted(both.1))
}

/// Times one alone.
pub(crate) fn alone<A>(samples: usize, mut ours: impl FnMut() -> A) -> Samples {
    let repeats = repeats(&mut ours);
    sorted((0..samples).map(|_| time(repeats, &mut ours)).collect())
}

/// So many that a sample takes at least five milliseconds: what one engine leaves in the caches then matters little to the other.
fn repeats<T>(work: &mut impl FnMut() -> T) -> u32 {
    let mut repeats = 1;
    while f64::from(repeats) * time(repeats, work) < 5_000_000.0 {
        repeats *= 2;
    }
    repeats
}

fn time<T>(repeats: u32, work: &mut impl FnMut() -> T) -> f64 {
    let start = ThreadTime::now();
    for _ in 0..repeats {
        black_box(work());
    }
    let spent: Duration = start.elapsed();
    spent.as_nanos() as f64 / f64::from(repeats)
}

fn sorted(mut samples: Vec<f64>) -> Samples {
    samples.sort_by(f64::total_cmp);
    Samples(samples)
}

/// Prints a line: what, ours, theirs, the ratio.
pub(crate) fn report(what: &str, (ours, theirs): &(Samples, Samples)) -> f64 {
    let ratio = theirs.median() / ours.median();
    println!(
        "{what:<34} {:>14} {:>14} {ratio:>9.1}x   (least {} / {})",
        nanoseconds(ours.median()),
        nanoseconds(theirs.median()),
        nanoseconds(ours.least()),
        nanoseconds(theirs.least()),
    );
    ratio
}

pub(crate) fn report_alone(what: &str, ours: &Samples) {
    println!(
        "{what:<34} {:>14}   (least {})",
        nanoseconds(ours.median()),
        nanoseconds(ours.least())
    );
}

pub(crate) fn nanoseconds(value: f64) -> String {
    match value {
        _ if value < 10_000.0 => format!("{value:.1} ns"),
        _ if value < 10_000_000.0 => format!("{:.1} us", value / 1e3),
        _ => format!("{:.1} ms", value / 1e6),
    }
}

/// The same, when one operation did so many things.
pub(crate) fn each((ours, theirs): (Samples, Samples), count: usize) -> (Samples, Samples) {
    (divided(ours, count), divided(theirs, count))
}

/// The same of one alone.
pub(crate) fn divided(Samples(all): Samples, count: usize) -> Samples {
    Samples(all.iter().map(|one| one / count as f64).collect())
}

/// Prints the geometric mean of ratios.
pub(crate) fn mean(ratios: &[f64]) {
    let product: f64 = ratios.iter().product();
    let mean = product.powf(1.0 / ratios.len() as f64);
    println!("{:<34} {mean:>40.1}x", "geometric mean");
}
