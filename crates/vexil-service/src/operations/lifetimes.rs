//! How long flags of a type are expected to live is set, and flags that have become older than that are marked.

use std::collections::BTreeMap;
use std::sync::Arc;

use time::{Duration, OffsetDateTime};
use vexil_admin_api::feature_type::{ALL, FeatureType, LifetimeForm};
use vexil_domain::{FeatureFlag, FlagName, Snapshot};

use super::Error;
use super::known_fields::Settings;
use super::known_lifetimes::{key, known, types};
use super::same_name::check_same;
use super::sign_on::put_setting;
use crate::app::App;
use crate::system::system;
use crate::transaction::Transaction;

/// So many flags are marked in one edit.
const AT_ONCE: usize = 1_000;

/// Sets how many days flags of a type are expected to live; `None` for ever.
///
/// # Errors
///
/// When there is no such type, or the form says another.
pub fn set(tx: &mut Transaction<'_>, id: &str, form: &LifetimeForm) -> Result<FeatureType, Error> {
    let kind = ALL.iter().find(|kind| kind.id == id).ok_or_else(|| {
        Error::NotFound(format!(
            "The feature type you tried to update (\"{id}\") does not exist."
        ))
    })?;
    check_same("id of a feature type", form.id.as_deref(), id)?;
    let lifetime_days = form.days;
    if known(&tx.settings(), kind)?.lifetime_days != lifetime_days {
        let days = lifetime_days.unwrap_or_default();
        put_setting(tx, &key(id), Some(days.to_string()));
    }
    Ok(FeatureType {
        lifetime_days,
        ..*kind
    })
}

/// Marks the live flags that have become older than flags of their type are expected to, but for those that are said to
/// be stale, and takes the mark from those that are not that old after all. Blocks until it is done.
///
/// # Errors
///
/// When the store fails.
pub fn mark_aged(app: &App) -> Result<(), Error> {
    loop {
        let serving = app.serving();
        let settings = &serving.access.tables.settings;
        if turned(&serving.snapshot, settings, app.now())?.is_empty() {
            return Ok(());
        }
        if app.edit_blocking(&system(), mark_some)? < AT_ONCE {
            return Ok(());
        }
    }
}

/// Marks as many flags as one edit may; how many those were.
fn mark_some(tx: &mut Transaction<'_>) -> Result<usize, Error> {
    let mut turned = turned(&tx.snapshot, &tx.settings(), tx.now)?;
    turned.truncate(AT_ONCE);
    for name in &turned {
        if let Some(flag) = tx.snapshot.flags.get_mut(name) {
            let flag = Arc::make_mut(flag);
            flag.potentially_stale = !flag.potentially_stale;
        }
    }
    Ok(turned.len())
}

/// The flags whose mark is not as it should be.
fn turned(snapshot: &Snapshot, settings: &Settings, now: OffsetDateTime) -> Result<Vec<FlagName>, Error> {
    let lifetimes: BTreeMap<&str, Duration> = types(settings)?
        .iter()
        .filter_map(|kind| Some((kind.id, Duration::days(kind.lifetime_days?.into()))))
        .collect();
    let is_older = |flag: &FeatureFlag| {
        let lifetime = lifetimes.get(&*flag.kind);
        lifetime.is_some_and(|lifetime| now - flag.created_at >= *lifetime)
    };
    let is_wrong = |flag: &&Arc<FeatureFlag>| {
        let is_right = if flag.potentially_stale {
            is_older(flag)
        } else {
            flag.stale || !is_older(flag)
        };
        !is_right && !flag.is_archived()
    };
    let flags = snapshot.flags.values().filter(is_wrong);
    Ok(flags.map(|flag| flag.name.clone()).collect())
}
