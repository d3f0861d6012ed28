//! What an edit did to what people note about a flag.

use serde_json::{Value, json};
use vexil_admin_api::flag_upkeep::status_of;
use vexil_domain::{FeatureFlag, FlagLink};

use super::entry::{Entries, Entry};

/// Entries about links, and about a flag that is done; `about` makes one about the flag.
pub(super) fn entries(
    was: &FeatureFlag,
    now: &FeatureFlag,
    about: impl Fn(&'static str) -> Entry,
) -> Entries {
    let mut entries = Vec::new();
    for link in &now.links {
        match with_id(was, link) {
            None => entries.push(about("feature-link-added").with(&told(link))?),
            Some(old) if old != link => {
                let entry = about("feature-link-updated").with(&told(link))?;
                entries.push(entry.with_earlier(&told(old))?);
            }
            Some(_) => {}
        }
    }
    for gone in was.links.iter().filter(|link| with_id(now, link).is_none()) {
        entries.push(about("feature-link-removed").with_earlier(&told(gone))?);
    }
    match &now.completed {
        Some(done) if was.completed.as_ref() != Some(done) => {
            let told = json!({ "status": status_of(done), "statusValue": done.value, "kept": done.kept });
            entries.push(about("feature-completed").with(&told)?);
        }
        // a flag that is revived begins anew, and its entry says so
        None if was.completed.is_some() && !was.is_archived() => {
            entries.push(about("feature-uncompleted"));
        }
        _ => {}
    }
    Ok(entries)
}

fn with_id<'a>(flag: &'a FeatureFlag, link: &FlagLink) -> Option<&'a FlagLink> {
    flag.links.iter().find(|other| other.id == link.id)
}

fn told(link: &FlagLink) -> Value {
    json!({ "url": link.url, "title": link.title })
}
