use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::SmallMap;

/// What can be done with a map.
#[derive(Debug, Clone)]
enum Step {
    Insert(u8, u16),
    Remove(u8),
    GetOrInsert(u8, u16),
    Change(u8, u16),
    Extend(Vec<(u8, u16)>),
    ChangeAll(u16),
    Shrink,
    Clear,
}

fn arb_step() -> impl Strategy<Value = Step> {
    let key = 0..12_u8;
    prop_oneof![
        4 => (key.clone(), any::<u16>()).prop_map(|(key, value)| Step::Insert(key, value)),
        2 => key.clone().prop_map(Step::Remove),
        1 => (key.clone(), any::<u16>()).prop_map(|(key, value)| Step::Change(key, value)),
        1 => (key.clone(), any::<u16>()).prop_map(|(key, value)| Step::GetOrInsert(key, value)),
        1 => vec((key, any::<u16>()), 0..6).prop_map(Step::Extend),
        1 => any::<u16>().prop_map(Step::ChangeAll),
        1 => Just(Step::Shrink),
        1 => Just(Step::Clear),
    ]
}

proptest! {
    #[test]
    fn it_is_the_map_of_the_standard_library(steps in vec(arb_step(), 0..40)) {
        let (mut small, mut tree) = (SmallMap::new(), BTreeMap::new());
        for step in steps {
            match step {
                Step::Insert(key, value) => prop_assert_eq!(small.insert(key, value), tree.insert(key, value)),
                Step::Remove(key) => prop_assert_eq!(small.remove(&key), tree.remove(&key)),
                Step::GetOrInsert(key, value) => {
                    prop_assert_eq!(small.get_or_insert_with(key, || value), tree.entry(key).or_insert(value));
                }
                Step::Change(key, value) => {
                    let small = small.get_mut(&key).map(|known| std::mem::replace(known, value));
                    let tree = tree.get_mut(&key).map(|known| std::mem::replace(known, value));
                    prop_assert_eq!(small, tree);
                }
                Step::Extend(entries) => {
                    small.extend(entries.clone());
                    tree.extend(entries);
                }
                Step::ChangeAll(by) => {
                    small.values_mut().for_each(|value| *value = value.wrapping_add(by));
                    tree.values_mut().for_each(|value| *value = value.wrapping_add(by));
                }
                Step::Shrink => small.shrink_to_fit(),
                Step::Clear => {
                    small.clear();
                    tree.clear();
                }
            }
            prop_assert!(small.iter().eq(&tree) && (&small).into_iter().eq(&tree));
            prop_assert!(small.keys().eq(tree.keys()) && small.values().eq(tree.values()));
            prop_assert_eq!((small.len(), small.is_empty()), (tree.len(), tree.is_empty()));
            for key in 0..12 {
                prop_assert_eq!(small.get(&key), tree.get(&key));
                prop_assert_eq!(small.contains_key(&key), tree.contains_key(&key));
            }
        }
        prop_assert_eq!(format!("{small:?}"), format!("{tree:?}"));
        prop_assert!(small.clone().into_iter().eq(tree));
    }

    #[test]
    fn of_entries_with_one_key_the_last_counts(entries in vec((0..6_u8, any::<u16>()), 0..12)) {
        let tree: BTreeMap<u8, u16> = entries.iter().copied().collect();
        let small: SmallMap<u8, u16> = entries.into_iter().collect();
        prop_assert!(small.into_iter().eq(tree));
    }
}

#[test]
fn a_name_is_found_by_its_text() {
    let map = SmallMap::from([("rollout".to_owned(), 50), ("groupId".to_owned(), 1)]);
    assert_eq!(
        (map["rollout"], map.get("groupId"), map.get("x")),
        (50, Some(&1), None)
    );
}
