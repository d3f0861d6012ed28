//! What can go wrong: opening, and inside transactions.

use std::error::Error;
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use vexil_store::{CommitError, StoreError};

use crate::transaction_access::Access;

/// Why a store could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The URL is of no database that is supported.
    #[error(
        "{} is no URL of a database that can be used; use `sqlite:<path>`, `sqlite::memory:`, \
         `postgres://…` or `postgresql://…`",
        shown(scheme)
    )]
    UnknownScheme {
        /// What stands before the first colon; empty where there is none.
        scheme: String,
    },
    /// The URL names no file.
    #[error(
        "the database URL `sqlite:` needs the path of a file, as in `sqlite:flags.db`, or `sqlite::memory:`"
    )]
    NoPath,
    /// The URL has options, which SQLite files do not take.
    #[error("a database URL of SQLite takes no options, and the path must not hold `?`")]
    Options,
    /// The folder that is to hold the file is not there.
    #[error("the folder `{}` for the database is not there; create it first", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The file cannot be read and written, or not be made.
    #[error(
        "the file `{}` of the database cannot be read and written; name another, or let the server write there",
        path.display()
    )]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The database could not be connected to, or the file not be opened.
    #[error("the database could not be opened")]
    Connect {
        /// What the database said.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database cannot hold all texts.
    #[error(
        "the database has the encoding {encoding}, which cannot hold all texts; create one with the encoding UTF8"
    )]
    Encoding {
        /// Its encoding, as it calls it.
        encoding: String,
    },
    /// The tables could not be made or brought up to date.
    #[error("the tables of the database could not be brought up to date")]
    Migrate {
        /// What the database said.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The database is damaged.
    #[error("{}", damaged(*is_file))]
    Damaged {
        /// Whether it is a file of SQLite.
        is_file: bool,
        /// What the database said.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The file is of something else.
    #[error(
        "the file is no database of SQLite, or its first bytes are damaged; name another file, or put back a copy of the database"
    )]
    NoDatabase {
        /// What SQLite said.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The file is a database of another program.
    #[error(
        "the file `{}` is a database of another program, with {}; name another file, or one that is not there yet",
        path.display(),
        listed(found)
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The names of its tables, and of what else was made in it.
        found: Vec<String>,
    },
    /// The schema holds something of another program.
    #[error(
        "the schema of the database has tables of another program where Vexil's belong; name a database of its own, \
         or a schema of its own with `?options=-csearch_path%3DSCHEMA` behind the URL"
    )]
    Occupied {
        /// What stands in the way.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The tables were made by a later version, which this one does not understand.
    #[error("the database was written by a later version (migration `{migration}`); use that version")]
    Newer {
        /// The first migration that is not known here.
        migration: String,
    },
}

/// What a URL begins with; the rest may hold a password.
fn shown(scheme: &str) -> String {
    if scheme.is_empty() {
        "a text without a scheme".to_owned()
    } else {
        format!("`{scheme}:…`")
    }
}

/// The first of these names, and how many more there are.
fn listed(names: &[String]) -> String {
    let (named, rest) = names.split_at(names.len().min(3));
    let named = named.iter().map(|name| format!("`{}`", name.escape_debug()));
    let named = named.collect::<Vec<_>>().join(", ");
    match rest.len() {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

fn damaged(is_file: bool) -> &'static str {
    if is_file {
        "the database is damaged; put back a copy of it, or bring what can still be read of it into a new file \
         with `sqlite3 FILE .recover | sqlite3 NEW`"
    } else {
        "the database is damaged; put back a copy of it"
    }
}

impl OpenError {
    /// The same with the place and the way out, where it is for a database that is damaged, or no database, or for
    /// a file that cannot be opened, of which SQLite says no more.
    pub(crate) fn with_way_out(self, file: Option<&Path>) -> Self {
        let is_file = file.is_some();
        match self {
            Self::Connect { source } if says(&*source, &["unable to open database file"]) => {
                match file.and_then(|path| Some((path, refusal(path)?))) {
                    Some((path, source)) => Self::File {
                        path: path.to_owned(),
                        source,
                    },
                    None => Self::Connect { source },
                }
            }
            Self::Connect { source } | Self::Migrate { source } if says(&*source, &DAMAGED) => {
                Self::Damaged { is_file, source }
            }
            Self::Connect { source } | Self::Migrate { source }
                if says(&*source, &["file is not a database"]) =>
            {
                Self::NoDatabase { source }
            }
            Self::Migrate { source } if !is_file && says(&*source, &["already exists"]) => {
                Self::Occupied { source }
            }
            Self::Foreign { found, .. } => Self::Foreign {
                path: file.unwrap_or(Path::new("")).to_owned(),
                found,
            },
            other => other,
        }
    }
}

/// Why the system does not let a file be read and written, or made, if it does not.
fn refusal(path: &Path) -> Option<std::io::Error> {
    let writing = |options: &mut OpenOptions| options.write(true).open(path);
    match writing(OpenOptions::new().read(true)) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            match writing(OpenOptions::new().create_new(true)) {
                Ok(_) => std::fs::remove_file(path).err(),
                Err(error) => Some(error),
            }
        }
        opened => opened.err(),
    }
}

