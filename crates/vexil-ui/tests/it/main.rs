//! What the pages offer, against what the libraries know.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use vexil_domain::Operator;

/// What stands in quotes or before a colon, in capitals, behind `start` and before the next `;`.
fn names(file: &str, start: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui").join(file);
    let text = fs::read_to_string(path).unwrap();
    let (_, behind) = text.split_once(start).unwrap();
    let (list, _) = behind.split_once(';').unwrap();
    let words = list.split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_'));
    words.filter(|word| word.len() > 1).map(str::to_owned).collect()
}

fn known(wanted: impl Fn(&Operator) -> bool) -> BTreeSet<String> {
    let operators = Operator::KNOWN.iter().filter(|operator| wanted(operator));
    operators.map(|operator| operator.name().to_owned()).collect()
}

#[test]
fn every_operator_can_be_chosen_and_has_words() {
    assert_eq!(names("form/constraints.js", "const GROUPS ="), known(|_| true));
    assert_eq!(names("text.js", "export const operatorText ="), known(|_| true));
}

#[test]
fn the_operators_with_lists_are_those_that_read_lists() {
    assert_eq!(
        names("form/constraints.js", "const LISTS ="),
        known(Operator::takes_values)
    );
}

/// The files below a folder that end so.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = entries.flat_map(|path| {
        if path.is_dir() {
            files(&path, end)
        } else {
            vec![path]
        }
    });
    let is_left_out = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "node_modules");
    below
        .filter(|path| path.to_string_lossy().ends_with(end) && !is_left_out(path))
        .collect()
}

fn words(text: &str) -> BTreeSet<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(|letter| !is_part(letter)).collect()
}

#[test]
fn whatever_a_module_exports_is_read_elsewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = files(&root.join("ui"), ".js");
    sources.extend(files(&root.join("build"), ".rs"));
    sources.extend(files(&root.join("../../ui-tests"), ".mjs"));
    let texts: Vec<(PathBuf, String)> = sources
        .into_iter()
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect();
    let known: Vec<BTreeSet<&str>> = texts.iter().map(|(_, text)| words(text)).collect();
    let (mut exported, mut unread) = (0, Vec::new());
    for (own, (path, text)) in texts.iter().enumerate() {
        let lines = text.lines().filter_map(|line| line.strip_prefix("export "));
        let named = lines.filter_map(|rest| {
            let rest = rest.trim_start_matches("async ");
            let (kind, rest) = rest.split_once(' ')?;
            let name = rest
                .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
                .next()?;
            ["const", "let", "function", "function*", "class"]
                .contains(&kind)
                .then_some(name)
        });
        for name in named {
            exported += 1;
            let elsewhere = known
                .iter()
                .enumerate()
                .any(|(place, words)| place != own && words.contains(name));
            if !elsewhere {
                unread.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(exported > 150, "{exported}");
    assert_eq!(unread, [""; 0]);
}

/// The texts in quotes that are words in small letters with dashes between.
fn dashed(text: &str, quote: char) -> BTreeSet<&str> {
    let is_dashed = |text: &&str| {
        text.contains('-')
            && text
                .split('-')
                .all(|word| !word.is_empty() && word.bytes().all(|letter| letter.is_ascii_lowercase()))
    };
    text.split(quote).filter(is_dashed).collect()
}

#[test]
fn every_kind_of_event_has_words() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let text = read(&crates.join("vexil-ui/ui/text.js"));
    let (_, behind) = text.split_once("export const eventText =").unwrap();
    let (list, _) = behind.split_once("\n};").unwrap();
    let said = dashed(list, '\'');
    let operations = crates.join("vexil-service/src/operations");
    let mut sources = files(&operations.join("audit"), ".rs");
    sources.retain(|path| !path.ends_with("tests.rs"));
    sources.extend([
        operations.join("audit.rs"),
        crates.join("vexil-change-request/src/event.rs"),
    ]);
    let mut texts: Vec<String> = sources.iter().map(|path| read(path)).collect();
    // what is told by hand
    for folder in ["vexil-service/src", "vexil-server/src"] {
        for path in files(&crates.join(folder), ".rs") {
            let text = read(&path);
            let told = text
                .split("new_event(\"")
                .skip(1)
                .filter_map(|rest| rest.split('"').next());
            texts.extend(told.map(|kind| format!("\"{kind}\"")));
        }
    }
    let kinds: BTreeSet<&str> = texts.iter().flat_map(|text| dashed(text, '"')).collect();
    assert!(kinds.len() > 80, "{kinds:?}");
    let without: Vec<&&str> = kinds.iter().filter(|kind| !said.contains(**kind)).collect();
    assert_eq!(without, [&""; 0]);
}
