//! Sentences of the documents that claim something of everything: each names the test that holds it.

use std::collections::BTreeSet;

use super::files::TextFile;

/// The documents whose sentences are checked.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "docs/ACCESS.md",
    "docs/ARCHITECTURE.md",
    "docs/COMPATIBILITY.md",
    "docs/PREVIEW.md",
    "docs/PROOF.md",
    "docs/UI.md",
];

/// The document whose tables name a test in each row.
const ROWS: &str = "docs/COMPATIBILITY.md";

/// Words with which a sentence claims something of everything, or of nothing else.
const CLAIMS: &[&str] = &["every", "only", "never"];

/// What makes a claim of the number: "the one place", "exactly one".
const BEFORE_ONE: &[&str] = &["the", "exactly"];
/// The same: "one parser for each kind".
const AFTER_ONE: &[&str] = &["list", "mapping", "parser", "place", "table", "writer"];

/// What holds a sentence although it is no test of this tree: a task, or data that tests read.
const OTHER: &[&str] = &["cargo xtask ", "clippy.toml"];

/// What a row may name in place of a test: cases that are data.
const DATA: &[&str] = &["the client specification", "the engine cases"];

/// Every sentence that names no test, and every test named that is not there.
pub(super) fn problems(files: &[TextFile]) -> Vec<String> {
    let tests = tests(files);
    let documents = files
        .iter()
        .filter(|file| DOCUMENTS.contains(&file.path.as_str()));
    documents.flat_map(|file| one(file, &tests)).collect()
}

/// The names of all functions of files that hold tests.
pub(super) fn tests(files: &[TextFile]) -> BTreeSet<&str> {
    let sources = files.iter().filter(|file| {
        let path = &file.path;
        path.ends_with(".rs")
            && (path.contains("/tests") || path.contains("/conformance") || file.text.contains("#[test]"))
    });
    let names = sources.flat_map(|file| {
        file.text.split("fn ").skip(1).filter_map(|rest| {
            let end = rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))?;
            rest.get(..end)
        })
    });
    names.collect()
}

/// The problems of one document.
pub(super) fn one(file: &TextFile, tests: &BTreeSet<&str>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut wants_tests = false;
    for (line, text) in units(&file.text) {
        let place = format!("{}:{line}", file.path);
        let quoted: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
        for name in quoted.iter().filter(|name| is_test_name(name)) {
            if !tests.contains(*name) {
                problems.push(format!("{place}: there is no test `{name}`"));
            }
        }
        if text.starts_with('|') {
            wants_tests |= has_last_cell(&text, "test");
            if file.path == ROWS && wants_tests && !is_head(&text) && !names_a_test(&text, &quoted, tests) {
                problems.push(format!("{place}: the row names no test"));
            }
            continue;
        }
        wants_tests = false;
        for sentence in sentences(&text) {
            let quoted: Vec<&str> = sentence.split('`').skip(1).step_by(2).collect();
            if let Some(word) = claim(&sentence)
                && !is_held(&quoted, tests)
            {
                problems.push(format!(
                    "{place}: says `{word}` and names no test: {}",
                    sentence.trim()
                ));
            }
        }
    }
    problems
}

/// Table rows, and paragraphs and list items with their lines joined; each with the line that it begins at. Code and
/// headings are left out.
fn units(text: &str) -> Vec<(usize, String)> {
    let mut units: Vec<(usize, String)> = Vec::new();
    let (mut open, mut code) = (false, false);
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.starts_with("```") {
            code = !code;
            open = false;
        } else if code || text.is_empty() || text.starts_with('#') {
            open = false;
        } else if text.starts_with('|') || text.starts_with("- ") || !open {
            units.push((line, text.to_owned()));
            open = !text.starts_with('|');
        } else if let Some((_, before)) = units.last_mut() {
            before.push(' ');
            before.push_str(text);
        }
    }
    units
}

/// The sentences of a paragraph.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        quoted ^= letter == '`';
        if let Some(sentence) = sentences.last_mut() {
            sentence.push(letter);
        }
        let ends = matches!(letter, '.' | '!' | '?') && letters.peek().is_none_or(|next| *next == ' ');
        if ends && !quoted {
            sentences.push(String::new());
        }
    }
    sentences
}

/// The word with which a sentence claims something, outside of code.
fn claim(sentence: &str) -> Option<&'static str> {
    let prose: String = sentence.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let prose = prose.to_lowercase();
    let words: Vec<&str> = prose.split(|letter: char| !letter.is_alphanumeric()).collect();
    let one = words.windows(3).any(|near| match near {
        [before, "one", after] => BEFORE_ONE.contains(before) && *after != "of" || AFTER_ONE.contains(after),
        _ => false,
    });
    let claim = CLAIMS.iter().copied().find(|claim| words.contains(claim));
    claim.or(one.then_some("one"))
}

/// Whether a name can be that of a test: a sentence in lower case with `_` between its words.
fn is_test_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    name.matches('_').count() >= 3 && !name.starts_with('_') && name.chars().all(is_plain)
}

fn is_head(row: &str) -> bool {
    has_last_cell(row, "test") || row.starts_with("|---") || row.starts_with("| ---")
}

fn has_last_cell(row: &str, text: &str) -> bool {
    let last = row.trim_end_matches('|').rsplit('|').next();
    last.is_some_and(|last| last.trim() == text)
}

fn is_held(quoted: &[&str], tests: &BTreeSet<&str>) -> bool {
    let is_other = |name: &str| OTHER.iter().any(|other| name.starts_with(other));
    quoted.iter().any(|name| tests.contains(name) || is_other(name))
}

fn names_a_test(row: &str, quoted: &[&str], tests: &BTreeSet<&str>) -> bool {
    is_held(quoted, tests) || DATA.iter().any(|data| row.contains(data))
}
