//! Rules that hold for the whole tree and that no compiler knows.

mod arrows;
mod circles;
mod documents;
mod files;
mod manifests;
mod modules;
mod parsers;
mod sentences;
#[cfg(test)]
mod tests;
mod words;

use crate::metadata;
use crate::outcome::Outcome;
use crate::program::root;
use anyhow::Error;

/// Reports every broken rule, and fails when there is one.
pub(crate) fn run() -> Outcome {
    let problems = problems()?;
    for problem in &problems {
        println!("tidy: {problem}");
    }
    match problems.len() {
        0 => Ok(()),
        count => Err(Error::msg(format!("tidy: {count} broken rules"))),
    }
}

/// Every broken rule, each with its place.
fn problems() -> Outcome<Vec<String>> {
    let packages = metadata::workspace()?;
    let files = files::text_files(&root())?;
    let mut problems = arrows::problems(&packages)?;
    problems.extend(circles::problems(&packages)?);
    problems.extend(manifests::problems(&packages)?);
    problems.extend(documents::problems(&packages)?);
    problems.extend(documents::missing_files(&files));
    problems.extend(files::problems(&files));
    problems.extend(parsers::problems(&files));
    problems.extend(words::problems(&files));
    problems.extend(sentences::problems(&files));
    Ok(problems)
}
