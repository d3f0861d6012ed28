//! Where a database is: reading the URL.

use crate::OpenError;

/// A database that can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Location {
    /// A file of SQLite.
    #[cfg(feature = "sqlite")]
    SqliteFile {
        path: std::path::PathBuf,
        /// Whether connections may write.
        writing: bool,
    },
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
            "postgres" | "postgresql" if rest.starts_with("//") => Ok(Self::Postgres(with_timeout(url))),
            _ => Err(OpenError::UnknownScheme {
                scheme: scheme.to_owned(),
            }),
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
    Ok(Location::SqliteFile {
        path: path.into(),
        writing: true,
    })
}

/// A server that does not answer must not block forever.
#[cfg(feature = "postgres")]
fn with_timeout(url: &str) -> String {
    if url.contains("connect_timeout=") {
        return url.to_owned();
    }
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}connect_timeout=10")
}

#[cfg(all(test, feature = "sqlite", feature = "postgres"))]
mod tests;
