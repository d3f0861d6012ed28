//! What an edit did to tags and their types.

use vexil_admin_api::tag::{TagDocument, TagTypeDocument};
use vexil_domain::{FeatureFlag, TagType, Write};

use super::entry::{Entries, Entry};

/// What an edit did to a type, and which of its tags it made and removed.
pub(super) fn tag_type(earlier: Option<&TagType>, put: &Write<String, TagType>) -> Entries {
    let none;
    let (was, now) = match (earlier, put) {
        (Some(was), Write::Delete(_)) => {
            let entry = Entry::new("tag-type-deleted");
            return Ok(vec![entry.with_earlier(&TagTypeDocument::of(was))?]);
        }
        (None, Write::Delete(_)) => return Ok(Vec::new()),
        (Some(was), Write::Upsert(now)) => (was, now),
        (None, Write::Upsert(now)) => {
            none = TagType::new(&now.name);
            (&none, now)
        }
    };
    let mut entries = Vec::new();
    let told = |kind: &TagType| (kind.description.clone(), kind.icon.clone(), kind.color.clone());
    if earlier.is_none() {
        entries.push(Entry::new("tag-type-created").with(&TagTypeDocument::of(now))?);
    } else if told(was) != told(now) {
        let entry = Entry::new("tag-type-updated").with(&TagTypeDocument::of(now))?;
        entries.push(entry.with_earlier(&TagTypeDocument::of(was))?);
    }
    for value in now.values.difference(&was.values) {
        entries.push(Entry::new("tag-created").with(&TagDocument::of_type(now, value))?);
    }
    for value in was.values.difference(&now.values) {
        entries.push(Entry::new("tag-deleted").with_earlier(&TagDocument::of_type(was, value))?);
    }
    Ok(entries)
}

/// Which tags an edit put on a flag, and which it took off.
pub(super) fn of_flag(was: &FeatureFlag, now: &FeatureFlag) -> Entries {
    let about = |kind| Entry {
        flag: Some(now.name.clone()),
        ..Entry::new(kind).in_project(Some(&now.project))
    };
    let mut entries = Vec::new();
    for tag in now.tags.difference(&was.tags) {
        entries.push(about("feature-tagged").with(&TagDocument::of(tag))?);
    }
    for tag in was.tags.difference(&now.tags) {
        entries.push(about("feature-untagged").with_earlier(&TagDocument::of(tag))?);
    }
    Ok(entries)
}
