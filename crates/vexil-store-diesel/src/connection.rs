//! Connections to either database, and how they are set up.

use diesel::connection::AnsiTransactionManager;
use diesel::prelude::*;

use crate::error::DbError;
use crate::location::Location;
use crate::transaction_access::Access;

/// A connection to one of the databases.
#[derive(diesel::MultiConnection)]
pub(crate) enum AnyConnection {
    /// To PostgreSQL.
    #[cfg(feature = "postgres")]
    Postgres(PgConnection),
    /// To SQLite.
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteConnection),
}

/// The common form of the databases.
pub(crate) type AnyBackend = <AnyConnection as Connection>::Backend;

/// Runs the same statement on the connection's own type, for statements that [`AnyConnection`] has
/// no common form for: inserts of several rows, and upserts.
macro_rules! each_backend {
    ($connection:expr, |$own:ident| $statement:expr) => {
        match $connection {
            #[cfg(feature = "postgres")]
            $crate::connection::AnyConnection::Postgres($own) => $statement,
            #[cfg(feature = "sqlite")]
            $crate::connection::AnyConnection::Sqlite($own) => $statement,
        }
    };
}
pub(crate) use each_backend;

/// Inserts rows, a few hundred at a time, so that their values fit into one statement.
macro_rules! insert_all {
    ($connection:expr, $table:ident, $rows:expr) => {{
        let rows = $rows;
        let mut outcome = Ok(());
        for some in rows.chunks(500) {
            outcome = $crate::connection::each_backend!($connection, |own| diesel::insert_into(
                $crate::schema::$table::table
            )
            .values(some)
            .execute(own)
            .map(drop));
            if outcome.is_err() {
                break;
            }
        }
        outcome
    }};
}
pub(crate) use insert_all;

/// Opens a connection and sets it up. A file that is not there is made where `makes` says so.
#[cfg_attr(
    not(feature = "sqlite"),
    expect(
        unused_variables,
        reason = "PostgreSQL writes and reads with the same connections, and makes no database"
    )
)]
pub(crate) fn connect(location: &Location, access: Access, makes: bool) -> Result<AnyConnection, DbError> {
    match location {
        #[cfg(feature = "sqlite")]
        Location::SqliteFile(path) if makes => connect_sqlite(&sqlite_name(path), access),
        #[cfg(feature = "sqlite")]
        Location::SqliteFile(path) => connect_sqlite(&name_of_what_is_there(path, "rw"), access),
        #[cfg(feature = "sqlite")]
        Location::SqliteMemory => connect_sqlite(":memory:", Access::Write),
        #[cfg(feature = "postgres")]
        Location::Postgres(url) => connect_postgres(url),
    }
}

/// Opens a file to look at it: without a setting that would be written to it, and without making one. Nothing where that
/// fails: whoever opens it to write will be told the reason.
pub(crate) fn connect_to_look(location: &Location) -> Option<AnyConnection> {
    match location {
        #[cfg(feature = "sqlite")]
        Location::SqliteFile(path) if path.exists() => {
            let connection = SqliteConnection::establish(&name_of_what_is_there(path, "ro")).ok()?;
            Some(AnyConnection::Sqlite(connection))
        }
        #[cfg(any(feature = "sqlite", feature = "postgres"))]
        _ => None,
    }
}

/// Nothing may wait for ever: a statement ends after 20 seconds, waiting for a lock after 5, and a
/// transaction whose program stands still after 10, so that others are not held up by it.
#[cfg(feature = "postgres")]
fn connect_postgres(url: &str) -> Result<AnyConnection, DbError> {
    use diesel::connection::SimpleConnection;

    let mut connection = PgConnection::establish(url).map_err(|error| without_password(url, error))?;
    connection.batch_execute(
        "set statement_timeout = '20s'; set lock_timeout = '5s';
         set idle_in_transaction_session_timeout = '10s'; set client_min_messages = warning;",
    )?;
    Ok(AnyConnection::Postgres(connection))
}

/// The error without what libpq quotes of the password when it cannot read the URL.
#[cfg(feature = "postgres")]
fn without_password(url: &str, error: diesel::ConnectionError) -> DbError {
    let diesel::ConnectionError::BadConnection(message) = &error else {
        return connecting(error);
    };
    let hides = |quoted: &str| {
        passwords(url).any(|password| {
            !quoted.is_empty()
                && !password.is_empty()
                && (password.contains(quoted) || quoted.contains(password))
        })
    };
    let parts = message.split('"').enumerate();
    let shown: Vec<&str> = parts
        .map(|(place, part)| {
            if place % 2 == 1 && hides(part) {
                "…"
            } else {
                part
            }
        })
        .collect();
    DbError::Connect(diesel::ConnectionError::BadConnection(shown.join("\"")).into())
}

