//! The tables of a case as Flink is to read them.
//! In: a script of DuckDB's SQL, the case's model. Out: columns with Flink's types, the key that the model declares, the rows as JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};
use unisono_compiler::model::{Source, lower};
use unisono_compiler::source::SourceMap;
use unisono_compiler::syntax::parse_document;
use unisono_tests::helper;
use unisono_tests::value::{Kind, Value};

/// A row as an object by column.
pub(super) type Row = Map<String, Json>;

/// A table of a case.
pub(super) struct SourceTable {
    /// The schema that it is in.
    pub(super) database: String,
    /// Its name.
    pub(super) name: String,
    /// Names and Flink's types.
    pub(super) columns: Vec<(String, String)>,
    /// The primary key that the model declares, where the rows keep it.
    pub(super) key: Vec<String>,
    /// Its rows.
    pub(super) rows: Vec<Row>,
}

/// The tables that a script makes, in the order of their names.
pub(super) fn tables(script: &str, model: &str) -> Result<Vec<SourceTable>, String> {
    let helper = helper::shared()?;
    let setup = [script.to_string()];
    let listed = helper.duckdb(
        &setup,
        "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns ORDER BY table_schema, table_name, ordinal_position",
    )?;
    let mut by_name: BTreeMap<(String, String), Vec<(String, String)>> = BTreeMap::new();
    for row in &listed.rows {
        let [Value::Text(database), Value::Text(table), Value::Text(column), Value::Text(data_type)] =
            row.as_slice()
        else {
            return Err(format!("no column: {row:?}"));
        };
        let name = (database.clone(), table.clone());
        by_name.entry(name).or_default().push((column.clone(), data_type.clone()));
    }
    let declared = keys(model);
    let mut tables = Vec::new();
    for ((database, name), columns) in by_name {
        let read = helper.duckdb(&setup, &format!("SELECT * FROM \"{database}\".\"{name}\" ORDER BY ALL"))?;
        let rows: Vec<Row> = read
            .rows
            .iter()
            .map(|row| row.iter().zip(&columns).map(|(value, column)| field(value, column)).collect())
            .collect();
        let key = declared.get(&name).filter(|key| holds(key, &rows)).cloned().unwrap_or_default();
        let columns: Result<_, String> =
            columns.into_iter().map(|(name, duckdb)| Ok((name, flink_type(&duckdb)?))).collect();
        tables.push(SourceTable { database, name, columns: columns?, key, rows });
    }
    Ok(tables)
}

/// The primary keys that a model declares, by table.
fn keys(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut sources = SourceMap::default();
    let id = sources.add("model.yaml", text);
    let Some(document) = parse_document(id, text).0 else { return BTreeMap::new() };
    let Some(model) = document.models.first() else { return BTreeMap::new() };
    let (model, _) = lower(model);
    let mut keys = BTreeMap::new();
    for dataset in model.datasets.ids() {
        let dataset = &model.datasets[dataset];
        let (Source::Table(parts), Some(key)) = (&dataset.source, dataset.keys.first()) else { continue };
        if let (Some(table), true) = (parts.last(), key.primary) {
            keys.insert(table.clone(), key.columns.iter().map(|column| column.text.clone()).collect());
        }
    }
    keys
}

/// Whether the columns are there, are never NULL, and tell the rows apart.
fn holds(key: &[String], rows: &[Row]) -> bool {
    let mut seen = BTreeSet::new();
    rows.iter().all(|row| {
        let values: Option<Vec<&Json>> =
            key.iter().map(|name| row.get(name).filter(|value| !value.is_null())).collect();
        values.is_some_and(|values| seen.insert(format!("{values:?}")))
    })
}

/// A column's name and value as Flink's JSON formats read it: numbers as texts, since a number would go by way of a double.
fn field(value: &Value, column: &(String, String)) -> (String, Json) {
    let json = match value {
        Value::Null => Json::Null,
        Value::Boolean(value) => Json::Bool(*value),
        Value::Float(number) if number.is_infinite() => {
            if *number > 0.0 {
                "Infinity".into()
            } else {
                "-Infinity".into()
            }
        }
        Value::Float(number) => number.to_string().into(),
        Value::Timestamp(text) if column.1.ends_with("WITH TIME ZONE") => format!("{text}Z").into(),
        Value::Exact(text) | Value::Text(text) | Value::Date(text) | Value::Timestamp(text) => {
            text.clone().into()
        }
    };
    (column.0.clone(), json)
}

fn flink_type(duckdb: &str) -> Result<String, String> {
    Ok(match Kind::of_type(duckdb) {
        Some(Kind::Text) => "STRING".to_string(),
        Some(Kind::Timestamp) if duckdb.ends_with("WITH TIME ZONE") => "TIMESTAMP_LTZ(6)".to_string(),
        Some(Kind::Timestamp) => "TIMESTAMP(6)".to_string(),
        Some(Kind::Boolean | Kind::Exact | Kind::Float | Kind::Date) => duckdb.to_string(),
        Some(Kind::Any) | None => return Err(format!("no case has the type {duckdb}")),
    })
}
