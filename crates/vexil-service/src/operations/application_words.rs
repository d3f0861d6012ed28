//! What people say of applications, and forgetting them.

use vexil_admin_api::application_form::{ApplicationForm, Said};

use super::Error;
use super::known_applications::{KnownApplication, all, key, stored};
use super::same_name::check_same;
use super::sign_on::put_setting;
use crate::transaction::Transaction;

/// Of so many applications something is said at most.
const MOST: usize = 1_000;

/// Says something of an application, which need not have been heard of.
///
/// # Errors
///
/// When it is to get another name, or there is too much of this kind.
pub fn say(tx: &mut Transaction<'_>, name: &str, form: &ApplicationForm) -> Result<(), Error> {
    check_same("name of an application", form.name.as_deref(), name)?;
    let mut all = all(&tx.settings())?;
    let known = all.remove(name).unwrap_or_default();
    if known.said.is_none() && all.values().filter(|other| other.said.is_some()).count() >= MOST {
        return Err(Error::InvalidOperation(format!(
            "Something is said of {MOST} applications already. Delete one of them first."
        )));
    }
    let mut said = known.said.unwrap_or_else(|| Said::new(tx.now));
    for (kept, sent) in [
        (&mut said.description, &form.description),
        (&mut said.url, &form.url),
        (&mut said.color, &form.color),
        (&mut said.icon, &form.icon),
    ] {
        if let Some(sent) = sent {
            kept.clone_from(sent);
        }
    }
    if let Some(strategies) = &form.strategies {
        said.strategies.clone_from(strategies);
    }
    said.updated_at = tx.now;
    let known = KnownApplication {
        said: Some(said),
        ..known
    };
    put_setting(tx, &key(name), Some(stored(known)?));
    Ok(())
}

/// Forgets an application: what was said of it, and what was heard of it until now. `heard` are the applications of which
/// something is kept that was heard; what was forgotten of any other is gone by itself.
///
/// # Errors
///
/// When something that is kept cannot be read.
pub fn forget(tx: &mut Transaction<'_>, name: &str, heard: impl Fn(&str) -> bool) -> Result<(), Error> {
    for (other, known) in all(&tx.settings())? {
        if other == name || (known.said.is_none() && !heard(&other)) {
            put_setting(tx, &key(&other), None);
        }
    }
    if heard(name) {
        let known = KnownApplication {
            said: None,
            forgotten_at: Some(tx.now),
        };
        put_setting(tx, &key(name), Some(stored(known)?));
    }
    Ok(())
}
