use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Properties, PropertyKey};

/// Names of all lengths; long ones often share their key, being the same at both ends.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[ab]{0,8}", "a{8}[ab]{0,2}a{8}", "[é ]{0,5}"]
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
            prop_assert_eq!(properties.get_by_key(PropertyKey::new(name), || name), expected);
        }
        prop_assert!(properties.iter().eq(map.iter().map(|(name, value)| (*name, *value))));
    }
}

#[test]
fn short_names_have_keys_of_their_own() {
    let names = ["", "a", "\0", "\0\0", "ab", "ba", "country", "countrz", "versiom"];
    for one in names {
        for other in names {
            assert_eq!(
                PropertyKey::new(one) == PropertyKey::new(other),
                one == other,
                "{one:?} {other:?}"
            );
        }
    }
}
