//! Specs of source and rollup tables, and their CREATE TABLE for Flink.
//! In: a dataset's columns, or a pipeline's output columns. Out: a `TableSpec`, or what is missing for one.

use std::collections::BTreeMap;

use unisono_compiler::catalog::{Column, Origin};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic, has_errors};
use unisono_compiler::ids::{ColumnId, DatasetId};
use unisono_compiler::model::Source;
use unisono_compiler::relation::OutputColumn;
use unisono_compiler::resolve::Resolved;

use crate::dialect::dialect;
use crate::form::DECLARE_TYPE;
use crate::sql::{print, tree};
use crate::target::{Engine, Target};

/// A Paimon table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableSpec {
    /// Its name, with the database before a point if it has one.
    pub name: String,
    /// Its columns in order.
    pub columns: Vec<ColumnSpec>,
    /// Names of the key's columns; empty for an append table.
    pub primary_key: Vec<String>,
    /// Table options. <https://paimon.apache.org/docs/master/maintenance/configurations/>
    pub options: BTreeMap<String, String>,
}

/// A column of a Paimon table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnSpec {
    /// Its name.
    pub name: String,
    /// Its type.
    pub data_type: DataType,
    /// Whether NULL may occur; never in a key.
    pub nullable: bool,
    /// Text for people.
    pub comment: Option<String>,
}

/// As the catalogue knows it.
impl From<&ColumnSpec> for Column {
    fn from(column: &ColumnSpec) -> Self {
        Column {
            name: column.name.clone(),
            data_type: column.data_type,
            nullable: column.nullable,
            origin: Origin::Catalogue,
        }
    }
}

/// The key of a rollup: the dimensions as one text, so that a dimension may be NULL.
pub const KEY: &str = "__key";

/// The table of a dataset: its columns with their types, its primary key NOT NULL.
pub fn source_spec(model: &Resolved, dataset: DatasetId) -> (Option<TableSpec>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let declared = &model.model.datasets[dataset];
    let path = ["datasets.", &declared.name.text].concat();
    let name = match &declared.source {
        Source::Table(parts) => parts.iter().rev().take(2).rev().cloned().collect::<Vec<_>>().join("."),
        Source::Query(_) => {
            diagnostics.push(
                Diagnostic::new(
                    Code::UnsupportedSource,
                    format!(
                        "the source of `{}` is a query, which is no table of its own",
                        declared.name.text
                    ),
                )
                .about(path)
                .help("give the dataset a table as its source"),
            );
            return (None, diagnostics);
        }
    };
    let key: Vec<ColumnId> = primary_key(model, dataset);
    let mut columns = Vec::new();
    for (id, column) in model.columns.iter().filter(|(_, column)| column.dataset == dataset) {
        let spec = ColumnSpec {
            name: column.name.clone(),
            data_type: column.data_type,
            nullable: column.nullable && !key.contains(&id),
            comment: None,
        };
        columns.push(spec);
    }
    check_types(&columns, &declared.name.text, &mut diagnostics);
    let primary_key: Vec<String> = key.iter().map(|id| model.columns[*id].name.clone()).collect();
    let options = if primary_key.is_empty() { append_options() } else { source_key_options() };
    let spec = TableSpec { name, columns, primary_key, options };
    let spec = (!has_errors(&diagnostics)).then_some(spec);
    (spec, diagnostics)
}

/// The table of a pipeline's answer: `__key`, the dimensions, the measures.
pub fn rollup_spec(
    name: &str,
    dimensions: &[OutputColumn],
    measures: &[OutputColumn],
) -> (Option<TableSpec>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let key = ColumnSpec {
        name: KEY.to_string(),
        data_type: DataType::String,
        nullable: false,
        comment: Some("the dimensions as one text".to_string()),
    };
    let mut columns = vec![key];
    for output in dimensions.iter().chain(measures) {
        let spec = ColumnSpec {
            name: output.name.clone(),
            data_type: output.data_type,
            nullable: true,
            comment: None,
        };
        columns.push(spec);
    }
    check_types(&columns, name, &mut diagnostics);
    let spec = TableSpec {
        name: name.to_string(),
        columns,
        primary_key: vec![KEY.to_string()],
        options: rollup_options(),
    };
    let spec = (!has_errors(&diagnostics)).then_some(spec);
    (spec, diagnostics)
}