/// Whether an error, or what caused it, has one of these words.
fn says(error: &(dyn Error + 'static), words: &[&str]) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let text = error.to_string();
        if words.iter().any(|words| text.contains(words)) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Why a transaction failed. Nothing was changed, unless it says otherwise.
#[derive(Debug)]
pub(crate) enum DbError {
    /// The database refused or failed.
    Database(diesel::result::Error),
    /// The database was asked to commit, and did not say whether it did.
    UnknownOutcome(diesel::result::Error),
    /// No connection could be had.
    Connect(Box<dyn Error + Send + Sync>),
    /// What is there cannot be understood.
    Corrupt {
        what: &'static str,
        source: Box<dyn Error + Send + Sync>,
    },
    /// The edit breaks a rule.
    Refused(CommitError),
}

impl DbError {
    /// The failure of a commit. SQLite and PostgreSQL say whether a serialisation failed or the disk
    /// was full; then it was not carried out. After anything else, such as a lost connection, it may
    /// have been.
    pub(crate) fn of_commit(error: diesel::result::Error, access: Access) -> Self {
        use diesel::result::{DatabaseErrorKind, Error};

        let known = matches!(
            error,
            Error::DatabaseError(DatabaseErrorKind::SerializationFailure, _)
        );
        if access == Access::Read || known || is_full(&error) {
            Self::Database(error)
        } else {
            Self::UnknownOutcome(error)
        }
    }

    /// The failure for callers; `doing` says what was being done.
    pub(crate) fn into_store_error(self, doing: &'static str) -> StoreError {
        let source = match self {
            Self::Corrupt { what, source } => return StoreError::Corrupt { what, source },
            Self::Refused(CommitError::Store(error)) => return error,
            Self::Refused(error) => error.into(),
            Self::UnknownOutcome(error) => {
                let source = error.into();
                return StoreError::UnknownOutcome { doing, source };
            }
            Self::Database(error) if is_full(&error) => {
                let source = error.into();
                return StoreError::Full { doing, source };
            }
            Self::Database(error) if is_read_only(&error) => {
                let source = error.into();
                return StoreError::ReadOnly { doing, source };
            }
            Self::Database(error) if says(&error, &DAMAGED) => {
                let source = error.into();
                return StoreError::Damaged { doing, source };
            }
            Self::Database(error) => error.into(),
            Self::Connect(source) => source,
        };
        StoreError::Backend { doing, source }
    }

    /// Whether the connection is as good as before.
    pub(crate) fn leaves_connection_sound(&self) -> bool {
        matches!(self, Self::Corrupt { .. } | Self::Refused(_))
    }
}

/// What SQLite and PostgreSQL say of a database that is damaged.
const DAMAGED: [&str; 4] = [
    "database disk image is malformed",
    "malformed database schema",
    "unsupported file format",
    "invalid page in block",
];

/// Whether nothing may be written at all.
fn is_read_only(error: &diesel::result::Error) -> bool {
    use diesel::result::{DatabaseErrorKind, Error};

    match error {
        Error::DatabaseError(DatabaseErrorKind::ReadOnlyTransaction, _) => true,
        Error::DatabaseError(_, cause) => cause.message().contains("attempt to write a readonly database"),
        _ => false,
    }
}

/// Whether another connection kept this one waiting for too long, which SQLite says in these words.
pub(crate) fn is_locked(error: &diesel::result::Error) -> bool {
    matches!(error, diesel::result::Error::DatabaseError(_, cause) if cause.message().contains("database is locked"))
}

/// Whether there was no room left: in the words of SQLite, and in those in which PostgreSQL hands on
/// the operating system's.
fn is_full(error: &diesel::result::Error) -> bool {
    let diesel::result::Error::DatabaseError(_, cause) = error else {
        return false;
    };
    let message = cause.message();
    message.contains("database or disk is full") || message.contains("No space left on device")
}

impl From<diesel::result::Error> for DbError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Database(error)
    }
}
