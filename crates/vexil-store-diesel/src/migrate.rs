//! Making the tables, and bringing them up to date.

use diesel::migration::MigrationSource;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::OpenError;
use crate::connection::AnyConnection;

#[cfg(feature = "sqlite")]
const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
#[cfg(feature = "postgres")]
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// Runs the migrations that have not been run. Several processes may do so at once.
pub(crate) fn migrate(connection: &mut AnyConnection) -> Result<(), OpenError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            use diesel::connection::SimpleConnection;

            // The number only has to be the same in every process, and unlikely in other programs.
            let lock = own.batch_execute("select pg_advisory_lock(8503476011)");
            lock.map_err(|error| failed(error.into()))?;
            let outcome = run(own, POSTGRES);
            let unlock = own.batch_execute("select pg_advisory_unlock(8503476011)");
            outcome.and(unlock.map_err(|error| failed(error.into())))
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(own) => {
            use diesel::result::Error::RollbackTransaction;

            // Whoever comes second waits here, and then finds nothing left to do.
            let mut outcome = Ok(());
            let committed = own.immediate_transaction(|own| {
                outcome = run(own, SQLITE);
                if outcome.is_ok() {
                    Ok(())
                } else {
                    Err(RollbackTransaction)
                }
            });
            outcome.and(committed.map_err(|error| failed(error.into())))
        }
    }
}

fn run<C, DB>(connection: &mut C, known: EmbeddedMigrations) -> Result<(), OpenError>
where
    DB: diesel::backend::Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    let own = MigrationSource::<DB>::migrations(&known).map_err(failed)?;
    let own: Vec<_> = own
        .iter()
        .map(|migration| migration.name().version().as_owned())
        .collect();
    let done = connection.applied_migrations().map_err(failed)?;
    if let Some(newer) = done.iter().find(|version| !own.contains(version)) {
        return Err(OpenError::Newer {
            migration: newer.to_string(),
        });
    }
    connection.run_pending_migrations(known).map(drop).map_err(failed)
}

fn failed(source: Box<dyn std::error::Error + Send + Sync>) -> OpenError {
    OpenError::Migrate { source }
}
