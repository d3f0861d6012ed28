//! E11: live memory of an engine, and what loading it needs at most.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

use vexil_client_api::load_engine;

#[path = "engine/state.rs"]
#[expect(dead_code, reason = "only a part of it is needed here")]
mod state;

fn main() {
    for count in [1_000, 10_000, 100_000] {
        let json = state::mix(count).to_string();
        let mut ours = None;
        let info = allocation_counter::measure(|| ours = load_engine(json.as_bytes()).ok());
        let mut theirs = None;
        let their_info = allocation_counter::measure(|| theirs = Some(state::theirs(json.as_bytes())));
        println!(
            "E11: {count} flags: {} bytes live for each ({} while loading), yggdrasil {} ({}); {:.1}x",
            info.bytes_current / count as i64,
            info.bytes_max / count as u64,
            their_info.bytes_current / count as i64,
            their_info.bytes_max / count as u64,
            their_info.bytes_current as f64 / info.bytes_current as f64,
        );
    }
}
