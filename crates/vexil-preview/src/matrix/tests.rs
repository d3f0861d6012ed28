use super::*;

fn matrix(fields: &[(&str, &str)]) -> ContextMatrix {
    let mut matrix = ContextMatrix::new();
    for (name, text) in fields {
        matrix.set_text(name, text);
    }
    matrix
}

fn all(matrix: &ContextMatrix) -> Vec<String> {
    let mut cursor = matrix.first();
    let mut found = Vec::new();
    loop {
        found.push(
            cursor
                .values()
                .map(|(_, value)| value)
                .collect::<Vec<_>>()
                .join("|"),
        );
        if !cursor.advance() {
            return found;
        }
    }
}

#[test]
fn the_last_field_turns_fastest() {
    let matrix = matrix(&[("userId", "1,2"), ("sessionId", "x"), ("appName", "a,b")]);
    assert_eq!(all(&matrix), ["1|x|a", "1|x|b", "2|x|a", "2|x|b"]);
}

#[test]
fn nothing_is_trimmed_and_empty_parts_and_duplicates_stay() {
    assert_eq!(all(&matrix(&[("city", "a, b,,a,")])), ["a", " b", "", "a", ""]);
}

#[test]
fn a_matrix_without_fields_has_one_combination() {
    let matrix = ContextMatrix::new();
    assert_eq!(matrix.count(), 1);
    assert_eq!(all(&matrix), [""]);
}

#[test]
fn counting_a_product_beyond_all_bounds_does_not_overflow() {
    let ten = vec!["x".to_owned(); 10];
    let mut matrix = ContextMatrix::new();
    for field in 0..60 {
        matrix.set(&format!("f{field}"), ten.clone());
    }
    assert_eq!(matrix.count(), u128::MAX);
}

#[test]
fn combinations_are_numbered_in_the_order_of_the_walk() {
    let matrix = matrix(&[("a", "1,2"), ("b", "1,2,3"), ("c", "x")]);
    let mut cursor = matrix.first();
    for number in 0..6 {
        assert_eq!(cursor.combination(), number);
        assert_eq!(matrix.at(number).unwrap().digits(), cursor.digits());
        assert_eq!(cursor.advance(), number < 5);
    }
    assert!(matrix.at(6).is_none());
    assert!(ContextMatrix::new().at(0).is_some());
}

#[test]
fn setting_a_field_again_keeps_its_place() {
    assert_eq!(all(&matrix(&[("a", "1"), ("b", "2"), ("a", "3")])), ["3|2"]);
}

#[test]
fn the_environment_stands_in_only_where_none_is_given() {
    let given = matrix(&[("environment", "elsewhere")])
        .first()
        .context("production");
    assert_eq!(given.environment.as_deref(), Some("elsewhere"));
    let empty = matrix(&[("environment", "")]).first().context("production");
    assert_eq!(empty.environment.as_deref(), Some("production"));
}
