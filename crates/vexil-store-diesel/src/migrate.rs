//! Making the tables, and bringing them up to date.

use diesel::connection::TransactionManager;
use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::migration::{MigrationSource, MigrationVersion};
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use vexil_store::StoreError;

use crate::OpenError;
use crate::connection::{AnyConnection, begin};
use crate::error::DbError;
use crate::transaction_access::Access;
use crate::{foreign, usage};

#[cfg(feature = "sqlite")]
const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
#[cfg(feature = "postgres")]
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// The condition that the database has not seen more migrations than this version knows.
pub(crate) fn is_known(connection: &AnyConnection) -> Result<SqlLiteral<Bool>, OpenError> {
    let known = known(connection)?;
    Ok(sql(&format!(
        "(select count(*) from __diesel_schema_migrations) <= {known}"
    )))
}

fn known(connection: &AnyConnection) -> Result<usize, OpenError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(_) => versions::<diesel::pg::Pg>(&POSTGRES).map(|it| it.len()),
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) => versions::<diesel::sqlite::Sqlite>(&SQLITE).map(|it| it.len()),
    }
}

/// Runs the migrations that have not been run. Several processes may do so at once: whoever comes
/// second waits, and then finds nothing left to do. All is done in one transaction, so that a
/// connection pooler may stand in between.
pub(crate) fn migrate(connection: &mut AnyConnection) -> Result<(), OpenError> {
    check_encoding(connection)?;
    let mut outcome = Ok(());
    let committed = in_turn(connection, |connection| {
        outcome = run_all(connection);
        outcome.is_ok()
    });
    outcome.and(committed.map_err(|error| failed(error.into())))
}

/// Runs `work` in a transaction that waits until nobody else does; rolls it back where `work` says no.
fn in_turn(
    connection: &mut AnyConnection,
    work: impl FnOnce(&mut AnyConnection) -> bool,
) -> diesel::QueryResult<()> {
    type Manager = <AnyConnection as Connection>::TransactionManager;

    begin(connection, Access::Write)?;
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            use diesel::connection::SimpleConnection;

            // The number only has to be the same in every process, and unlikely in other programs.
            own.batch_execute(
                "set local statement_timeout = 0; set local lock_timeout = 0;
                 select pg_advisory_xact_lock(8503476011)",
            )?;
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) => {}
    }
    if work(connection) {
        Manager::commit_transaction(connection)
    } else {
        Manager::rollback_transaction(connection)
    }
}

/// The migration after which counts of earlier versions are put where this one keeps them.
const USAGE_INBOX: &str = "20261128011000";

fn run_all(connection: &mut AnyConnection) -> Result<(), OpenError> {
    if let Some(refusal) = foreign::refusal(connection).map_err(|error| failed(error.into()))? {
        return Err(refusal);
    }
    if let Some(migration) = newer(connection)? {
        return Err(OpenError::Newer { migration });
    }
    loop {
        let next = match connection {
            #[cfg(feature = "postgres")]
            AnyConnection::Postgres(own) => run_next(own, || POSTGRES)?,
            #[cfg(feature = "sqlite")]
            AnyConnection::Sqlite(own) => run_next(own, || SQLITE)?,
        };
        match next.as_deref() {
            None => return Ok(()),
            Some(USAGE_INBOX) => usage::convert(connection)
                .map_err(|error| failed(error.into_store_error("converting usage").into()))?,
            Some(_) => {}
        }
    }
}

/// Checks that no later version has changed the tables.
pub(crate) fn check(connection: &mut AnyConnection) -> Result<(), DbError> {
    // Diesel's own question makes its table where there is none, which a transaction that reads may not
    let done = sql::<Text>("select version from __diesel_schema_migrations order by version");
    let (known, done): (_, Vec<String>) = match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => (versions::<diesel::pg::Pg>(&POSTGRES), done.load(own)?),
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(own) => (versions::<diesel::sqlite::Sqlite>(&SQLITE), done.load(own)?),
    };
    let known = known.map_err(|error| DbError::Connect(error.into()))?;
    let newer = done
        .into_iter()
        .find(|version| !known.iter().any(|known| known.to_string() == *version));
    match newer {
        None => Ok(()),
        Some(migration) => Err(DbError::Refused(StoreError::Newer { migration }.into())),
    }
}

/// The first migration that the database has seen and this version does not know.
fn newer(connection: &mut AnyConnection) -> Result<Option<String>, OpenError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => first_unknown(own, &POSTGRES),
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(own) => first_unknown(own, &SQLITE),
    }
}

/// A database of another encoding takes most reports and edits, and fails at the first letter that it
/// does not have.
fn check_encoding(connection: &mut AnyConnection) -> Result<(), OpenError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            let setting = diesel::dsl::sql::<diesel::sql_types::Text>(
                "select pg_encoding_to_char(encoding) from pg_database where datname = current_database()",
            );
            let encoding: String = setting.get_result(own).map_err(|error| failed(error.into()))?;
            if encoding == "UTF8" {
                Ok(())
            } else {
                Err(OpenError::Encoding { encoding })
            }
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) => Ok(()),
    }
}

fn versions<DB: diesel::backend::Backend>(
    known: &EmbeddedMigrations,
) -> Result<Vec<MigrationVersion<'static>>, OpenError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known = MigrationSource::<DB>::migrations(known).map_err(failed)?;
    Ok(known
        .iter()
        .map(|migration| migration.name().version().as_owned())
        .collect())
}

fn first_unknown<C, DB>(connection: &mut C, known: &EmbeddedMigrations) -> Result<Option<String>, OpenError>
where
    DB: diesel::backend::Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    let own = versions::<DB>(known)?;
    let mut done = connection.applied_migrations().map_err(failed)?;
    done.sort();
    let newer = done.into_iter().find(|version| !own.contains(version));
    Ok(newer.map(|version| version.to_string()))
}

/// Runs the next migration, and tells which it was.
fn run_next<C, DB>(
    connection: &mut C,
    known: impl Fn() -> EmbeddedMigrations,
) -> Result<Option<String>, OpenError>
where
    DB: diesel::backend::Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    if !connection.has_pending_migration(known()).map_err(failed)? {
        return Ok(None);
    }
    let version = connection.run_next_migration(known()).map_err(failed)?;
    Ok(Some(version.to_string()))
}

fn failed(source: Box<dyn std::error::Error + Send + Sync>) -> OpenError {
    OpenError::Migrate { source }
}
