//! Favourites: flags and projects that people mark for themselves, to find them first. They decide nothing, so nobody
//! else has to agree; they go with what they mark.

use vexil_access::UserId;
use vexil_domain::{FlagName, ProjectId, SnapshotDelta, Write};
use vexil_store::{Favorites, User};

use super::direct::find_flag;
use super::{Error, projects, users};
use crate::transaction::Transaction;

/// How many favourites are kept of a user.
const MOST: usize = 2_000;

/// Marks a flag for a user, or takes the mark away.
pub fn mark_flag(
    tx: &mut Transaction<'_>,
    user: UserId,
    project: &ProjectId,
    flag: &FlagName,
    on: bool,
) -> Result<(), Error> {
    let name = find_flag(&tx.snapshot, project.as_str(), flag.as_str())?
        .name
        .clone();
    change(tx, user, |favorites| {
        if on {
            favorites.flags.insert(name)
        } else {
            favorites.flags.remove(&name)
        }
    })
}

/// Marks a project for a user, or takes the mark away.
pub fn mark_project(
    tx: &mut Transaction<'_>,
    user: UserId,
    project: &ProjectId,
    on: bool,
) -> Result<(), Error> {
    let id = projects::find(&tx.snapshot, project.as_str())?.id.clone();
    change(tx, user, |favorites| {
        if on {
            favorites.projects.insert(id)
        } else {
            favorites.projects.remove(&id)
        }
    })
}

/// Changes the favourites of a user; nothing is written where they were so already.
fn change(
    tx: &mut Transaction<'_>,
    user: UserId,
    change: impl FnOnce(&mut Favorites) -> bool,
) -> Result<(), Error> {
    let mut user = User::clone(users::find(tx.serving(), user)?);
    if !change(&mut user.favorites) {
        return Ok(());
    }
    let kept = &user.favorites;
    if kept.flags.len() + kept.projects.len() > MOST {
        return Err(Error::InvalidOperation(format!(
            "At most {MOST} favourites are kept of a user. Take the mark off another one first."
        )));
    }
    tx.put_user(user);
    Ok(())
}

/// Takes the marks off what an edit removes, so that what gets the same name later has none.
pub(crate) fn go_with(tx: &mut Transaction<'_>, delta: &SnapshotDelta) {
    let flags: Vec<&FlagName> = delta.flags.iter().filter_map(gone).collect();
    let projects: Vec<&ProjectId> = delta.projects.iter().filter_map(gone).collect();
    if flags.is_empty() && projects.is_empty() {
        return;
    }
    for user in tx.users().collect::<Vec<_>>() {
        let mut favorites = user.favorites.clone();
        for name in &flags {
            favorites.flags.remove(*name);
        }
        for id in &projects {
            favorites.projects.remove(*id);
        }
        if favorites != user.favorites {
            tx.put_user(User {
                favorites,
                ..User::clone(&user)
            });
        }
    }
}

fn gone<K, V>(write: &Write<K, V>) -> Option<&K> {
    match write {
        Write::Delete(key) => Some(key),
        Write::Upsert(_) => None,
    }
}
