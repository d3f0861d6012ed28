//! Decides a flag from a document, and says why.
//!
//! `cargo run --example decide -- FILE FLAG [FIELD=VALUE …]`, where FILE is what `GET /api/client/features` gave.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example for people, whose clock is that of the machine"
)]

use std::hash::{BuildHasher, Hasher, RandomState};

use vexil_client_api::load_engine;
use vexil_engine::{Ambient, Context, OffsetDateTime};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(flag)) = (arguments.next(), arguments.next()) else {
        return Err("usage: decide FILE FLAG [FIELD=VALUE …]".into());
    };
    let mut context = Context::default();
    for argument in arguments {
        let (field, value) = argument.split_once('=').ok_or("a context value is FIELD=VALUE")?;
        context.set(field, value);
    }
    let loaded = load_engine(&std::fs::read(file)?)?;
    for wrong in loaded.everything_wrong() {
        println!("problem: {wrong}");
    }
    let seed = RandomState::new().build_hasher().finish();
    let ambient = Ambient::new(OffsetDateTime::now_utc(), seed);
    match loaded.engine.explain(&flag, &context, &ambient) {
        Some(explanation) => println!("{explanation}"),
        None => println!("there is no flag `{flag}`"),
    }
    Ok(())
}
