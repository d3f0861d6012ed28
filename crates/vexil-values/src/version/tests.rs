use proptest::prelude::*;

use super::Version;

fn looks_like_a_version() -> impl Strategy<Value = String> {
    let number = prop_oneof!["0", "[1-9][0-9]{0,3}", "0[0-9]", "18446744073709551616", ""];
    let part = prop_oneof![
        "[0-9]{1,3}",
        "[a-z-]{1,3}",
        "0[a-z]",
        "01",
        "99999999999999999999999",
        "é",
        ""
    ];
    let parts = |mark: &'static str| {
        proptest::option::weighted(0.5, proptest::collection::vec(part.clone(), 1..4))
            .prop_map(move |parts| parts.map_or(String::new(), |parts| format!("{mark}{}", parts.join("."))))
    };
    let core = proptest::collection::vec(number, 2..5).prop_map(|numbers| numbers.join("."));
    (
        prop_oneof![8 => Just(""), 1 => Just("v"), 1 => Just(" ")],
        core,
        parts("-"),
        parts("+"),
    )
        .prop_map(|(lead, core, pre, build)| format!("{lead}{core}{pre}{build}"))
}

proptest! {
    #[test]
    fn agrees_with_the_crate_semver(left in looks_like_a_version(), right in looks_like_a_version()) {
        let reference = (semver::Version::parse(&left).ok(), semver::Version::parse(&right).ok());
        let ours = (Version::parse(&left), Version::parse(&right));
        prop_assert_eq!(ours.0.is_some(), reference.0.is_some(), "{}", left);
        prop_assert_eq!(ours.1.is_some(), reference.1.is_some(), "{}", right);
        if let ((Some(a), Some(b)), (Some(c), Some(d))) = (ours, reference) {
            prop_assert_eq!(a.cmp(&b), c.cmp_precedence(&d));
            prop_assert_eq!(a.cmp(&b).is_eq(), a == b);
            let text = a.to_string();
            prop_assert_eq!(Version::parse(&text), Some(a));
            prop_assert_eq!(Version::of(a.core(), a.pre()), Some(a));
        }
    }
}
