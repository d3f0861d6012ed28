//! Unleash's own pages, as its package has them: fetched for a test, and never a part of this tree.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::metadata::target_directory;
use crate::outcome::{Outcome, missing};
use crate::program::{find, read};
use crate::server::fresh_folder;

const PACKAGE: &str = "unleash-server@7.6.5";
/// What the package must be, byte for byte.
const INTEGRITY: &str =
    "sha512-kBS9cPZNLeGO4g2XeUs37R0g4sQYcBjjrMAqea47TQIGcrs0iagNEm+ABih3SyEDAOnmxkQetsB0RGHIFki1Gg==";
const FOLDER: &str = "unleash-pages";
/// Where the pages lie in the package.
const PAGES: &str = "package/frontend/build";

/// The folder of the pages, fetched where they are not here yet.
pub(crate) fn pages() -> Outcome<PathBuf> {
    let target = target_directory()?;
    let known = target.join("xtask").join(FOLDER).join(PAGES);
    if known.join("index.html").is_file() {
        return Ok(known);
    }
    let npm = find("npm").ok_or_else(|| missing("`npm` is not here: install Node.js 20 or newer"))?;
    let folder = fresh_folder(&target, FOLDER)?;
    let told = read(
        Command::new(npm)
            .args(["pack", "--json", PACKAGE])
            .current_dir(&folder),
    )?;
    let told: Value = serde_json::from_str(&told).context("what `npm pack` says")?;
    let (integrity, file) = (&told[0]["integrity"], told[0]["filename"].as_str());
    let Some(file) = file.filter(|_| integrity == INTEGRITY) else {
        bail!("{PACKAGE} is another package than it was: {integrity}");
    };
    read(
        Command::new("tar")
            .args(["xzf", file, PAGES])
            .current_dir(&folder),
    )?;
    Ok(folder.join(PAGES))
}
