//! Whether two threads do twice as much as one: each checks and counts.

use std::hint::black_box;
use std::thread;
use std::time::Instant;

use cpu_time::ThreadTime;
use time::OffsetDateTime;
use vexil_engine::{Ambient, Tally};

use crate::state;

const CHECKS: u32 = 4_000_000;

pub(crate) fn run() {
    let json = state::scenarios().to_string();
    let engine = state::ours(json.as_bytes());
    let work = || {
        let context = state::context("user-42");
        let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
        let mut tally = Tally::default();
        let start = ThreadTime::now();
        for _ in 0..CHECKS {
            let flag = engine.flag(black_box("rollout")).unwrap();
            let on = engine.is_enabled_by(flag, black_box(&context), &ambient);
            tally.check(&engine, flag, on);
        }
        black_box(tally);
        start.elapsed().as_nanos() as f64 / f64::from(CHECKS)
    };
    let mut ratios: Vec<(f64, f64, f64, f64)> = (0..7)
        .map(|_| {
            let start = Instant::now();
            let one = work();
            let wall_of_one = start.elapsed();
            let start = Instant::now();
            let two = thread::scope(|scope| {
                let other = scope.spawn(work);
                let mine = work();
                f64::midpoint(mine, other.join().unwrap())
            });
            let wall_of_two = start.elapsed();
            (
                one / two,
                one,
                two,
                2.0 * wall_of_one.as_secs_f64() / wall_of_two.as_secs_f64(),
            )
        })
        .collect();
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (ratio, one, two, wall) = ratios[ratios.len() / 2];
    println!("E12: check and count: {one:.1} ns of CPU on one thread, {two:.1} ns on each of two");
    println!(
        "     {:.2} times as much by CPU time, {wall:.2} by the clock on the wall",
        2.0 * ratio
    );
}