/// CREATE TABLE in Flink's SQL, in a Paimon catalogue.
pub fn flink_create_table(spec: &TableSpec) -> String {
    create_table(spec, false)
}

/// The same where the table may be there already.
pub fn flink_create_table_if_missing(spec: &TableSpec) -> String {
    create_table(spec, true)
}

fn create_table(spec: &TableSpec, if_missing: bool) -> String {
    let flink = dialect(Target::latest(Engine::FlinkBatch));
    let columns = spec
        .columns
        .iter()
        .filter_map(|column| {
            Some(tree::ColumnDefinition {
                name: column.name.clone(),
                data_type: (flink.tables.data_type)(column.data_type)?,
                nullable: column.nullable,
                comment: column.comment.clone(),
            })
        })
        .collect();
    let statement = tree::CreateTable {
        name: spec.name.split('.').map(ToString::to_string).collect(),
        if_missing,
        columns,
        primary_key: spec.primary_key.clone(),
        options: spec.options.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
    };
    print::create_table(&statement, &flink.capabilities.quoting)
}

/// The columns of the declared primary key: the first of the dataset's keys, if the model declares one.
fn primary_key(model: &Resolved, dataset: DatasetId) -> Vec<ColumnId> {
    model.keys[dataset].first().cloned().unwrap_or_default()
}

/// The columns without a type are named together: who declares one can declare all.
fn check_types(columns: &[ColumnSpec], table: &str, diagnostics: &mut Vec<Diagnostic>) {
    let untyped =
        columns.iter().filter(|column| matches!(column.data_type, DataType::Unknown | DataType::Null));
    let untyped: Vec<String> = untyped.map(|column| format!("`{table}.{}`", column.name)).collect();
    if !untyped.is_empty() {
        let message =
            format!("a Paimon table needs the type of {}, and nothing declares it", untyped.join(", "));
        diagnostics.push(Diagnostic::new(Code::TypeRequired, message).help(DECLARE_TYPE));
    }
    for column in columns {
        check_time(column, table, diagnostics);
    }
}

fn check_time(column: &ColumnSpec, table: &str, diagnostics: &mut Vec<Diagnostic>) {
    match column.data_type {
        DataType::Time => diagnostics.push(
            Diagnostic::new(
                Code::TypeMismatch,
                format!("`{table}.{}` is a Time of microseconds, and Paimon keeps milliseconds", column.name),
            )
            .help("keep it as a Timestamp or as text"),
        ),
        DataType::Unknown
        | DataType::Null
        | DataType::Boolean
        | DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Decimal { .. }
        | DataType::Float32
        | DataType::Float64
        | DataType::String
        | DataType::Date
        | DataType::Timestamp
        | DataType::TimestampTz => {}
    }
}

fn options(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string())).collect()
}

/// Options of a table without a key: no buckets, so that any writer may append.
pub fn append_options() -> BTreeMap<String, String> {
    options(&[("bucket", "-1"), ("file.format", "parquet")])
}

/// Options of a table with a key. Without a changelog producer a Flink stream rebuilds the old values itself, whoever wrote the new ones;
/// with `lookup` it would see rows from Rust only after a compaction, and `input` passes an upsert on as a second insert.
pub fn source_key_options() -> BTreeMap<String, String> {
    options(&[
        ("bucket", "1"),
        ("changelog-producer", "none"),
        ("file.format", "parquet"),
        ("merge-engine", "deduplicate"),
    ])
}

/// A rollup has one writer. `lookup` gives readers of its changelog exact old values; it is safe beside `deduplicate`, never
/// beside an aggregating merge engine.
fn rollup_options() -> BTreeMap<String, String> {
    options(&[
        ("bucket", "1"),
        ("changelog-producer", "lookup"),
        ("file.format", "parquet"),
        ("merge-engine", "deduplicate"),
    ])
}
