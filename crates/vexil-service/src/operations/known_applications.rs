//! What people have said of applications, and which they have forgotten. It decides nothing, so it stands among the settings
//! of the instance, one for each such application.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use time::OffsetDateTime;
use vexil_admin_api::application_form::{ApplicationForm, Said};

use super::Error;
use super::known_fields::Settings;
use super::sign_on::put_setting;
use crate::transaction::Transaction;

/// What the names of the settings begin with that are about applications.
pub(crate) const PREFIX: &str = "application:";

/// Of so many applications something is said at most.
const MOST: usize = 1_000;

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

fn put(tx: &mut Transaction<'_>, name: &str, known: KnownApplication) -> Result<(), Error> {
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
    let text = serde_json::to_string(&stored).map_err(Error::internal)?;
    put_setting(tx, &format!("{PREFIX}{name}"), Some(text));
    Ok(())
}

fn micros(at: OffsetDateTime) -> Result<i64, Error> {
    i64::try_from(at.unix_timestamp_nanos() / 1000).map_err(Error::internal)
}

fn instant(micros: i64) -> Result<OffsetDateTime, Error> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).map_err(Error::internal)
}

/// Says something of an application, which need not have been heard of.
///
/// # Errors
///
/// When it is to get another name, or there is too much of this kind.
pub fn say(tx: &mut Transaction<'_>, name: &str, form: &ApplicationForm) -> Result<(), Error> {
    if form.name.as_ref().is_some_and(|sent| sent != name) {
        return Err(Error::invalid("The name of an application cannot be changed."));
    }
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
    put(tx, name, known)
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
            put_setting(tx, &format!("{PREFIX}{other}"), None);
        }
    }
    if heard(name) {
        let known = KnownApplication {
            said: None,
            forgotten_at: Some(tx.now),
        };
        put(tx, name, known)?;
    }
    Ok(())
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
