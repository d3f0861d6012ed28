//! The engine against other vendors' in-process engines, in one run, sample by sample in turn.
//!
//! Each engine holds the same four flags among a thousand others, and is asked by name for the same
//! user. Figures are nanoseconds of thread CPU time; a ratio is one of medians.

mod eppo;
mod launchdarkly;
#[expect(dead_code, reason = "the engine's own benchmark uses all of it")]
#[path = "../../engine/measure.rs"]
mod measure;
mod state;
mod vexil;

use std::hint::black_box;

use crate::measure::{report, versus};
use crate::state::FLAGS;

const SAMPLES: usize = 60;

/// Asks an engine for a flag.
type Ask<'a> = &'a dyn Fn(&str) -> bool;

fn main() {
    let (flags, user) = (vexil::Flags::new(), vexil::user());
    let ambient = vexil::ambient();
    let prepared = flags.prepare(&user, &ambient);
    let (eppo, launchdarkly) = (eppo::Peer::new(), launchdarkly::Peer::new());
    for name in FLAGS {
        let answers = [
            prepared.is_enabled(name),
            flags.is_enabled(name, &user, &ambient),
            eppo.is_enabled(name),
            launchdarkly.is_enabled(name),
            launchdarkly.is_enabled_in_a_copy(name),
        ];
        assert_eq!(answers, [true; 5], "{name}");
    }
    let unknown = [
        prepared.is_enabled("unknown"),
        eppo.is_enabled("unknown"),
        launchdarkly.is_enabled("unknown"),
    ];
    assert_eq!(unknown, [false; 3]);
    let peers: [(&str, Ask<'_>); 3] = [
        ("eppo_core", &|name| eppo.is_enabled(name)),
        ("LaunchDarkly, flag borrowed", &|name| {
            launchdarkly.is_enabled(name)
        }),
        ("LaunchDarkly, flag of its store", &|name| {
            launchdarkly.is_enabled_in_a_copy(name)
        }),
    ];
    for (peer, theirs) in peers {
        println!("\n# Vexil, prepared context, and {peer}");
        for name in FLAGS {
            let ours = || prepared.is_enabled(black_box(name));
            report(name, &versus(SAMPLES, ours, || theirs(black_box(name))));
        }
        println!("# Vexil, context as it comes, and {peer}");
        for name in FLAGS {
            let ours = || flags.is_enabled(black_box(name), black_box(&user), &ambient);
            report(name, &versus(SAMPLES, ours, || theirs(black_box(name))));
        }
    }
}
