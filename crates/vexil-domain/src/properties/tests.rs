use std::collections::BTreeMap;

use proptest::prelude::*;

use super::Properties;

/// Names of all lengths; long ones often share their key, being the same at both ends.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab]{0,8}",
        "a{8}[ab]{0,2}a{8}",
        "[é ]{0,5}",
        "a{126,129}",
        "é{62,65}"
    ]
}

proptest! {
    #[test]
    fn properties_are_a_map(
        set in proptest::collection::vec((name(), "[a-c]{0,2}"), 0..40),
        asked in proptest::collection::vec(name(), 10),
    ) {
        let mut properties = Properties::default();
        let mut map = BTreeMap::new();
        for (name, value) in &set {
            properties.insert(name, value.as_str());
            map.insert(name.as_str(), value.as_str());
        }
        for name in asked.iter().chain(set.iter().map(|(name, _)| name)) {
            let expected = map.get(name.as_str()).copied();
            prop_assert_eq!(properties.get(name), expected);
        }
        prop_assert!(properties.iter().eq(map.iter().map(|(name, value)| (*name, *value))));
    }
}

#[test]
fn many_properties_are_found_as_few_are() {
    let name = |number: usize| format!("property {number}");
    let mut properties = Properties::default();
    for number in 0..3 * 40 {
        properties.insert(&name(number), number.to_string());
        properties.insert(&name(number / 2), (number / 2).to_string());
        assert_eq!(properties.len(), number + 1);
    }
    for number in 0..3 * 40 {
        assert_eq!(properties.get(&name(number)), Some(number.to_string().as_str()));
    }
    assert_eq!(properties.get(&name(3 * 40)), None);
}

#[test]
fn what_does_not_fit_is_found_all_the_same() {
    let (long, huge) = ("n".repeat(300), "v".repeat(70_000));
    let mut properties = Properties::default();
    for (name, value) in [(long.as_str(), "1"), ("a", "2"), ("b", huge.as_str()), ("", "3")] {
        properties.insert(name, value);
        assert_eq!(properties.get(name), Some(value));
    }
    for (name, value) in [
        ("a", huge.as_str()),
        ("b", "4"),
        ("a", "5"),
        (long.as_str(), "6"),
        ("c", "7"),
    ] {
        properties.insert(name, value);
        assert_eq!(properties.get(name), Some(value));
    }
    let all: Vec<(&str, &str)> = properties.iter().collect();
    assert_eq!(
        all,
        [
            ("", "3"),
            ("a", "5"),
            ("b", "4"),
            ("c", "7"),
            (long.as_str(), "6")
        ]
    );
}

#[test]
fn a_name_of_no_characters_is_a_name_whatever_else_is_set() {
    // among so many names is one whose tag is that of the empty one
    for number in 0..1_000 {
        let other = format!("{number}");
        let mut properties = Properties::default();
        for (name, value) in [("a", ""), (other.as_str(), ""), ("", "x")] {
            properties.insert(name, value);
        }
        assert_eq!(properties.get(""), Some("x"), "{number}");
        assert_eq!((properties.get(&other), properties.len()), (Some(""), 3));
    }
}

#[test]
fn equal_properties_are_equal_in_whatever_order_they_were_set() {
    let one: Properties = [("a", "1"), ("b", "2")].into_iter().collect();
    let mut other: Properties = [("b", "a long value that is replaced"), ("a", "1")]
        .into_iter()
        .collect();
    assert_ne!(one, other);
    other.insert("b", "2");
    assert_eq!(one, other);
    assert_eq!(format!("{one:?}"), r#"{"a": "1", "b": "2"}"#);
}
