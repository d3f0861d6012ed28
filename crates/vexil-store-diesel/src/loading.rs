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
