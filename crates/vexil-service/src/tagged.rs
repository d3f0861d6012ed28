//! The flags that have one of the tags that an SDK asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vexil_client_api::client_features::TaggedFlags;
use vexil_domain::{FeatureFlag, FlagName, Snapshot, Tag};

/// The live flags with each tag, in the order of their names: so nobody who asks for tags has all flags gone through.
#[derive(Debug, Default)]
pub struct FlagsByTag(BTreeMap<Tag, Vec<Arc<FeatureFlag>>>);

impl FlagsByTag {
    /// Finds them.
    pub(crate) fn of(snapshot: &Snapshot) -> Self {
        let mut by_tag = BTreeMap::<Tag, Vec<Arc<FeatureFlag>>>::new();
        for flag in snapshot.flags.values().filter(|flag| !flag.is_archived()) {
            for tag in &flag.tags {
                by_tag.entry(tag.clone()).or_default().push(Arc::clone(flag));
            }
        }
        Self(by_tag)
    }
}

/// Some tags, and those of the flags somebody may be told of that have one of them: so an answer to who asks for tags
/// is another one when a flag gets or loses such a tag, and all other answers stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tagged {
    tags: Vec<[String; 2]>,
    flags: Vec<FlagName>,
}

impl Tagged {
    /// Finds the flags among those that `is_told` lets through.
    pub fn of(tags: &BTreeSet<Tag>, by_tag: &FlagsByTag, is_told: impl Fn(&FeatureFlag) -> bool) -> Self {
        let with_tag = tags.iter().filter_map(|tag| by_tag.0.get(tag)).flatten();
        let told = with_tag.filter(|flag| is_told(flag));
        let names: BTreeSet<&FlagName> = told.map(|flag| &flag.name).collect();
        Self {
            tags: tags
                .iter()
                .map(|tag| [tag.kind.clone(), tag.value.clone()])
                .collect(),
            flags: names.into_iter().cloned().collect(),
        }
    }

    /// The same for who writes the answer.
    pub(crate) fn asked(&self) -> TaggedFlags<'_> {
        TaggedFlags {
            tags: &self.tags,
            flags: &self.flags,
        }
    }

    /// How many bytes its texts take.
    pub(crate) fn bytes(&self) -> usize {
        let tags = self
            .tags
            .iter()
            .flatten()
            .map(|text| size_of::<String>() + text.len());
        let flags = self
            .flags
            .iter()
            .map(|name| size_of::<FlagName>() + name.as_str().len());
        tags.chain(flags).sum()
    }
}
