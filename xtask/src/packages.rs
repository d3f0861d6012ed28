//! What is published: that it can be packaged, that each README's program is what a newcomer needs, and that it builds for
//! WebAssembly.

use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::metadata::{self, Package, target_directory};
use crate::outcome::Outcome;
use crate::program::{cargo, read, root, run as run_program};
use crate::server::fresh_folder;
use anyhow::{Context, Error};

/// The crates that are published, each after those that it needs.
pub(crate) const PUBLISHED: [&str; 5] = [
    "vexil-domain",
    "vexil-values",
    "vexil-metrics",
    "vexil-engine",
    "vexil-client-api",
];

/// How many crates an embedder of engine and client format may get, its own not counted.
const MOST_CRATES: usize = 25;
/// How many crates of others the engine may need at run time.
const MOST_AT_RUN_TIME: usize = 12;

/// Runs all of it.
pub(crate) fn run() -> Outcome {
    trees()?;
    without_patterns()?;
    web_assembly()?;
    for library in PUBLISHED {
        readme(library)?;
    }
    package()
}

/// Packages and builds every crate from its package, in order, without uploading anything.
fn package() -> Outcome {
    forget_unpacked()?;
    let mut command = cargo();
    command.args(["publish", "--dry-run", "--allow-dirty"]);
    for library in PUBLISHED {
        command.args(["-p", library]);
    }
    run_program(&mut command)
}

/// Removes what an earlier run unpacked: cargo serves the packages to each other from a registry of its own in the target
/// directory, and what it once unpacked of a version it takes for that version's source from then on.
fn forget_unpacked() -> Outcome {
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")));
    let Some(registries) = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok()) else {
        return Ok(());
    };
    let packages = metadata::workspace()?;
    for registry in registries.flatten() {
        // a registry that is a folder has no host before the dash
        if !registry.file_name().as_encoded_bytes().starts_with(b"-") {
            continue;
        }
        for package in &packages {
            let unpacked = registry
                .path()
                .join(format!("{}-{}", package.name, package.version));
            if unpacked.is_dir() {
                fs::remove_dir_all(&unpacked).with_context(|| unpacked.display().to_string())?;
            }
        }
    }
    Ok(())
}

/// The crates that `cargo tree` names, each once, as name and version.
fn tree(arguments: &[&str]) -> Outcome<Vec<String>> {
    let mut command = cargo();
    command.args(["tree", "--prefix", "none", "--format", "{p}"]);
    let tree = read(command.args(arguments))?;
    let mut lines: Vec<String> = tree
        .lines()
        .map(|line| line.trim_end_matches(" (*)").to_owned())
        .collect();
    lines.sort();
    lines.dedup();
    lines.retain(|line| !line.is_empty());
    Ok(lines)
}

/// Embedding stays cheap.
fn trees() -> Outcome {
    let embedder = tree(&["-p", "vexil-client-api", "-e", "normal,build"])?;
    let fewer = tree(&[
        "-p",
        "vexil-client-api",
        "-e",
        "normal,build",
        "--no-default-features",
    ])?;
    let engine = tree(&["-p", "vexil-engine", "-e", "normal,no-proc-macro"])?;
    let of_others = engine.iter().filter(|line| !line.starts_with("vexil-")).count();
    println!(
        "{} crates to embed engine and client format; the engine needs {of_others} of others at run time",
        embedder.len()
    );
    if embedder.len() > MOST_CRATES || of_others > MOST_AT_RUN_TIME {
        return Err(Error::msg(format!("too many crates:\n{}", embedder.join("\n"))));
    }
    readme_counts(of_others, embedder.len(), fewer.len())?;
    rust_versions(&embedder)
}

/// The engine's README says how many crates there are.
fn readme_counts(of_others: usize, embedder: usize, without_patterns: usize) -> Outcome {
    let path = root().join("crates/vexil-engine/README.md");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    for sentence in [
        format!("{of_others} crates of others at run time"),
        format!("takes {without_patterns} crates instead of {embedder}"),
    ] {
        if !text.contains(&sentence) {
            return Err(Error::msg(format!("{} does not say: {sentence}", path.display())));
        }
    }
    Ok(())
}

