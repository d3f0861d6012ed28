//! The official client specification: beside the workspace, or else from npm, pinned by a lock file.

use std::path::PathBuf;

use crate::metadata::target_directory;
use crate::npm;
use crate::outcome::Outcome;
use crate::program::{root, shared};

/// The folder that holds `index.json` and the numbered files.
pub(crate) fn find_or_fetch() -> Outcome<PathBuf> {
    let beside = shared().map(|folder| folder.join("client-specification/specifications"));
    if let Some(folder) = beside.filter(|folder| folder.join("index.json").is_file()) {
        return Ok(folder);
    }
    let source = root().join("fixtures/client-specification");
    let installed = npm::install(&source, &target_directory()?.join("client-specification"))?;
    Ok(installed.join("node_modules/@unleash/client-specification/specifications"))
}
