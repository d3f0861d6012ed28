//! Favourites: flags and projects that people mark for themselves, to find them first. They decide nothing, so nobody
//! else has to agree; they go with what they mark.

use vexil_access::UserId;
use vexil_domain::{FlagName, ProjectId};
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
