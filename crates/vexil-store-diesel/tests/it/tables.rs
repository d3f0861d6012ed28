//! Both databases have the same tables.

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::folder::Folder;
use crate::postgres::Schema;

#[derive(QueryableByName, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
    #[diesel(sql_type = Text)]
    nullable: String,
}

fn of_sqlite() -> BTreeSet<Column> {
    let folder = Folder::new();
    let file = folder.path().join("flags.db");
    drop(vexil_store_diesel::open(&format!("sqlite:{}", file.display())).unwrap());
    let mut connection = SqliteConnection::establish(&file.to_string_lossy()).unwrap();
    let columns: Vec<Column> = diesel::sql_query(
        "select m.name as table_name, c.name as column_name,
                case when c.\"notnull\" or c.pk then 'NO' else 'YES' end as nullable
         from sqlite_master m join pragma_table_info(m.name) c
         where m.type = 'table' and m.name not like 'sqlite%' and m.name not like '\\_\\_%' escape '\\'",
    )
    .load(&mut connection)
    .unwrap();
    columns.into_iter().collect()
}

fn of_postgres(schema: &Schema) -> BTreeSet<Column> {
    drop(vexil_store_diesel::open(&schema.url()).unwrap());
    let mut connection = PgConnection::establish(&schema.url()).unwrap();
    let columns: Vec<Column> = diesel::sql_query(
        "select table_name::text, column_name::text, is_nullable::text as nullable
         from information_schema.columns
         where table_schema = current_schema and table_name not like '\\_\\_%'",
    )
    .load(&mut connection)
    .unwrap();
    columns.into_iter().collect()
}

#[test]
fn both_databases_have_the_same_tables_and_columns() {
    let Some(schema) = Schema::new() else {
        return;
    };
    let (sqlite, postgres) = (of_sqlite(), of_postgres(&schema));
    assert!(sqlite.len() > 100, "{sqlite:?}");
    assert_eq!(sqlite, postgres);
}
