use super::*;

fn settled(given: &[(&str, u32, WeightType)]) -> Vec<(String, u32)> {
    let mut variants: Vec<Variant> = given
        .iter()
        .map(|(name, weight, weight_type)| Variant {
            name: (*name).to_owned(),
            weight: *weight,
            weight_type: weight_type.clone(),
            stickiness: None,
            payload: None,
            overrides: Vec::new(),
        })
        .collect();
    settle(&mut variants);
    variants
        .into_iter()
        .map(|variant| (variant.name, variant.weight))
        .collect()
}

fn variable(names: &[&str]) -> Vec<(String, u32)> {
    let given: Vec<_> = names
        .iter()
        .map(|name| (*name, 0, WeightType::Variable))
        .collect();
    settled(&given)
}

fn pairs(expected: &[(&str, u32)]) -> Vec<(String, u32)> {
    expected
        .iter()
        .map(|(name, weight)| ((*name).to_owned(), *weight))
        .collect()
}

#[test]
fn the_first_variable_variants_as_given_take_what_does_not_divide() {
    assert_eq!(
        variable(&["a", "b", "c"]),
        pairs(&[("a", 334), ("b", 333), ("c", 333)])
    );
    let six = [
        ("a", 167),
        ("b", 167),
        ("c", 167),
        ("d", 167),
        ("e", 166),
        ("f", 166),
    ];
    assert_eq!(variable(&["a", "b", "c", "d", "e", "f"]), pairs(&six));
    assert_eq!(
        variable(&["g", "f", "e", "d", "c", "b", "a"]),
        pairs(&[
            ("a", 142),
            ("b", 143),
            ("c", 143),
            ("d", 143),
            ("e", 143),
            ("f", 143),
            ("g", 143)
        ])
    );
}

#[test]
fn variable_variants_share_what_fixed_ones_leave() {
    use WeightType::{Fix, Variable};
    assert_eq!(
        settled(&[
            ("a", 9, Variable),
            ("b", 334, Fix),
            ("c", 9, Variable),
            ("d", 9, Variable),
            ("e", 9, Variable)
        ]),
        pairs(&[("a", 167), ("b", 334), ("c", 167), ("d", 166), ("e", 166)])
    );
    assert_eq!(
        settled(&[
            ("a", 0, Variable),
            ("b", 999, Fix),
            ("c", 0, Variable),
            ("d", 0, Variable)
        ]),
        pairs(&[("a", 1), ("b", 999), ("c", 0), ("d", 0)])
    );
    assert_eq!(
        settled(&[("a", 5, Variable), ("b", 1000, Fix)]),
        pairs(&[("a", 0), ("b", 1000)])
    );
}

#[test]
fn names_are_in_the_order_in_which_unleash_stores_them() {
    let names = [
        "_", "_(", "_0BB", "_9*", "-", "-_", "-'", "-)9a", "-z~Z", "-Zz", "!", ".-'", ".(.(", ".(a", ".)9",
        ".~.", "'", "'_", "'_'9", "'!B", "'1!", "(..", "()(", "(B(", ")0", "*.", "*A.", "~Bbb", "0", "0!",
        "0.", "0Z", "1", "1bZA", "1Z", "9-_Z", "9Z!Z", "a_z", "a.~", "a)~.", "a*bZ", "A1", "AZ~.", "B",
        "B_9", "B*Z", "b~", "b~z", "b1.9", "b9", "B9", "BBaa", "bz", "z.b", "z'", "Z''", "Z*", "Zb",
    ];
    let mut reversed = names;
    reversed.reverse();
    let stored: Vec<String> = variable(&reversed).into_iter().map(|(name, _)| name).collect();
    assert_eq!(stored, names);
}
