//! Rows read by their keys.

/// Reads the rows of a table with these keys, or all.
macro_rules! load_rows {
    ($connection:expr, $table:ident :: $key:ident, $row:ty, $keys:expr) => {{
        let mut query = $crate::schema::$table::table
            .select(<$row>::as_select())
            .into_boxed();
        if let Some(keys) = $keys {
            query = query.filter($crate::schema::$table::$key.eq_any(keys));
        }
        query.load::<$row>($connection)
    }};
}
pub(crate) use load_rows;

/// Loads what a query says of some keys. A statement about one is prepared once for all; one about a list each time.
macro_rules! load_of {
    ($connection:expr, $query:expr, $key:expr, $keys:expr) => {
        match $keys {
            [only] => $query.filter($key.eq(only)).load($connection),
            several => $query.filter($key.eq_any(several)).load($connection),
        }
    };
}
pub(crate) use load_of;

/// Hands out the rows of a table with these keys, or all, one by one and in order.
macro_rules! each_row {
    ($connection:expr, $table:ident, ($key:ident $(, $then:ident)*), $row:ty, $keys:expr, $each:expr) => {
        $crate::connection::each_backend!($connection, |own| {
            let mut query = $crate::schema::$table::table
                .select(<$row>::as_select())
                .order(($crate::schema::$table::$key, $($crate::schema::$table::$then),*))
                .into_boxed();
            if let Some(keys) = $keys {
                query = query.filter($crate::schema::$table::$key.eq_any(keys));
            }
            let mut each = $each;
            query
                .load_iter::<$row, diesel::connection::DefaultLoadingMode>(own)
                .map_err($crate::error::DbError::from)
                .and_then(|mut rows| rows.try_for_each(|row| each(row?)))
        })
    };
}
pub(crate) use each_row;
