//! Databases of other programs, which are refused before anything is written.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::OpenError;
use crate::connection::{AnyConnection, each_backend};

/// In which Diesel notes what was run, under this name in each program that uses it.
const MIGRATIONS: &str = "__diesel_schema_migrations";
/// What the first migration makes.
const STATE: &str = "store_state";

/// What refuses a database that holds something and was never one of Vexil's. A file belongs to one program. A schema of
/// PostgreSQL may be shared, as long as nothing stands where something of Vexil's belongs.
pub(crate) fn refusal(connection: &mut AnyConnection) -> QueryResult<Option<OpenError>> {
    let found = tables(connection)?;
    let has = |name: &str| found.iter().any(|table| table == name);
    if has(MIGRATIONS) && has(STATE) {
        return Ok(None);
    }
    Ok(match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(_) if has(MIGRATIONS) => {
            let source = format!("there is `{MIGRATIONS}`, and no `{STATE}`").into();
            Some(OpenError::Occupied { source })
        }
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(_) => None,
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) if found.is_empty() => None,
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) => Some(OpenError::Foreign {
            path: std::path::PathBuf::new(),
            found,
        }),
    })
}

/// The names of whatever was made where Vexil would make its tables.
fn tables(connection: &mut AnyConnection) -> QueryResult<Vec<String>> {
    let question = match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(_) => {
            "select relname::text from pg_class join pg_namespace on relnamespace = pg_namespace.oid
             where nspname = current_schema() order by 1"
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) => {
            r"select name from sqlite_schema where name not like 'sqlite\_%' escape '\' order by type <> 'table', name"
        }
    };
    each_backend!(connection, |own| sql::<Text>(question).load(own))
}
