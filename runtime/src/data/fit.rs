//! What text files share: the types that a model gives their columns, the columns taken, and values that do not fit. In: columns, texts.
//! Out: columns, batches, findings with file and line.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{Field, Schema, SchemaRef};
use unisono_compiler::catalog::{Column, Origin};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::model::LogicalType;

use super::ColumnBuilder;
use crate::engine::datafusion::arrow_type;

/// Rows of one batch.
pub(super) const BATCH_ROWS: usize = 8_192;

/// A column's logical type as a model declares it.
pub struct Hint {
    /// The column.
    pub column: String,
    /// Its type, without precision.
    pub logical: LogicalType,
}

/// What a model declares wins over what the texts look like: a code of digits is text if the model says so.
pub(super) fn hinted(name: String, inferred: DataType, hints: &[Hint]) -> Column {
    let hint = hints.iter().find(|hint| hint.column.eq_ignore_ascii_case(&name));
    let declared = hint.and_then(|hint| match hint.logical {
        LogicalType::String => Some(DataType::String),
        LogicalType::Integer => Some(DataType::Int64),
        LogicalType::Decimal if inferred == DataType::Int64 => {
            Some(DataType::Decimal { precision: 19, scale: 0 })
        }
        LogicalType::Float => Some(DataType::Float64),
        LogicalType::Boolean => Some(DataType::Boolean),
        LogicalType::Date => Some(DataType::Date),
        LogicalType::Time => Some(DataType::Time),
        LogicalType::DateTime => Some(DataType::Timestamp),
        LogicalType::DateTimeTz => Some(DataType::TimestampTz),
        LogicalType::Decimal | LogicalType::Opaque => None,
    });
    match declared {
        Some(data_type) => Column { name, data_type, nullable: true, origin: Origin::Model },
        None => Column { name, data_type: inferred, nullable: true, origin: Origin::Catalogue },
    }
}

/// No value where the schema wants one.
pub(super) fn not_null(path: &Path, line: u64, column: &Column) -> Diagnostic {
    let message =
        format!("{}:{line}: column `{}` is empty and declared NOT NULL", path.display(), column.name);
    Diagnostic::new(Code::DataMalformed, message)
        .help("fill it; where it is no column of a key, the schema may leave NOT NULL out")
}

/// A text that is no value of its column's type.
pub(super) fn unfit(path: &Path, line: u64, text: &str, column: &Column) -> Diagnostic {
    let shown: String = text.chars().take(60).collect();
    let message = format!(
        "{}:{line}: `{shown}` in column `{}` is no {}",
        path.display(),
        column.name,
        column.data_type
    );
    Diagnostic::new(Code::DataMalformed, message)
        .help("mend the value, or declare another type for the column; a table that is there keeps its types")
}

/// Those columns of a file that are taken, with the values of a batch.
pub(super) struct Taken {
    /// As Arrow has them.
    pub(super) schema: SchemaRef,
    /// Each with its place in the file.
    pub(super) columns: Vec<(usize, Column)>,
    /// One a column.
    pub(super) builders: Vec<ColumnBuilder>,
}

impl Taken {
    /// The wanted ones of a file's columns; of none the first, as a batch without any column would not know its number of rows.
    pub(super) fn new(columns: &[Column], wanted: &BTreeSet<String>) -> Taken {
        let none = !columns.iter().any(|column| wanted.contains(&column.name));
        let columns: Vec<(usize, Column)> = columns
            .iter()
            .enumerate()
            .filter(|(at, column)| wanted.contains(&column.name) || (none && *at == 0))
            .map(|(at, column)| (at, column.clone()))
            .collect();
        let fields: Vec<Field> = columns
            .iter()
            .map(|(_, column)| Field::new(&column.name, arrow_type(column.data_type), true))
            .collect();
        let builders = columns.iter().map(|(_, column)| ColumnBuilder::new(column.data_type)).collect();
        Taken { schema: Arc::new(Schema::new(fields)), columns, builders }
    }

    /// The rows that the builders hold, if there are any.
    pub(super) fn batch(&mut self, rows: usize, path: &Path) -> Result<Option<RecordBatch>, Vec<Diagnostic>> {
        if rows == 0 {
            return Ok(None);
        }
        let arrays = self.builders.iter_mut().map(ColumnBuilder::finish).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), arrays).map(Some).map_err(|error| {
            vec![Diagnostic::new(Code::DataMalformed, format!("{}: {error}", path.display()))]
        })
    }
}
