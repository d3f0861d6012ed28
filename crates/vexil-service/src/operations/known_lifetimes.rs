//! How long flags of a type are expected to live. That decides nothing, so it stands among the settings of the instance
//! where it is not as it came with the server.

use vexil_admin_api::feature_type::{ALL, FeatureType};

use super::Error;
use super::known_fields::Settings;

/// What the names of the settings begin with that are lifetimes.
pub(crate) const PREFIX: &str = "feature-type-lifetime:";

/// What flags can be for, with the lifetimes that count.
///
/// # Errors
///
/// When a lifetime that is kept cannot be read.
pub fn types(settings: &Settings) -> Result<Vec<FeatureType>, Error> {
    ALL.iter().map(|kind| known(settings, kind)).collect()
}

/// A type, with the lifetime that counts.
pub(super) fn known(settings: &Settings, kind: &FeatureType) -> Result<FeatureType, Error> {
    let Some(set) = settings.get(&key(kind.id)) else {
        return Ok(*kind);
    };
    let days = set.value.parse::<u32>().map_err(Error::internal)?;
    Ok(FeatureType {
        lifetime_days: (days > 0).then_some(days),
        ..*kind
    })
}

/// The name of the setting that is the lifetime of a type.
pub(super) fn key(kind: &str) -> String {
    format!("{PREFIX}{kind}")
}
