//! What the lakehouse must keep, on tables in a temporary folder.

mod changes;
mod fixture;
mod lines;
mod matrix;
mod rows;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int8Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow::util::display::array_value_to_string;
use unisono_compiler::data_type::DataType;
use unisono_dialects::{ColumnSpec, TableSpec};

use super::{Commit, Lake, LakeError, Line, Pin, TableName, VALUE_KIND};

/// An empty folder of a test's own.
pub(super) fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("unisono-lake-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A new warehouse in such a folder.
fn lake(name: &str) -> Lake {
    Lake::init(&folder(name)).unwrap()
}

fn done(lake: &Lake) {
    std::fs::remove_dir_all(lake.root()).unwrap();
}

fn orders() -> TableName {
    TableName::parse("shop.orders").unwrap()
}

fn columns(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// `shop.orders (id BIGINT, v INT, t STRING)`, with the key `id` or without.
fn spec(has_key: bool, options: &[(&str, &str)]) -> TableSpec {
    let column = |name: &str, data_type, nullable| ColumnSpec {
        name: name.to_string(),
        data_type,
        nullable,
        comment: None,
    };
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    all.insert("bucket".to_string(), if has_key { "1" } else { "-1" }.to_string());
    all.extend(options.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string())));
    TableSpec {
        name: "shop.orders".to_string(),
        columns: vec![
            column("id", DataType::Int64, !has_key),
            column("v", DataType::Int32, true),
            column("t", DataType::String, true),
        ],
        primary_key: if has_key { columns(&["id"]) } else { Vec::new() },
        options: all,
    }
}

fn commit(identifier: i64) -> Commit {
    Commit { user: "tester".to_string(), identifier }
}

type Row<'a> = (i64, Option<i32>, &'a str);

/// Rows to append.
fn added(rows: &[Row<'_>]) -> Vec<RecordBatch> {
    let arrays: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.0)))),
        ("v", Arc::new(rows.iter().map(|row| row.1).collect::<Int32Array>())),
        ("t", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.2)))),
    ];
    vec![RecordBatch::try_from_iter(arrays).unwrap()]
}

/// Rows with what is to become of them.
fn kinds(rows: &[(i8, Row<'_>)]) -> Vec<RecordBatch> {
    let plain = added(&rows.iter().map(|(_, row)| *row).collect::<Vec<_>>());
    let mut arrays: Vec<(String, ArrayRef)> = plain[0]
        .schema()
        .fields()
        .iter()
        .zip(plain[0].columns())
        .map(|(field, array)| (field.name().clone(), Arc::clone(array)))
        .collect();
    let values: ArrayRef = Arc::new(Int8Array::from_iter_values(rows.iter().map(|(kind, _)| *kind)));
    arrays.push((VALUE_KIND.to_string(), values));
    vec![RecordBatch::try_from_iter(arrays).unwrap()]
}

/// Rows as text, in order of the text.
fn text(batches: &[RecordBatch]) -> Vec<String> {
    let mut lines = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let values: Vec<String> =
                batch.columns().iter().map(|array| array_value_to_string(array, row).unwrap()).collect();
            lines.push(values.join("|"));
        }
    }
    lines.sort();
    lines
}

fn at(line: &Line, snapshot: i64) -> Pin {
    Pin { line: line.clone(), snapshot: Some(snapshot), schema: 0 }
}

fn on_main(snapshot: i64) -> Pin {
    at(&Line::Main, snapshot)
}

/// All columns of `shop.orders` at a pin.
async fn rows_at(lake: &Lake, pin: &Pin) -> Vec<String> {
    let rows = lake.read(&orders(), pin, &columns(&["id", "v", "t"]), &[]).await.unwrap();
    text(&rows.collect().await.unwrap())
}

fn code(error: &LakeError) -> &'static str {
    error.diagnostic().code.as_str()
}
