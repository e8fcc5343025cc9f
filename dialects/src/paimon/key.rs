//! The rows of a rollup: a query's answer with `__key` before it, its dimensions as one text, the same that the embedded engine makes.
//! In: the rollup's columns, the query's text, how the target writes texts. Out: a select for Flink's INSERT and StarRocks' view.

use unisono_compiler::data_type::DataType;

use super::spec::{ColumnSpec, KEY, TableSpec};
use crate::sql::tree::{Expr, Input, Select, Source, Type, call, cast, is_null, text, when_else};

/// The query's alias inside the statement.
const ANSWER: &str = "answer";

/// How a target writes texts.
#[derive(Clone, Copy)]
pub(crate) struct Texts {
    /// A timestamp as a text with six digits.
    pub(crate) moment: fn(Expr) -> Expr,
    /// A text as a column of a table that takes any length.
    pub(crate) column: fn(Expr) -> Expr,
}

/// A query's rows with `__key` before them. The rollup's columns after `__key` are the query's, the first `dimensions` of them make the key.
pub(crate) fn keyed(rollup: &TableSpec, dimensions: usize, query: &str, texts: Texts) -> Select {
    let columns: Vec<&ColumnSpec> = rollup.columns.iter().filter(|column| column.name != KEY).collect();
    let parts: Vec<Expr> = columns
        .iter()
        .take(dimensions)
        .map(|column| part(value(column), column.data_type, texts.moment))
        .collect();
    let key = match parts.as_slice() {
        [] => string(text("")),
        [only] => only.clone(),
        [_, ..] => call("CONCAT", parts),
    };
    let mut items = vec![((texts.column)(key), KEY.to_string())];
    items.extend(columns.iter().map(|column| {
        let value = value(column);
        let value = if column.data_type == DataType::String { (texts.column)(value) } else { value };
        (value, column.name.clone())
    }));
    let source = Source::Query(query.trim_end().to_string());
    Select {
        distinct: false,
        items,
        from: Some(Input { source, alias: ANSWER.to_string() }),
        joins: Vec::new(),
        filter: Vec::new(),
        group_by: Vec::new(),
    }
}

fn value(column: &ColumnSpec) -> Expr {
    Expr::Column { qualifier: Some(ANSWER.to_string()), name: column.name.clone() }
}

/// `N` for NULL, else `V`, the length in characters, `:`, the text.
fn part(value: Expr, data_type: DataType, moment: fn(Expr) -> Expr) -> Expr {
    let words = words(value.clone(), data_type, moment);
    let length = string(call("CHAR_LENGTH", vec![words.clone()]));
    when_else(is_null(value), text("N"), call("CONCAT", vec![text("V"), length, text(":"), words]))
}

/// The one text of a value: integers plain, decimals at their scale, dates and times ISO with six digits, booleans in small letters.
fn words(value: Expr, data_type: DataType, moment: fn(Expr) -> Expr) -> Expr {
    match data_type {
        DataType::Boolean => when_else(value, text("true"), text("false")),
        // Sessions run in UTC, so the wall clock of an instant is that of UTC.
        DataType::Timestamp | DataType::TimestampTz => moment(value),
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

/// A value as a text of any length.
pub(crate) fn string(value: Expr) -> Expr {
    cast(value, Type::word("STRING"))
}
