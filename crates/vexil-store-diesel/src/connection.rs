//! Connections to either database, and how they are set up.

use diesel::prelude::*;

use crate::error::Failure;
use crate::location::Location;

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

/// Inserts rows, a few hundred at a time.
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

/// Opens a connection and sets it up.
pub(crate) fn connect(location: &Location) -> Result<AnyConnection, Failure> {
    match location {
        #[cfg(feature = "sqlite")]
        Location::SqliteFile { path, writing } => connect_sqlite(&sqlite_name(path), *writing),
        #[cfg(feature = "sqlite")]
        Location::SqliteMemory => connect_sqlite(":memory:", true),
        #[cfg(feature = "postgres")]
        Location::Postgres(url) => {
            let connection = PgConnection::establish(url).map_err(connecting)?;
            Ok(AnyConnection::Postgres(connection))
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

#[cfg(feature = "sqlite")]
fn connect_sqlite(name: &str, writing: bool) -> Result<AnyConnection, Failure> {
    use diesel::connection::SimpleConnection;

    let mut connection = SqliteConnection::establish(name).map_err(connecting)?;
    connection.batch_execute(
        "pragma busy_timeout = 15000; pragma foreign_keys = on; pragma synchronous = full; pragma fullfsync = on;
         pragma cache_size = -16000; pragma temp_store = memory;",
    )?;
    if writing {
        write_ahead(&mut connection)?;
    } else {
        connection.batch_execute("pragma query_only = on;")?;
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

fn connecting(error: diesel::ConnectionError) -> Failure {
    Failure::Connect(error.into())
}

/// Makes what follows in the transaction see one moment.
pub(crate) fn set_repeatable_read(connection: &mut AnyConnection) -> QueryResult<()> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            use diesel::connection::SimpleConnection;
            own.batch_execute("set transaction isolation level repeatable read, read only")
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) => Ok(()),
    }
}
