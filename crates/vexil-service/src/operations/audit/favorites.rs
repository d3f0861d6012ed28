//! What a user has marked, and no longer marks.

use std::collections::BTreeSet;

use serde_json::json;
use vexil_domain::{FlagName, ProjectId, Snapshot};
use vexil_store::User;

use super::entry::Entry;

/// The entries of a change to somebody's favourites. Marks that go with what they were on are part of that.
pub(super) fn entries(was: &User, now: &User, after: &Snapshot) -> Vec<Entry> {
    let (was, now) = (&was.favorites, &now.favorites);
    let flags = different(&was.flags, &now.flags).filter(|(name, _)| after.flags.contains_key(*name));
    let projects = different(&was.projects, &now.projects).filter(|(id, _)| after.projects.contains_key(*id));
    flags.map(flag).chain(projects.map(project)).collect()
}

/// What is in one of two sets alone, and whether it is in the second.
fn different<'a, T: Ord>(was: &'a BTreeSet<T>, now: &'a BTreeSet<T>) -> impl Iterator<Item = (&'a T, bool)> {
    was.symmetric_difference(now).map(|it| (it, now.contains(it)))
}

fn flag((name, is_marked): (&FlagName, bool)) -> Entry {
    let kind = if is_marked {
        "feature-favorited"
    } else {
        "feature-unfavorited"
    };
    Entry {
        flag: Some(name.clone()),
        data: Some(json!({ "feature": name.as_str() }).to_string()),
        ..Entry::new(kind)
    }
}

fn project((id, is_marked): (&ProjectId, bool)) -> Entry {
    let kind = if is_marked {
        "project-favorited"
    } else {
        "project-unfavorited"
    };
    Entry {
        data: Some(json!({ "project": id.as_str() }).to_string()),
        ..Entry::new(kind).in_project(Some(id))
    }
}
