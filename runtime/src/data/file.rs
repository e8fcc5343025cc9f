//! One CSV, JSON lines or Parquet file that is loaded into a table. In: a path, the types that are known. Out: its columns, then its rows a
//! batch at a time in the language's Arrow types; a value that does not fit its column is an error with its place.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use unisono_compiler::catalog::{Column, Origin, Table};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::fit::Hint;
use super::locate::Format;
use super::{csv_table, json_table};
use crate::engine::datafusion::{arrow_type, data_type};

/// The rows of a file; ends after the first error.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch, Vec<Diagnostic>>> + Send>;

/// The format that a file's name says.
pub fn format_of(path: &Path) -> Result<Format, Vec<Diagnostic>> {
    Format::of(path).ok_or_else(|| {
        vec![
            Diagnostic::new(
                Code::FileUnreadable,
                format!("`{}` ends in none of .csv, .jsonl, .ndjson and .parquet", path.display()),
            )
            .help("name a CSV file with a header, a file of one JSON object a line, or a Parquet file"),
        ]
    })
}

/// A file's columns: a declared type wins, then the model's hint, then what the file says or its texts look like.
pub fn columns(
    path: &Path,
    declared: Option<&Table>,
    hints: &[Hint],
) -> Result<Vec<Column>, Vec<Diagnostic>> {
    match format_of(path)? {
        Format::Csv => csv_table::columns(path, declared, hints),
        Format::JsonLines => json_table::columns(path, declared, hints),
        Format::Parquet => {
            let reader = parquet(path)?;
            reader
                .schema()
                .fields()
                .iter()
                .map(|field| {
                    if let Some(known) = declared.and_then(|table| table.column(field.name())) {
                        return Ok(Column { name: field.name().clone(), ..known.clone() });
                    }
                    let Some(known) = data_type(field.data_type()).filter(|known| *known != DataType::Null)
                    else {
                        return Err(vec![
                            Diagnostic::new(
                                Code::DataMalformed,
                                format!(
                                    "{}: the column `{}` is {}, which no metric can use",
                                    path.display(),
                                    field.name(),
                                    field.data_type()
                                ),
                            )
                            .help("leave the column out of the file, or give it a type with --types"),
                        ]);
                    };
                    Ok(Column {
                        name: field.name().clone(),
                        data_type: known,
                        nullable: true,
                        origin: Origin::Catalogue,
                    })
                })
                .collect()
        }
    }
}

/// The columns of a file for a table that is there: `wanted` are those that it should have. Only keys of JSON lines may be missing,
/// and only these say here what a line may hold.
pub fn columns_for(path: &Path, known: &Table, wanted: &Table) -> Result<Vec<Column>, Vec<Diagnostic>> {
    match format_of(path)? {
        Format::Csv | Format::Parquet => columns(path, Some(wanted), &[]),
        Format::JsonLines => Ok(json_table::columns_for(known, wanted)),
    }
}

/// A file's rows with the types of `columns`, which are all of its columns in its order.
pub fn batches(path: &Path, columns: &[Column]) -> Result<Batches, Vec<Diagnostic>> {
    match format_of(path)? {
        Format::Csv => Ok(Box::new(csv_table::batches(path, columns)?)),
        Format::JsonLines => Ok(Box::new(json_table::batches(path, columns)?)),
        Format::Parquet => {
            let reader = parquet(path)?;
            let fields: Vec<Field> = columns
                .iter()
                .map(|column| Field::new(&column.name, arrow_type(column.data_type), true))
                .collect();
            let schema = Arc::new(Schema::new(fields));
            let shown = path.display().to_string();
            Ok(Box::new(guarded(reader, shown.clone()).map(move |batch| conform(&batch?, &schema, &shown))))
        }
    }
}

/// Whether a Parquet file can be opened, said before an engine that would break off does it.
pub fn readable(path: &Path) -> Result<(), Vec<Diagnostic>> {
    parquet(path).map(|_| ())
}

fn parquet(path: &Path) -> Result<ParquetRecordBatchReader, Vec<Diagnostic>> {
    let shown = path.display().to_string();
    let file = File::open(path).map_err(|error| {
        vec![Diagnostic::new(Code::FileUnreadable, format!("`{shown}` cannot be read: {error}"))]
    })?;
    // The reader panics on some files that only look like Parquet.
    std::panic::catch_unwind(move || ParquetRecordBatchReaderBuilder::try_new(file)?.build())
        .map_err(|_| malformed(&shown, "the reader broke off"))?
        .map_err(|error| malformed(&shown, &error.to_string()))
}

fn guarded(
    mut reader: ParquetRecordBatchReader,
    shown: String,
) -> impl Iterator<Item = Result<RecordBatch, Vec<Diagnostic>>> + Send {
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let next = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reader.next()));
        let batch = match next {
            Ok(batch) => batch.map(|batch| batch.map_err(|error| malformed(&shown, &error.to_string()))),
            Err(_) => Some(Err(malformed(&shown, "the reader broke off"))),
        };
        done = !matches!(batch, Some(Ok(_)));
        batch
    })
}

fn malformed(shown: &str, why: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::new(
        Code::DataMalformed,
        format!("`{shown}` is no Parquet file that can be read: {why}"),
    )]
}

/// Columns in the language's types; a value that does not fit raises.
fn conform(batch: &RecordBatch, schema: &SchemaRef, shown: &str) -> Result<RecordBatch, Vec<Diagnostic>> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let wrong = |column: &str, why: &dyn std::fmt::Display| {
        vec![Diagnostic::new(
            Code::DataMalformed,
            format!("{shown}: the column `{column}` does not fit: {why}"),
        )]
    };
    let arrays: Result<Vec<ArrayRef>, Vec<Diagnostic>> = batch
        .columns()
        .iter()
        .zip(schema.fields())
        .map(|(array, field)| {
            cast_with_options(array, field.data_type(), &options).map_err(|error| wrong(field.name(), &error))
        })
        .collect();
    RecordBatch::try_new(Arc::clone(schema), arrays?).map_err(|error| wrong("*", &error))
}
