//! The tables of a case's `schema.sql`. In: CREATE TABLE, INSERT and single-row UPDATE statements. Out: tables, or what could not be read.

use unisono_compiler::source::{SourceId, Spanned};
use unisono_compiler::syntax::expr::{Call, Ident, parse_expr_str};

use crate::case::{Column, ColumnType, Table};
use crate::expr::{self, Row};
use crate::stop::Stop;
use crate::value::Value;

/// Reads a script.
pub(super) fn read_script(text: &str) -> Result<Vec<Table>, String> {
    let mut tables: Vec<Table> = Vec::new();
    for statement in statements(text) {
        let upper = statement.to_uppercase();
        if let Some(rest) = upper.strip_prefix("CREATE TABLE ") {
            let rest = &statement[statement.len() - rest.len()..];
            let (name, columns) = rest.split_once('(').ok_or(statement.clone())?;
            let columns = columns.trim().strip_suffix(')').ok_or(statement.clone())?;
            let columns = split(columns).iter().map(|one| column(one)).collect::<Result<_, _>>()?;
            tables.push(Table { name: name.trim().to_string(), columns, rows: Vec::new() });
        } else if upper.starts_with("INSERT INTO ") {
            let at = upper.find("VALUES").ok_or(statement.clone())?;
            let name = statement["INSERT INTO ".len()..at].trim().to_string();
            let table = tables.iter_mut().find(|table| table.name == name).ok_or(name)?;
            for row in split(&statement[at + "VALUES".len()..]) {
                let inner = row.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                let values = split(inner.ok_or(row.clone())?);
                let row = values
                    .iter()
                    .zip(&table.columns)
                    .map(|(value, column)| typed(&value_of(value)?, column.column_type))
                    .collect::<Result<Vec<_>, String>>()?;
                if row.len() != table.columns.len() {
                    return Err(statement);
                }
                table.rows.push(row);
            }
        } else if upper.starts_with("UPDATE ") {
            update(&statement, &mut tables)?;
        } else {
            return Err(statement);
        }
    }
    Ok(tables)
}

/// `UPDATE t SET c = v WHERE k = w`.
fn update(statement: &str, tables: &mut [Table]) -> Result<(), String> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let [_, table, _, set, _, value, _, key, _, wanted] = words.as_slice() else {
        return Err(statement.to_string());
    };
    let table = tables.iter_mut().find(|one| one.name == *table).ok_or(statement)?;
    let position = |name: &str| table.columns.iter().position(|one| one.name == name).ok_or(statement);
    let (set, key) = (position(set)?, position(key)?);
    let (value, wanted) = (value_of(value)?, value_of(wanted)?);
    for row in &mut table.rows {
        if expr::same(&row[key], &wanted) {
            row[set] = value.clone();
        }
    }
    Ok(())
}

/// Statements without comments.
fn statements(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut in_text = false;
    let mut rest = text.chars().peekable();
    while let Some(one) = rest.next() {
        if one == '\'' {
            in_text = !in_text;
        }
        if !in_text && one == '-' && rest.peek() == Some(&'-') {
            for skipped in rest.by_ref() {
                if skipped == '\n' {
                    break;
                }
            }
        } else if !in_text && one == ';' {
            found.push(String::new());
        } else if let Some(last) = found.last_mut() {
            last.push(one);
        }
    }
    found.iter().map(|one| one.trim().to_string()).filter(|one| !one.is_empty()).collect()
}

/// Parts between commas outside of brackets and texts.
fn split(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let (mut depth, mut quote) = (0, None);
    for one in text.chars() {
        match (quote, one) {
            (Some(open), _) if open == one => quote = None,
            (None, '\'' | '"') => quote = Some(one),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if one == ',' && depth == 0 && quote.is_none() {
            found.push(String::new());
        } else if let Some(last) = found.last_mut() {
            last.push(one);
        }
    }
    found.iter().map(|one| one.trim().to_string()).collect()
}

fn column(text: &str) -> Result<Column, String> {
    let (name, rest) = match text.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        Some((name, rest)) => (name, rest.trim()),
        None => text.split_once(' ').ok_or(text)?,
    };
    let upper = rest.to_uppercase();
    let column_type = match upper.split(['(', ' ']).next().unwrap_or("") {
        "BOOLEAN" => ColumnType::Boolean,
        "INTEGER" => ColumnType::Int32,
        "BIGINT" => ColumnType::Int64,
        "DOUBLE" => ColumnType::Double,
        "VARCHAR" => ColumnType::Text,
        "DATE" => ColumnType::Date,
        "TIMESTAMP" => ColumnType::Timestamp,
        "DECIMAL" => {
            let numbers: Vec<u8> =
                upper.split(['(', ',', ')']).filter_map(|part| part.trim().parse().ok()).collect();
            ColumnType::Decimal { precision: numbers[0], scale: numbers[1] }
        }
        _ => return Err(text.to_string()),
    };
    Ok(Column { name: name.to_string(), column_type })
}

struct NoRow;

impl Row for NoRow {
    fn name(&self, _parts: &[Spanned<Ident>]) -> Result<Value, Stop> {
        Err(Stop::Unknown("a name among values".into()))
    }

    fn call(&self, _call: &Call) -> Option<Result<Value, Stop>> {
        None
    }
}

fn value_of(text: &str) -> Result<Value, String> {
    // A script is read by DuckDB, which knows these words; CAST of the language does not.
    for (word, number) in [("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY), ("NaN", f64::NAN)] {
        if text == format!("CAST('{word}' AS DOUBLE)") {
            return Ok(Value::Double(number));
        }
    }
    let (expr, _) = parse_expr_str(text, SourceId(2));
    let expr = expr.ok_or(text)?;
    expr::evaluate(&expr, &NoRow).map_err(|stop| format!("{text}: {stop:?}"))
}

fn typed(value: &Value, column_type: ColumnType) -> Result<Value, String> {
    Ok(match (value, column_type) {
        (Value::Exact { digits, scale: from }, ColumnType::Decimal { scale, .. }) => {
            Value::Exact { digits: digits * 10_i128.pow(u32::from(scale - from)), scale }
        }
        (Value::Exact { digits, scale }, ColumnType::Double) => {
            Value::Double(format!("{digits}e-{scale}").parse().map_err(|_| format!("{digits}"))?)
        }
        (Value::Text(text), ColumnType::Date | ColumnType::Timestamp) => return Err(text.clone()),
        _ => value.clone(),
    })
}
