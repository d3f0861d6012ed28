//! Where a database is: reading the URL.

use std::path::Path;

use crate::OpenError;

/// A database that can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Location {
    /// A file of SQLite.
    #[cfg(feature = "sqlite")]
    SqliteFile(std::path::PathBuf),
    /// A database of SQLite in memory.
    #[cfg(feature = "sqlite")]
    SqliteMemory,
    /// A URL of PostgreSQL.
    #[cfg(feature = "postgres")]
    Postgres(String),
}

impl Location {
    pub(crate) fn parse(url: &str) -> Result<Self, OpenError> {
        let (scheme, rest) = url.split_once(':').unwrap_or(("", url));
        match scheme {
            #[cfg(feature = "sqlite")]
            "sqlite" => sqlite(rest),
            #[cfg(feature = "postgres")]
            "postgres" | "postgresql" if rest.starts_with("//") => Ok(Self::Postgres(with_defaults(url))),
            _ => Err(OpenError::UnknownScheme {
                scheme: scheme.to_owned(),
            }),
        }
    }

    /// The file that holds the database, where it is one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::SqliteFile(path) => Some(path),
            #[cfg(feature = "sqlite")]
            Self::SqliteMemory => None,
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => None,
        }
    }
}

#[cfg(feature = "sqlite")]
fn sqlite(rest: &str) -> Result<Location, OpenError> {
    let path = rest.strip_prefix("//").unwrap_or(rest);
    if path == ":memory:" {
        return Ok(Location::SqliteMemory);
    }
    if path.is_empty() {
        return Err(OpenError::NoPath);
    }
    if path.contains(['?', '\0']) {
        return Err(OpenError::Options);
    }
    Ok(Location::SqliteFile(path.into()))
}

/// What a URL gets unless it says otherwise: a server that does not answer, or whose machine is gone,
/// must not be waited for.
#[cfg(feature = "postgres")]
const DEFAULTS: [(&str, &str); 6] = [
    ("connect_timeout", "5"),
    ("tcp_user_timeout", "10000"),
    ("keepalives_idle", "10"),
    ("keepalives_interval", "3"),
    ("keepalives_count", "3"),
    ("fallback_application_name", "vexil"),
];

#[cfg(feature = "postgres")]
fn with_defaults(url: &str) -> String {
    let mut url = url.to_owned();
    for (name, value) in DEFAULTS {
        let (_, parameters) = url.split_once('?').unwrap_or_default();
        let mut names = parameters.split('&').filter_map(|it| it.split_once('='));
        if names.all(|(known, _)| known != name) {
            let separator = if url.contains('?') { '&' } else { '?' };
            url.push_str(&format!("{separator}{name}={value}"));
        }
    }
    url
}

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests;
