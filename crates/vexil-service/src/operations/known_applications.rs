//! What people have said of applications, and which they have forgotten. It decides nothing, so it stands among the settings
//! of the instance, one for each such application.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use time::OffsetDateTime;
use vexil_admin_api::application_form::Said;

use super::Error;
use super::known_fields::Settings;

/// What the names of the settings begin with that are about applications.
pub(crate) const PREFIX: &str = "application:";

/// What is kept of an application.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownApplication {
    /// What was said of it.
    pub said: Option<Said>,
    /// What was heard of it until then is forgotten.
    pub forgotten_at: Option<OffsetDateTime>,
}

/// The applications of which something is kept, by name.
pub type KnownApplications = BTreeMap<String, KnownApplication>;

/// The same as it is stored, with times in microseconds since 1970.
#[derive(Serialize, Deserialize)]
struct Stored {
    said: Option<StoredWords>,
    forgotten_at: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct StoredWords {
    description: Option<String>,
    url: Option<String>,
    color: Option<String>,
    icon: Option<String>,
    strategies: Vec<String>,
    created_at: i64,
    updated_at: i64,
}

/// All that is kept of applications.
///
/// # Errors
///
/// When something that is kept cannot be read.
pub fn all(settings: &Settings) -> Result<KnownApplications, Error> {
    let kept = settings.range(PREFIX.to_owned()..).map_while(|(key, setting)| {
        let name = key.strip_prefix(PREFIX)?;
        Some((name, &setting.value))
    });
    kept.map(|(name, text)| Ok((name.to_owned(), read(text)?)))
        .collect()
}

fn read(text: &str) -> Result<KnownApplication, Error> {
    let stored: Stored = serde_json::from_str(text).map_err(Error::internal)?;
    let said = stored.said.map(|said| {
        Ok::<_, Error>(Said {
            description: said.description,
            url: said.url,
            color: said.color,
            icon: said.icon,
            strategies: said.strategies,
            created_at: instant(said.created_at)?,
            updated_at: instant(said.updated_at)?,
        })
    });
    Ok(KnownApplication {
        said: said.transpose()?,
        forgotten_at: stored.forgotten_at.map(instant).transpose()?,
    })
}

/// What is kept of an application as the text that is stored.
pub(super) fn stored(known: KnownApplication) -> Result<String, Error> {
    let said = known.said.map(|said| {
        Ok::<_, Error>(StoredWords {
            description: said.description,
            url: said.url,
            color: said.color,
            icon: said.icon,
            strategies: said.strategies,
            created_at: micros(said.created_at)?,
            updated_at: micros(said.updated_at)?,
        })
    });
    let stored = Stored {
        said: said.transpose()?,
        forgotten_at: known.forgotten_at.map(micros).transpose()?,
    };
    serde_json::to_string(&stored).map_err(Error::internal)
}

fn micros(at: OffsetDateTime) -> Result<i64, Error> {
    i64::try_from(at.unix_timestamp_nanos() / 1000).map_err(Error::internal)
}

fn instant(micros: i64) -> Result<OffsetDateTime, Error> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).map_err(Error::internal)
}

/// The name of the setting that is about an application.
pub(super) fn key(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// What is said of an application, for the audit log.
pub(crate) fn shown(name: &str, known: &KnownApplication) -> Value {
    match &known.said {
        None => json!({ "appName": name }),
        Some(said) => json!({
            "appName": name,
            "description": said.description,
            "url": said.url,
            "color": said.color,
            "icon": said.icon,
            "strategies": said.strategies,
        }),
    }
}
