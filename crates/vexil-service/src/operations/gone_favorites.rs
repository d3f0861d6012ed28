//! Favourites that go with what they were on.

use std::sync::Arc;

use vexil_domain::{FlagName, ProjectId, SnapshotDelta, Write};
use vexil_store::User;

/// The users who had marked what an edit removes, without these marks: what gets the same name later has none.
pub(crate) fn without(users: impl Iterator<Item = Arc<User>>, delta: &SnapshotDelta) -> Vec<User> {
    let flags: Vec<&FlagName> = delta.flags.iter().filter_map(gone).collect();
    let projects: Vec<&ProjectId> = delta.projects.iter().filter_map(gone).collect();
    if flags.is_empty() && projects.is_empty() {
        return Vec::new();
    }
    let changed = users.filter_map(|user| {
        let mut favorites = user.favorites.clone();
        for name in &flags {
            favorites.flags.remove(*name);
        }
        for id in &projects {
            favorites.projects.remove(*id);
        }
        (favorites != user.favorites).then(|| User {
            favorites,
            ..User::clone(&user)
        })
    });
    changed.collect()
}

fn gone<K, V>(write: &Write<K, V>) -> Option<&K> {
    match write {
        Write::Delete(key) => Some(key),
        Write::Upsert(_) => None,
    }
}
