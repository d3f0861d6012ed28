//! `docs/endpoints.md`, written from the server's list of routes. A test of the server compares them.

use std::fs;

use crate::outcome::Outcome;
use crate::program::{cargo, read, root};
use anyhow::Context;

/// Writes the page anew.
pub(crate) fn write() -> Outcome {
    let mut vexil = cargo();
    vexil.args([
        "run",
        "--quiet",
        "-p",
        "vexil-server",
        "--",
        "routes",
        "--format",
        "markdown",
    ]);
    let file = root().join("docs/endpoints.md");
    fs::write(&file, read(&mut vexil)?).with_context(|| file.display().to_string())
}
