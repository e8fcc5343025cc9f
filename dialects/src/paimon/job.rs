//! The statement that keeps a rollup: a streaming query's answer into its table, with `__key` before it.
//! In: the rollup's columns, the query's text. Out: INSERT for Flink.

use unisono_compiler::data_type::DataType;

use super::spec::{ColumnSpec, KEY, TableSpec};
use crate::dialect::dialect;
use crate::sql::print;
use crate::sql::tree::{Expr, Input, Insert, Select, Source, Type, call, cast, is_null, text, when_else};
use crate::target::{Engine, Target};

/// The query's alias inside the statement.
const ANSWER: &str = "answer";

/// INSERT of a query into a rollup. The rollup's columns after `__key` are the query's, the first `dimensions` of them make the key.
pub fn flink_rollup_insert(table: &[String], rollup: &TableSpec, dimensions: usize, query: &str) -> String {
    let columns: Vec<&ColumnSpec> = rollup.columns.iter().filter(|column| column.name != KEY).collect();
    let parts: Vec<Expr> =
        columns.iter().take(dimensions).map(|column| key_part(value(column), column.data_type)).collect();
    let key = match parts.as_slice() {
        [] => string(text("")),
        [only] => only.clone(),
        [_, ..] => call("CONCAT", parts),
    };
    let mut items = vec![(key, KEY.to_string())];
    items.extend(columns.iter().map(|column| (value(column), column.name.clone())));
    let source = Source::Query(query.trim_end().to_string());
    let select = Select {
        distinct: false,
        items,
        from: Some(Input { source, alias: ANSWER.to_string() }),
        joins: Vec::new(),
        filter: Vec::new(),
        group_by: Vec::new(),
    };
    let insert = Insert { table: table.to_vec(), select };
    print::insert(&insert, &dialect(Target::latest(Engine::FlinkStreaming)).capabilities.quoting)
}

fn value(column: &ColumnSpec) -> Expr {
    Expr::Column { qualifier: Some(ANSWER.to_string()), name: column.name.clone() }
}

/// `N` for NULL, else `V`, the length in characters, `:`, the text.
fn key_part(value: Expr, data_type: DataType) -> Expr {
    let words = key_text(value.clone(), data_type);
    let length = string(call("CHAR_LENGTH", vec![words.clone()]));
    when_else(is_null(value), text("N"), call("CONCAT", vec![text("V"), length, text(":"), words]))
}

/// The one text of a value: integers plain, decimals at their scale, dates and times ISO with six digits, booleans in small letters.
fn key_text(value: Expr, data_type: DataType) -> Expr {
    match data_type {
        DataType::Boolean => when_else(value, text("true"), text("false")),
        // Sessions run in UTC, so the wall clock of an instant is that of UTC.
        DataType::Timestamp | DataType::TimestampTz => string(cast(value, Type::with("TIMESTAMP", &[6]))),
        DataType::String => value,
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Decimal { .. }
        | DataType::Date
        // A rollup has no column of these as a dimension: they are refused before.
        | DataType::Float32
        | DataType::Float64
        | DataType::Time
        | DataType::Null
        | DataType::Unknown => string(value),
    }
}

fn string(value: Expr) -> Expr {
    cast(value, Type::word("STRING"))
}
