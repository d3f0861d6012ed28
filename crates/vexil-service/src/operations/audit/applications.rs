//! What an edit did to what is kept of applications.

use std::collections::BTreeSet;

use super::entry::Entry;
use crate::operations::known_applications::{KnownApplication, KnownApplications, shown};

/// Entries about applications of which something else is said, and about those that are forgotten.
pub(super) fn entries(was: &KnownApplications, now: &KnownApplications) -> Vec<Entry> {
    let names: BTreeSet<&String> = was.keys().chain(now.keys()).collect();
    let none = KnownApplication::default();
    let told = names.into_iter().filter_map(|name| {
        let known = |all: &'_ KnownApplications| all.get(name).unwrap_or(&none).clone();
        application(name, &known(was), &known(now))
    });
    told.collect()
}

fn application(name: &str, was: &KnownApplication, now: &KnownApplication) -> Option<Entry> {
    let before = was.said.is_some().then(|| shown(name, was).to_string());
    if now.said.is_some() {
        let data = Some(shown(name, now).to_string());
        return (data != before).then(|| Entry {
            data,
            pre_data: before,
            ..Entry::new("application-updated")
        });
    }
    let is_forgotten = now.forgotten_at.is_some() && now.forgotten_at != was.forgotten_at;
    (was.said.is_some() || is_forgotten).then(|| Entry {
        pre_data: Some(shown(name, was).to_string()),
        ..Entry::new("application-deleted")
    })
}
