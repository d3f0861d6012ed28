//! The text files of the tree: how each opens and how long it may be.

use std::fs;
use std::path::{Path, PathBuf};

use crate::outcome::Outcome;
use anyhow::Context;

/// The most lines that a source file may have.
const LINES: usize = 400;

/// Longer files, each with the reason.
const LONGER: &[(&str, &str)] = &[(
    "crates/vexil-ui/ui/text.js",
    "every text of the pages, in one place for those who review and translate them",
)];

/// What is not part of the source tree.
const SKIPPED: &[&str] = &[".git", "target", "node_modules", "__pycache__", ".vexil"];

/// One text file.
#[derive(Debug)]
pub(super) struct TextFile {
    /// Its path from the root of the workspace, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

/// Every file below `root` that holds text.
pub(super) fn text_files(root: &Path) -> Outcome<Vec<TextFile>> {
    let mut files = Vec::new();
    collect(root, root, &mut files)?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<TextFile>) -> Outcome {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry.with_context(|| folder.display().to_string())?;
        let name = entry.file_name();
        let kind = entry.file_type().with_context(|| folder.display().to_string())?;
        // `.git` is a file where the tree is a second one of its repository
        if SKIPPED.iter().any(|skipped| name == *skipped) {
            continue;
        }
        if kind.is_dir() {
            collect(root, &entry.path(), files)?;
        } else if kind.is_file()
            && let Ok(text) = fs::read_to_string(entry.path())
        {
            let path = entry.path();
            let path: PathBuf = path.strip_prefix(root).map(Path::to_path_buf).unwrap_or(path);
            files.push(TextFile {
                path: path.to_string_lossy().replace('\\', "/"),
                text,
            });
        }
    }
    Ok(())
}

/// Every file that opens with the wrong line or is too long.
pub(super) fn problems(files: &[TextFile]) -> Vec<String> {
    let mut problems: Vec<String> = files.iter().flat_map(one).collect();
    for (path, _) in LONGER {
        if !files
            .iter()
            .any(|file| file.path == *path && file.text.lines().count() > LINES)
        {
            problems.push(format!(
                "{path}: no longer too long; take it off the list in xtask/src/tidy/files.rs"
            ));
        }
    }
    problems
}

/// What is wrong with one file.
pub(super) fn one(file: &TextFile) -> Vec<String> {
    let mut problems = Vec::new();
    if !is_source(&file.path) {
        return problems;
    }
    let says_by_its_place = file.path.ends_with("/tests.rs");
    // a crate whose front page is its README says so there
    let opens = ["//! ", "#![doc = include_str!("]
        .iter()
        .any(|opening| file.text.starts_with(opening));
    if file.path.ends_with(".rs") && !says_by_its_place && !opens {
        problems.push(format!("{}: does not open with a `//!` line", file.path));
    }
    let lines = file.text.lines().count();
    if lines > LINES && !LONGER.iter().any(|(path, _)| *path == file.path) {
        problems.push(format!("{}: {lines} lines, more than {LINES}", file.path));
    }
    problems
}

fn is_source(path: &str) -> bool {
    [".rs", ".py", ".mjs", ".js", ".sh", ".sql"]
        .iter()
        .any(|ending| path.ends_with(ending))
}
