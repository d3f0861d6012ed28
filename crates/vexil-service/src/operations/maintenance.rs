//! Maintenance: while it is on, nobody changes anything through the administration API. What SDKs read and report goes on.

use super::known_fields::Settings;
use super::sign_on::put_setting;
use crate::transaction::Transaction;

/// The name of the setting that is there while it is on.
const ON: &str = "maintenance";

/// Whether it is on.
#[must_use]
pub fn is_on(settings: &Settings) -> bool {
    settings.contains_key(ON)
}

/// Switches it on or off.
pub fn switch(tx: &mut Transaction<'_>, on: bool) {
    if on != is_on(&tx.access().tables.settings) {
        put_setting(tx, ON, on.then(|| "on".to_owned()));
    }
}