/// What may be a password in a URL, well-formed or not.
#[cfg(feature = "postgres")]
fn passwords(url: &str) -> impl Iterator<Item = &str> {
    let (_, rest) = url.split_once("://").unwrap_or_default();
    let user = rest.rsplit_once('@').map_or(rest, |(user, _)| user);
    let of_user = user.split_once(':').map(|(_, password)| password);
    let named = url
        .split(['?', '&'])
        .filter_map(|it| it.strip_prefix("password="));
    of_user.into_iter().chain(named)
}

/// Begins a transaction. On PostgreSQL it says how strictly it is isolated: under a stricter level, which a database or a
/// role may have as its default, whoever waits for another one's commit fails instead of seeing it.
pub(crate) fn begin(connection: &mut AnyConnection, access: Access) -> QueryResult<()> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            let statement = match access {
                Access::Read => "begin isolation level repeatable read, read only",
                Access::Write => "begin isolation level read committed",
            };
            AnsiTransactionManager::begin_transaction_sql(own, statement)
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(own) => {
            let statement = match access {
                Access::Read => "begin",
                Access::Write => "begin immediate",
            };
            AnsiTransactionManager::begin_transaction_sql(own, statement)
        }
    }
}

/// Brings what lies in the write-ahead log of SQLite into the file, and empties the log: so the file alone is the
/// whole database, and an older one that is put in its place is not written over by what the log holds.
pub(crate) fn checkpoint(connection: &mut AnyConnection) -> Result<(), DbError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(_) => Ok(()),
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(own) => {
            use diesel::connection::SimpleConnection;

            Ok(own.batch_execute("pragma wal_checkpoint(truncate)")?)
        }
    }
}

/// A path as SQLite takes it: never as a URI, and never as one of its special names.
#[cfg(feature = "sqlite")]
fn sqlite_name(path: &std::path::Path) -> String {
    let name = path.to_string_lossy();
    if path.is_absolute() {
        name.into_owned()
    } else {
        format!("./{name}")
    }
}

/// The name of a file that must be there already (<https://www.sqlite.org/uri.html>). Without that SQLite makes an empty one
/// in the place of a file that was moved away. The mode is `rw`, or `ro` for what is only looked at.
#[cfg(all(feature = "sqlite", unix))]
fn name_of_what_is_there(path: &std::path::Path, mode: &str) -> String {
    let mut uri = String::from(if path.is_absolute() { "file://" } else { "file:./" });
    for &byte in path.to_string_lossy().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri.push_str("?mode=");
    uri.push_str(mode);
    uri
}

/// Elsewhere a file that is open cannot be moved away.
#[cfg(all(feature = "sqlite", not(unix)))]
fn name_of_what_is_there(path: &std::path::Path, _mode: &str) -> String {
    sqlite_name(path)
}

#[cfg(feature = "sqlite")]
fn connect_sqlite(name: &str, access: Access) -> Result<AnyConnection, DbError> {
    use diesel::connection::SimpleConnection;

    let mut connection = SqliteConnection::establish(name).map_err(connecting)?;
    connection.batch_execute(
        "pragma busy_timeout = 5000; pragma foreign_keys = on; pragma synchronous = full; pragma fullfsync = on;
         pragma cache_size = -16000; pragma temp_store = memory;",
    )?;
    match access {
        Access::Write => write_ahead(&mut connection)?,
        Access::Read => connection.batch_execute("pragma query_only = on;")?,
    }
    Ok(AnyConnection::Sqlite(connection))
}

/// Switches a file to write-ahead logging. SQLite does not wait for a lock here, however long its
/// busy timeout: while another process makes the same file, this tries again.
#[cfg(feature = "sqlite")]
fn write_ahead(connection: &mut SqliteConnection) -> QueryResult<()> {
    use std::time::Duration;

    use diesel::connection::SimpleConnection;

    const PAUSE: Duration = Duration::from_millis(10);
    const TRIES: usize = 1500;

    let mut outcome = Ok(());
    for _ in 0..TRIES {
        outcome = connection.batch_execute("pragma journal_mode = wal;");
        match &outcome {
            Err(diesel::result::Error::DatabaseError(_, cause)) if cause.message().contains("locked") => {
                std::thread::sleep(PAUSE);
            }
            _ => return outcome,
        }
    }
    outcome
}

fn connecting(error: diesel::ConnectionError) -> DbError {
    DbError::Connect(error.into())
}
