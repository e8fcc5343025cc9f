//! A case's tables as SQL that DataFusion and DuckDB both read. In: tables. Out: CREATE TABLE and INSERT statements with exact literals.

use std::fmt::Write as _;

use crate::case::{ColumnType, Table};
use crate::expr::{print_date, print_exact, print_timestamp};
use crate::value::Value;

/// Schemas and tables without rows. Keys are not declared, so that rows may break them.
pub fn ddl(tables: &[Table]) -> String {
    let mut out = String::new();
    let mut schemas: Vec<&str> = Vec::new();
    for (schema, _) in tables.iter().filter_map(|table| table.name.rsplit_once('.')) {
        if !schemas.contains(&schema) {
            schemas.push(schema);
            let _ = writeln!(out, "CREATE SCHEMA IF NOT EXISTS {schema};");
        }
    }
    for table in tables {
        let columns: Vec<String> = table
            .columns
            .iter()
            .map(|column| format!("{} {}", quote(&column.name), type_name(column.column_type)))
            .collect();
        let _ = writeln!(out, "CREATE TABLE {} ({});", table.name, columns.join(", "));
    }
    out
}

/// Schemas and tables with their rows.
pub fn script(tables: &[Table]) -> String {
    let mut out = ddl(tables);
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        let types = |at: usize| table.columns.get(at).map(|column| column.column_type);
        let rows: Vec<String> = table
            .rows
            .iter()
            .map(|row| {
                let values: Vec<String> =
                    row.iter().enumerate().map(|(at, value)| literal(value, types(at))).collect();
                format!("({})", values.join(", "))
            })
            .collect();
        let _ = writeln!(out, "INSERT INTO {} VALUES\n{};", table.name, rows.join(",\n"));
    }
    out
}

/// A value as a literal of its type.
pub fn literal(value: &Value, column_type: Option<ColumnType>) -> String {
    match value {
        Value::Null => "NULL".to_string(),
        Value::Boolean(true) => "TRUE".to_string(),
        Value::Boolean(false) => "FALSE".to_string(),
        // A plain 0.5 is a double in one engine on its way into a decimal column; a text is exact in both.
        Value::Exact { digits, scale } => match column_type {
            Some(decimal @ ColumnType::Decimal { .. }) => {
                format!("CAST('{}' AS {})", print_exact(*digits, *scale), type_name(decimal))
            }
            _ => print_exact(*digits, *scale),
        },
        Value::Double(number) => format!("CAST('{number:?}' AS DOUBLE)"),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Date(days) => format!("DATE '{}'", print_date(*days)),
        Value::Timestamp(micros) => format!("TIMESTAMP '{}'", print_timestamp(*micros)),
    }
}

/// The type as both engines and the compiler's reader of schemas spell it.
pub fn type_name(column_type: ColumnType) -> String {
    match column_type {
        ColumnType::Boolean => "BOOLEAN".to_string(),
        ColumnType::Int32 => "INTEGER".to_string(),
        ColumnType::Int64 => "BIGINT".to_string(),
        ColumnType::Decimal { precision, scale } => format!("DECIMAL({precision},{scale})"),
        ColumnType::Double => "DOUBLE".to_string(),
        ColumnType::Text => "VARCHAR".to_string(),
        ColumnType::Date => "DATE".to_string(),
        ColumnType::Timestamp => "TIMESTAMP".to_string(),
    }
}

/// Words that engines reserve or read as a type.
const QUOTED: [&str; 6] = ["date", "order", "user", "value", "method", "level"];

fn quote(name: &str) -> String {
    let plain = name.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '_');
    if plain && !QUOTED.contains(&name) {
        name.to_string()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Column;

    fn column(name: &str, column_type: ColumnType) -> Column {
        Column { name: name.to_string(), column_type }
    }

    #[test]
    fn a_script_creates_and_fills_tables() {
        let tables = [
            Table {
                name: "s.orders".to_string(),
                columns: vec![
                    column("id", ColumnType::Int32),
                    column("value", ColumnType::Decimal { precision: 10, scale: 2 }),
                    column("rate", ColumnType::Double),
                    column("city", ColumnType::Text),
                    column("day", ColumnType::Date),
                    column("at", ColumnType::Timestamp),
                    column("paid", ColumnType::Boolean),
                ],
                rows: vec![
                    vec![
                        Value::Exact { digits: -3, scale: 0 },
                        Value::Exact { digits: -5, scale: 2 },
                        Value::Double(-0.25),
                        Value::Text("it's".to_string()),
                        Value::Date(19_782),
                        Value::Timestamp(-1),
                        Value::Boolean(true),
                    ],
                    vec![Value::Null; 7],
                ],
            },
            Table {
                name: "s.none".to_string(),
                columns: vec![column("id", ColumnType::Int64)],
                rows: vec![],
            },
        ];
        assert_eq!(
            script(&tables),
            "CREATE SCHEMA IF NOT EXISTS s;\n\
             CREATE TABLE s.orders (id INTEGER, \"value\" DECIMAL(10,2), rate DOUBLE, city VARCHAR, day DATE, at TIMESTAMP, paid BOOLEAN);\n\
             CREATE TABLE s.none (id BIGINT);\n\
             INSERT INTO s.orders VALUES\n\
             (-3, CAST('-0.05' AS DECIMAL(10,2)), CAST('-0.25' AS DOUBLE), 'it''s', DATE '2024-02-29', TIMESTAMP '1969-12-31 23:59:59.999999', TRUE),\n\
             (NULL, NULL, NULL, NULL, NULL, NULL, NULL);\n"
        );
        assert!(script(&tables).starts_with(&ddl(&tables)));
    }
}
