//! Instants as microseconds since 1970.

use time::OffsetDateTime;

use crate::connection::AnyConnection;
use crate::error::DbError;

/// The instant as it is stored; what is finer is cut off.
pub(crate) fn to_stored(instant: OffsetDateTime) -> i64 {
    let micros = instant.unix_timestamp_nanos().div_euclid(1000);
    i64::try_from(micros).unwrap_or(i64::MAX)
}

/// The instant that was stored.
pub(crate) fn from_stored(micros: i64) -> Result<OffsetDateTime, DbError> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1000).map_err(|source| DbError::Corrupt {
        what: "an instant",
        source: source.into(),
    })
}

/// The same for what may be absent.
pub(crate) fn from_optional(micros: Option<i64>) -> Result<Option<OffsetDateTime>, DbError> {
    micros.map(from_stored).transpose()
}

/// The time by the clock of the database, where it may be another than this machine's.
pub(crate) fn clock(connection: &mut AnyConnection) -> Result<Option<OffsetDateTime>, DbError> {
    match connection {
        #[cfg(feature = "postgres")]
        AnyConnection::Postgres(own) => {
            use diesel::prelude::*;
            use diesel::sql_types::BigInt;

            let micros = "cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)";
            let micros: i64 = diesel::select(diesel::dsl::sql::<BigInt>(micros)).get_result(own)?;
            from_stored(micros).map(Some)
        }
        #[cfg(feature = "sqlite")]
        AnyConnection::Sqlite(_) => Ok(None),
    }
}
