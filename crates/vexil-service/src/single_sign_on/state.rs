//! What requests share that sign people in at a provider.

use std::sync::{Arc, Mutex, PoisonError};

use time::{Duration, OffsetDateTime};

use super::issuer::{Issuer, SignOnError};
use super::settings::OidcSettings;
use super::used::UsedStates;
use crate::clock::is_recent;

/// For how long what a provider said of itself counts; its keys change now and then.
const FRESH: Duration = Duration::minutes(10);

/// What requests share that sign people in at a provider.
#[derive(Default)]
pub struct SignOnState {
    /// As the environment of the server says, which comes before what an admin has set.
    pub configured: Option<OidcSettings>,
    /// Answers of the provider that were used already.
    pub used: UsedStates,
    known: Mutex<Option<(OffsetDateTime, Arc<Issuer>)>>,
}

opaque!(SignOnState);

impl SignOnState {
    /// As the environment of the server says.
    pub(crate) fn configured(settings: OidcSettings) -> Self {
        Self {
            configured: Some(settings),
            ..Self::default()
        }
    }

    /// The provider of these settings, asked what it says of itself if it was not lately. Blocks.
    ///
    /// # Errors
    ///
    /// When it cannot be asked.
    pub fn issuer(&self, settings: &OidcSettings, now: OffsetDateTime) -> Result<Arc<Issuer>, SignOnError> {
        if let Some(known) = self.known(settings, now) {
            return Ok(known);
        }
        let issuer = Arc::new(Issuer::discover(settings.clone())?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some((now, Arc::clone(&issuer)));
        Ok(issuer)
    }

    /// The same without asking.
    pub fn known(&self, settings: &OidcSettings, now: OffsetDateTime) -> Option<Arc<Issuer>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, issuer) = known.as_ref()?;
        (issuer.settings() == settings && is_recent(*at, now, FRESH)).then(|| Arc::clone(issuer))
    }
}
