//! Columns that are short, most of the time.

use diesel::deserialize::{self, FromSql, FromSqlRow};
use smallvec::SmallVec;

use crate::error::DbError;
use crate::json::corrupt;

/// The bytes of a text or of a binary value, without a piece of memory of their own where they are short: of a text
/// nobody has looked yet whether it is one.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, FromSqlRow)]
pub(crate) struct Short(SmallVec<[u8; 36]>);

impl Short {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text; `what` says what it should be.
    pub(crate) fn as_text(&self, what: &'static str) -> Result<&str, DbError> {
        std::str::from_utf8(&self.0).map_err(|source| corrupt(what, source))
    }
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use diesel::sql_types::{Binary, Text};
    use diesel::sqlite::{Sqlite, SqliteValue};

    use super::{FromSql, Short, deserialize};

    impl FromSql<Text, Sqlite> for Short {
        fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
            Ok(Self(value.read_blob().into()))
        }
    }

    impl FromSql<Binary, Sqlite> for Short {
        fn from_sql(mut value: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
            Ok(Self(value.read_blob().into()))
        }
    }
}

#[cfg(feature = "postgres")]
mod postgres {
    use diesel::pg::{Pg, PgValue};
    use diesel::sql_types::{Binary, Text};

    use super::{FromSql, Short, deserialize};

    impl FromSql<Text, Pg> for Short {
        fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
            Ok(Self(value.as_bytes().into()))
        }
    }

    impl FromSql<Binary, Pg> for Short {
        fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
            Ok(Self(value.as_bytes().into()))
        }
    }
}
