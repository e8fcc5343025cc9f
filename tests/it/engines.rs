//! Engines as the tests use them. In: a schema's script and SQL. Out: rows in the harness's one normal form.

use unisono_compiler::data_type::DataType;
use unisono_compiler::query::Moment;
use unisono_runtime::compile::{Compiled, compile_texts};
use unisono_runtime::engine::datafusion::{Session, block_on, run_sql};
use unisono_runtime::table;
use unisono_tests::helper;
use unisono_tests::judge::Answer;
use unisono_tests::value::{Column, Kind, Table, Value};

/// The moment of all tests.
pub(crate) fn moment() -> Moment {
    Moment { now: "2024-06-15 12:30:00.000000".to_string(), zone: "UTC".to_string() }
}

/// Compiles, or the refusal as `unisono sql` prints it.
pub(crate) fn compile(
    model: &str,
    request: &str,
    schema: Option<&str>,
    target: &str,
) -> Result<(String, Compiled), Answer> {
    let compiled = compile_texts(model, request, schema, target, &moment());
    match compiled.sql.clone() {
        Some(sql) => Ok((sql, compiled)),
        None => {
            let lines: Vec<String> = compiled
                .diagnostics
                .iter()
                .filter(|finding| finding.code.as_str().starts_with('E'))
                .map(|finding| {
                    let help = finding.help.join("; ");
                    format!("{}: {} ({help})", finding.code, finding.message)
                })
                .collect();
            let text = lines.join("\n");
            Err(Answer::refused(&text).unwrap_or(Answer::Refused {
                code: "none".to_string(),
                message: "no SQL and no code".to_string(),
            }))
        }
    }
}

/// A DataFusion session with the tables of a script. Its instants are in microseconds, as files have them; DataFusion's own are in
/// nanoseconds and end in 2262.
pub(crate) fn datafusion_session(script: &str) -> Result<Session, String> {
    let script = script.replace("TIMESTAMP WITH TIME ZONE", "TIMESTAMP(6) WITH TIME ZONE");
    let session = Session::new();
    block_on(session.execute_script(&script))
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    Ok(session)
}

/// Runs one query in a session.
pub(crate) fn datafusion(session: &Session, sql: &str) -> Result<Table, String> {
    let answer = block_on(run_sql(session, sql)).map_err(|error| error.to_string())?;
    answer.map_err(|error| error.to_string()).map(|table| normal(&table))
}

/// Runs one query in a fresh DuckDB with the tables of a script.
pub(crate) fn duckdb(script: &str, sql: &str) -> Result<Table, String> {
    helper::shared().map_err(ToString::to_string)?.duckdb(&[script.to_string()], sql)
}

/// A runtime table in the harness's normal form.
pub(crate) fn normal(table: &table::Table) -> Table {
    let columns: Vec<Column> = table
        .columns
        .iter()
        .map(|column| Column { name: column.name.clone(), kind: kind(column.data_type) })
        .collect();
    let rows = table
        .rows
        .iter()
        .map(|row| {
            row.iter()
                .zip(&columns)
                .map(|(value, column)| match value {
                    table::Value::Null => Value::Null,
                    other => Value::parse(column.kind, other.text().trim_end_matches('Z')).unwrap(),
                })
                .collect()
        })
        .collect();
    Table { columns, rows }
}

fn kind(data_type: DataType) -> Kind {
    match data_type {
        DataType::Boolean => Kind::Boolean,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 | DataType::Decimal { .. } => {
            Kind::Exact
        }
        DataType::Float32 | DataType::Float64 => Kind::Float,
        DataType::String | DataType::Time => Kind::Text,
        DataType::Date => Kind::Date,
        DataType::Timestamp | DataType::TimestampTz => Kind::Timestamp,
        DataType::Null | DataType::Unknown => Kind::Any,
    }
}
