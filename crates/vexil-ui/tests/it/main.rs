//! What the pages offer, against what the libraries know.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
