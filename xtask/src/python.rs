//! Installing pinned packages for Python outside the source tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::outcome::{Outcome, missing};
use crate::program::{find, read};
use anyhow::Context;

/// Makes a virtual environment in `folder` with what the `requirements.txt` of `source` names, unless it is there
/// already. Gives back its Python.
pub(crate) fn install(source: &Path, folder: &Path) -> Outcome<PathBuf> {
    let python = find("python3").ok_or_else(|| missing("`python3` is not here"))?;
    if read(Command::new(&python).args(["-c", "import ensurepip, venv"])).is_err() {
        return Err(missing(
            "`python3` cannot make virtual environments: install its package `venv`",
        ));
    }
    let wanted = fs::read_to_string(source.join("requirements.txt")).context("requirements.txt")?;
    let stamp = folder.join("installed");
    let installed = folder.join("bin/python");
    if !fs::read_to_string(&stamp).is_ok_and(|known| known == wanted) {
        read(Command::new(&python).args(["-m", "venv", "--clear"]).arg(folder))?;
        let mut pip = Command::new(&installed);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "-r",
        ]);
        read(pip.arg(source.join("requirements.txt")))?;
        fs::write(&stamp, wanted).with_context(|| stamp.display().to_string())?;
    }
    Ok(installed)
}
