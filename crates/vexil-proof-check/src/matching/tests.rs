use vexil_values::Pattern;

use super::texts;

fn made(pattern: &str) -> Vec<String> {
    texts(&Pattern::parse(pattern, false).unwrap())
}

#[test]
fn a_text_is_made_of_each_branch_and_each_count() {
    assert_eq!(made("^(ab|c+)$"), ["c", "ab", "cc", "ccc"]);
    assert_eq!(made("x{2,4}"), ["xx", "xxx", "xxxx"]);
    assert_eq!(made(r"1\.2\[\-"), ["1.2[-"]);
}

#[test]
fn a_text_is_made_however_often_a_letter_must_come() {
    let all = made(r"^b\n{894,}a$");
    assert_eq!(all[0], format!("b{}a", "\n".repeat(894)));
    assert_eq!(made("x{1000}"), ["x".repeat(1000)]);
}

#[test]
fn letters_come_from_the_ends_of_each_class() {
    assert_eq!(made(r"^[b-d\-]$"), ["-", "b", "d"]);
}

#[test]
fn what_matches_nothing_but_the_empty_text_makes_none() {
    assert_eq!(made("^$"), Vec::<String>::new());
}
