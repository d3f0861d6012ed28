//! Words that do not belong in the tree, or not in some part of it.

use super::files::TextFile;

/// Words that no file may hold, and why. Written in halves so that this file does not hold them.
const NOWHERE: &[(&str, &str)] = &[
    (concat!("TO", "DO"), "unfinished work"),
    (concat!("FIX", "ME"), "unfinished work"),
    (concat!("XX", "X:"), "unfinished work"),
    (concat!("/wo", "rk/"), "a path of one machine"),
    (concat!("/ro", "ot/"), "a path of one machine"),
    (concat!("/ho", "me/"), "a path of one machine"),
    (concat!("registry.", "npmjs"), "the host of a package registry"),
    (concat!("pypi.", "org"), "the host of a package registry"),
    (concat!("pythonhosted.", "org"), "the host of a package registry"),
    (concat!("static.", "crates.io"), "the host of a package registry"),
    (concat!("index.", "crates.io"), "the host of a package registry"),
    (concat!("deb.", "debian.org"), "the host of a package registry"),
];

/// The crates that wait.
const ASYNC: [&str; 2] = ["crates/vexil-server/", "crates/vexil-service/"];

/// The crates whose words are Vexil's own: Unleash's old word for a flag stays in the two
/// crates of documents and the server.
const OWN_WORDS: &[&str] = &[
    "crates/vexil-domain/src/",
    "crates/vexil-engine/src/",
    "crates/vexil-change-request/src/",
    "crates/vexil-metrics/src/",
    "crates/vexil-store/src/",
    "crates/vexil-proptest/src/",
];

/// What a type that tells what went wrong may not be called. There are three words: an error says why something was
/// not done, a problem is what is wrong in what was given, a warning is a problem that was passed over.
const OTHER_WORDS_FOR_WRONG: &[&str] = &[
    "Broken",
    "Fault",
    "Failed",
    "Failure",
    "Issue",
    "Refusal",
    "Refused",
    "Unreadable",
    "Unusable",
];

/// Who signs what OpenID Connect hands on; no word for what went wrong.
const ISSUER: &str = "Issuer";

/// Every unwanted word with its line.
pub(super) fn problems(files: &[TextFile]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path != "Cargo.lock")
        .flat_map(one)
        .collect()
}

/// The unwanted words of one file.
pub(super) fn one(file: &TextFile) -> Vec<String> {
    let mut problems = Vec::new();
    let own = OWN_WORDS.iter().any(|folder| file.path.starts_with(folder));
    let library = file.path.starts_with("crates/")
        && file.path.contains("/src/")
        && !ASYNC.iter().any(|folder| file.path.starts_with(folder));
    for (number, line) in file.text.lines().enumerate() {
        let place = format!("{}:{}", file.path, number + 1);
        for (word, why) in NOWHERE {
            if line.contains(word) {
                problems.push(format!("{place}: `{word}` is {why}"));
            }
        }
        if own && line.to_lowercase().contains("toggle") {
            problems.push(format!(
                "{place}: `toggle` is Unleash's old word; it is a feature flag here"
            ));
        }
        if file.path.ends_with(".rs")
            && let Some(name) = defined_type(line)
            && OTHER_WORDS_FOR_WRONG
                .iter()
                .any(|word| name.replace(ISSUER, "").contains(word))
        {
            problems.push(format!(
                "{place}: `{name}` tells what went wrong: say `Error`, `Problem` or `Warning` (docs/STYLE.md)"
            ));
        }
        if library
            && file.path.ends_with(".rs")
            && ["async fn", "async move", "async {"]
                .iter()
                .any(|it| line.contains(it))
        {
            problems.push(format!("{place}: only vexil-service and vexil-server are async"));
        }
    }
    problems
}

/// The type that a line defines.
fn defined_type(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    words.find(|word| ["struct", "enum", "trait", "type"].contains(word))?;
    let begins = ["pub", "struct", "enum", "trait", "type"];
    let first = line.split_whitespace().next()?;
    let name = words.next()?;
    let end = name
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(name.len());
    begins
        .iter()
        .any(|word| first.starts_with(word))
        .then(|| name.get(..end))?
}
