//! The flags that have one of the tags that an SDK asks for.

use std::collections::BTreeSet;

use vexil_client_api::client_features::TaggedFlags;
use vexil_domain::{FlagName, Snapshot, Tag};

/// Some tags, and the live flags that have one of them: so an answer to who asks for tags is another one when a flag
/// gets or loses such a tag, and all other answers stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Tagged {
    tags: Vec<[String; 2]>,
    flags: Vec<FlagName>,
}

impl Tagged {
    /// Finds the flags.
    pub(crate) fn of(tags: &BTreeSet<Tag>, snapshot: &Snapshot) -> Self {
        let live = snapshot.flags.values().filter(|flag| !flag.is_archived());
        let tagged = live.filter(|flag| flag.tags.iter().any(|tag| tags.contains(tag)));
        Self {
            tags: tags
                .iter()
                .map(|tag| [tag.kind.clone(), tag.value.clone()])
                .collect(),
            flags: tagged.map(|flag| flag.name.clone()).collect(),
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
