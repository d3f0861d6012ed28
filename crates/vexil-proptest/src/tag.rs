//! Tags of flags, and their types.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::collection::btree_set;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use vexil_domain::{Tag, TagType};

use crate::memoized::memoized;
use crate::text::arb_text;

const TYPES: [&str; 3] = ["simple", "team", "größe"];

/// Up to two tags, few enough that flags often have the same.
pub fn arb_tags() -> BoxedStrategy<BTreeSet<Tag>> {
    memoized!(BTreeSet<Tag>, {
        let tag = (select(&TYPES[..]), arb_value()).prop_map(|(kind, value)| Tag::new(kind, value));
        btree_set(tag, 0..3).boxed()
    })
}

/// Some types of tags, each with a few of them.
pub fn arb_tag_types() -> BoxedStrategy<BTreeMap<String, Arc<TagType>>> {
    let text = || option::of(arb_text());
    let facts = (text(), text(), text(), btree_set(arb_value(), 0..3));
    let kind = facts.prop_map(|(description, icon, color, values)| TagType {
        description,
        icon,
        color,
        values,
        ..TagType::new("")
    });
    let names = subsequence(TYPES.to_vec(), 0..=TYPES.len());
    (names, proptest::collection::vec(kind, TYPES.len()))
        .prop_map(|(names, kinds)| {
            let named = names.into_iter().map(str::to_owned).zip(kinds);
            named
                .map(|(name, kind)| {
                    let kind = TagType {
                        name: name.clone(),
                        ..kind
                    };
                    (name, Arc::new(kind))
                })
                .collect()
        })
        .boxed()
}

fn arb_value() -> BoxedStrategy<String> {
    memoized!(String, { prop_oneof![4 => "[ab]", 1 => arb_text()].boxed() })
}
