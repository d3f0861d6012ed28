//! Client features in, any context in: no panic, no hang, and every way of asking agrees.
//!
//! The input is a context and a document, one after the other, with a zero byte between them.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/vexil-client-api/tests/conformance/any_input.rs"]
mod any_input;

fuzz_target!(|input: &[u8]| any_input::answer(input));
