//! The engine against `unleash-yggdrasil`, on the same state and contexts, sample by sample in turn.
//!
//! Figures are nanoseconds of thread CPU time, so that other processes matter little; a ratio is one
//! of medians. Name sections to run only those: `cargo bench -p vexil-engine --bench engine -- checks`.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

mod checks;
mod floor;
mod loading;
mod many;
mod measure;
mod preview;
mod requests;
mod state;
mod threads;
mod users;
#[expect(dead_code, reason = "what is only used by the engine")]
#[cfg_attr(
    test,
    expect(unused_imports, reason = "their tests are run where they belong")
)]
#[path = "../../src/values/mod.rs"]
mod values;

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let sections: [(&str, fn()); 6] = [
        ("checks", checks::run),
        ("requests", requests::run),
        ("many", many::run),
        ("loading", loading::run),
        ("threads", threads::run),
        ("preview", preview::run),
    ];
    for (name, section) in sections {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            println!("\n# {name}");
            section();
        }
    }
}
