//! Whether the public surface of the libraries that others embed is compatible with the last
//! version's, as semantic versioning has it. The surface is what rustdoc says of it as JSON.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Map, Value};

use crate::metadata::target_directory;
use crate::outcome::Outcome;
use crate::program::{cargo, find, root, run as run_program, strict};
use anyhow::Context;

/// The libraries whose surface is a promise.
const LIBRARIES: [&str; 5] = crate::packages::PUBLISHED;
/// The program that compares, and the version that reads this toolchain's documents.
const PROGRAM: &str = "cargo-semver-checks";
const VERSION: &str = "0.51.0";

/// Compares every library with its last version.
pub(crate) fn run() -> Outcome {
    let Some(program) = program()? else {
        println!("LEFT OUT: semver, since `{PROGRAM}` is not here: cargo install {PROGRAM} --locked");
        return Ok(());
    };
    let target = target_directory()?;
    for library in LIBRARIES {
        if !kept(library).is_file() {
            println!("LEFT OUT: semver of {library}, of which no version was published");
            continue;
        }
        let current = document(library, &target)?;
        let last = target.join(format!("surface/{library}.json"));
        unpack(&kept(library), &last)?;
        run_program(
            Command::new(&program)
                .args(["semver-checks", "--baseline-rustdoc"])
                .arg(&last)
                .arg("--current-rustdoc")
                .arg(&current)
                .current_dir(root()),
        )?;
    }
    Ok(())
}

/// Keeps the surface as it is, when a version is published.
pub(crate) fn keep() -> Outcome {
    let target = target_directory()?;
    for library in LIBRARIES {
        let path = document(library, &target)?;
        let text = fs::read(&path).with_context(|| path.display().to_string())?;
        let mut surface: Value = serde_json::from_slice(&text).with_context(|| path.display().to_string())?;
        strip(&mut surface);
        let file = kept(library);
        let out = GzEncoder::new(
            File::create(&file).with_context(|| file.display().to_string())?,
            Compression::best(),
        );
        serde_json::to_writer(out, &surface).with_context(|| file.display().to_string())?;
        println!("kept {}", file.display());
    }
    Ok(())
}

/// Where the surface of the last version is kept.
fn kept(library: &str) -> PathBuf {
    root().join(format!("crates/{library}/surface.json.gz"))
}

/// The program that compares. Where nothing may be left out, it is installed first.
fn program() -> Outcome<Option<PathBuf>> {
    if let Some(found) = find(PROGRAM) {
        return Ok(Some(found));
    }
    let tools = target_directory()?.join("tools");
    let installed = tools.join("bin").join(PROGRAM);
    if !installed.is_file() {
        if !strict() {
            return Ok(None);
        }
        let install = ["install", PROGRAM, "--version", VERSION, "--locked", "--root"];
        // It runs for a moment only, so the time is better not spent on making it fast.
        run_program(
            cargo()
                .args(install)
                .arg(&tools)
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
                .env("CARGO_PROFILE_RELEASE_LTO", "off"),
        )?;
    }
    Ok(Some(installed))
}

/// What rustdoc says of a library. JSON is no stable output of rustdoc yet, so the toolchain is told
/// that this is known.
fn document(library: &str, target: &Path) -> Outcome<PathBuf> {
    let arguments = ["rustdoc", "--lib", "-p", library, "--"];
    let form = ["-Zunstable-options", "--output-format", "json"];
    run_program(cargo().args(arguments).args(form).env("RUSTC_BOOTSTRAP", "1"))?;
    Ok(target.join(format!("doc/{}.json", library.replace('-', "_"))))
}

fn unpack(packed: &Path, to: &Path) -> Outcome {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let mut from = GzDecoder::new(File::open(packed).with_context(|| packed.display().to_string())?);
    let mut out = File::create(to).with_context(|| to.display().to_string())?;
    std::io::copy(&mut from, &mut out).with_context(|| packed.display().to_string())?;
    Ok(())
}

/// Takes out what says nothing of the surface: texts, places in files, folders of the machine.
fn strip(surface: &mut Value) {
    let each = |part: &mut Value, strip: fn(&mut Map<String, Value>)| {
        let items = part
            .as_object_mut()
            .into_iter()
            .flat_map(|items| items.values_mut());
        items.filter_map(Value::as_object_mut).for_each(strip);
    };
    each(&mut surface["index"], |item| {
        item.insert("docs".to_owned(), Value::Null);
        item.insert("span".to_owned(), Value::Null);
    });
    each(&mut surface["external_crates"], |krate| {
        krate.insert("path".to_owned(), Value::from(""));
    });
}