/// No dependency needs a newer Rust than the libraries say. Their own code is held to it by clippy's `incompatible_msrv`.
fn rust_versions(embedder: &[String]) -> Outcome {
    let packages = metadata::everything()?;
    let named = |package: &&Package| {
        let named = format!("{} v{}", package.name, package.version);
        embedder
            .iter()
            .any(|line| line.split(" (").next() == Some(named.as_str()))
    };
    let version = |package: &Package| -> Option<(u32, u32)> {
        let mut parts = package.rust_version.as_deref()?.split('.');
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    };
    let ours = packages
        .iter()
        .filter(|package| PUBLISHED.contains(&&*package.name));
    let promised = ours.map(version).min().flatten();
    let newer: Vec<&str> = packages
        .iter()
        .filter(named)
        .filter(|package| version(package) > promised)
        .map(|package| &*package.name)
        .collect();
    if newer.is_empty() {
        return Ok(());
    }
    Err(Error::msg(format!(
        "{} need a newer Rust than {promised:?}",
        newer.join(", ")
    )))
}

/// Who has no patterns can leave out what they cost, and is told where one is needed.
fn without_patterns() -> Outcome {
    run_program(cargo().args(["check", "-p", "vexil-client-api", "--no-default-features"]))?;
    run_program(cargo().args([
        "test",
        "--quiet",
        "-p",
        "vexil-values",
        "--no-default-features",
        "--lib",
    ]))
}

/// The libraries build for `wasm32-unknown-unknown`, where that target is installed.
fn web_assembly() -> Outcome {
    const TARGET: &str = "wasm32-unknown-unknown";
    let libraries =
        read(std::process::Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    if !Path::new(libraries.trim()).is_dir() {
        println!(
            "LEFT OUT: WebAssembly, since this toolchain has no `{TARGET}` (`rustup target add {TARGET}`)"
        );
        return Ok(());
    }
    run_program(cargo().args(["check", "--target", TARGET, "-p", "vexil-client-api"]))
}

/// The program of a README, in a project that has what its `[dependencies]` name, prints what the README says.
fn readme(library: &str) -> Outcome {
    let path = root().join(format!("crates/{library}/README.md"));
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let block = |kind: &str| text.split(&format!("```{kind}\n")).nth(1)?.split("\n```").next();
    let Some((dependencies, program)) = block("toml").zip(block("rust")) else {
        return Ok(());
    };
    let expected =
        block("text").ok_or_else(|| Error::msg(format!("{}: says not what it prints", path.display())))?;
    let folder = fresh_folder(&target_directory()?, &format!("readme-{library}"))?;
    let mut manifest = format!(
        "[package]\nname = \"newcomer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{dependencies}\n\n[workspace]\n\n[patch.crates-io]\n"
    );
    for library in PUBLISHED {
        let path = root().join(format!("crates/{library}"));
        manifest.push_str(&format!(
            "{library} = {{ path = {:?} }}\n",
            path.display().to_string()
        ));
    }
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())
    };
    fs::create_dir(folder.join("src")).with_context(|| folder.display().to_string())?;
    file("Cargo.toml", &manifest)?;
    file("src/main.rs", program)?;
    let lock = root().join("Cargo.lock");
    fs::copy(&lock, folder.join("Cargo.lock")).with_context(|| lock.display().to_string())?;
    let mut command = cargo();
    command.current_dir(&folder).args(["run", "--quiet"]);
    let target = target_directory()?.join("readme");
    let printed = read(command.env("CARGO_TARGET_DIR", target))?;
    if printed.trim_end() == expected {
        println!("the program of {library}'s README prints what it says");
        return Ok(());
    }
    Err(Error::msg(format!(
        "{}: the program prints\n{printed}",
        path.display()
    )))
}
