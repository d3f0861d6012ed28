//! Installing pinned npm packages outside the source tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::{Outcome, missing};
use crate::program::{find, read};
use anyhow::Context;

/// Copies the files of `source` into `target` and installs what its lock file names; the integrity hashes there
/// are checked by npm. Does nothing when the same lock file is installed already. Gives back `target`.
pub(crate) fn install(source: &Path, target: &Path) -> Outcome<PathBuf> {
    let npm = find("npm").ok_or_else(|| missing("`npm` is not here: install Node.js 20 or newer"))?;
    copy_files(source, target)?;
    let wanted =
        fs::read_to_string(source.join("package-lock.json")).with_context(|| source.display().to_string())?;
    let stamp = target.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(target.to_path_buf());
    }
    read(
        Command::new(npm)
            .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
            .current_dir(target),
    )?;
    fs::write(&stamp, wanted).with_context(|| stamp.display().to_string())?;
    Ok(target.to_path_buf())
}

/// Copies the files, not the folders, of one folder into another.
pub(crate) fn copy_files(source: &Path, target: &Path) -> Outcome {
    fs::create_dir_all(target).with_context(|| target.display().to_string())?;
    for entry in fs::read_dir(source).with_context(|| source.display().to_string())? {
        let entry = entry.with_context(|| source.display().to_string())?;
        if entry.path().is_file() {
            fs::copy(entry.path(), target.join(entry.file_name()))
                .with_context(|| entry.path().display().to_string())?;
        }
    }
    Ok(())
}
