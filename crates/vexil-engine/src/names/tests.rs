use std::collections::HashMap;

use proptest::prelude::*;

use super::{LARGEST, Names};
use crate::values::hash::hash;

/// All numbers under a hash.
fn all(names: &Names, hash: u64) -> Vec<u32> {
    let mut found = Vec::new();
    let nothing: Option<()> = names.find(hash, |number| {
        found.push(number);
        None
    });
    assert_eq!(nothing, None);
    found.sort_unstable();
    found
}

#[test]
fn a_hundred_thousand_names_are_found_and_no_others() {
    let mut names = Names::default();
    let hash_of = |number: u32| hash(format!("flag-{number}").as_bytes());
    for number in 0..100_000 {
        names.add(hash_of(number), number);
    }
    assert!((0..100_000).all(|number| all(&names, hash_of(number)).contains(&number)));
    // of as many names that are not there, a few share 32 bits with one that is
    let found = (100_000..200_000).filter(|number| !all(&names, hash_of(*number)).is_empty());
    assert!(found.count() < 10);
    let largest = names.shards.iter().map(|shard| shard.slots.len()).max();
    assert_eq!(largest, Some(LARGEST));
    assert!(names.shards.len() <= 512, "{}", names.shards.len());
}

#[test]
fn names_that_all_have_the_same_hash_are_found_too() {
    let mut names = Names::default();
    (0..5_000).for_each(|number| names.add(7, number));
    assert_eq!(all(&names, 7), (0..5_000).collect::<Vec<u32>>());
    assert!(names.shards.len() <= 256);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn an_index_and_its_copies_are_maps(
        hashes in proptest::collection::vec(0_u32..400, 0..1_500),
        copied_at in 0_usize..1_500,
    ) {
        let mut names = Names::default();
        let mut map: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut copies = None;
        for (number, hash) in (0..).zip(&hashes) {
            if number as usize == copied_at {
                copies = Some((names.clone(), map.clone()));
            }
            let hash = hash.wrapping_mul(0x0800_0001);
            names.add(hash.into(), number);
            map.entry(hash).or_default().push(number);
        }
        for (names, map) in copies.into_iter().chain([(names, map)]) {
            for hash in (0_u32..400).map(|hash| hash.wrapping_mul(0x0800_0001)) {
                prop_assert_eq!(all(&names, hash.into()), map.get(&hash).cloned().unwrap_or_default());
            }
        }
    }
}
