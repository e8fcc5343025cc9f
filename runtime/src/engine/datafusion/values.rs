//! Arrow batches as typed rows. In: batches of an answer. Out: a `Table` of at most so many rows.

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{
    DataType as ArrowType, Date32Type, Decimal128Type, Float64Type, Int64Type, Schema, Time64MicrosecondType,
    TimestampMicrosecondType,
};
use unisono_compiler::data_type::DataType;

use super::types::{arrow_type, data_type};
use crate::table::{Column, Table, Value};

/// The first rows of an answer; `truncated` if it has more.
pub(super) fn table(schema: &Schema, batches: &[RecordBatch], limit: usize) -> Result<Table, String> {
    let columns: Vec<Column> = schema
        .fields()
        .iter()
        .map(|field| Column {
            name: field.name().clone(),
            data_type: data_type(field.data_type()).unwrap_or(DataType::Unknown),
        })
        .collect();
    let mut rows: Vec<Vec<Value>> = Vec::new();
    let total: usize = batches.iter().map(RecordBatch::num_rows).sum();
    for batch in batches {
        let first = rows.len();
        let count = batch.num_rows().min(limit - first);
        rows.extend((0..count).map(|_| Vec::with_capacity(columns.len())));
        for (array, column) in batch.columns().iter().zip(&columns) {
            let array = canonical(array, column.data_type)?;
            for row in 0..count {
                rows[first + row].push(value(&array, column.data_type, row));
            }
        }
    }
    Ok(Table { columns, rows, truncated: total > limit })
}

/// The array in the one Arrow type that `value` reads for a type; a value that does not fit is an error.
fn canonical(array: &ArrayRef, data_type: DataType) -> Result<ArrayRef, String> {
    let target = match data_type {
        DataType::Int8 | DataType::Int16 | DataType::Int32 => ArrowType::Int64,
        DataType::Float32 => ArrowType::Float64,
        DataType::Boolean
        | DataType::Int64
        | DataType::Decimal { .. }
        | DataType::Float64
        | DataType::String
        | DataType::Date
        | DataType::Time
        | DataType::Timestamp
        | DataType::TimestampTz
        | DataType::Null
        | DataType::Unknown => arrow_type(data_type),
    };
    let options = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(array, &target, &options).map_err(|error| error.to_string())
}

fn value(array: &ArrayRef, data_type: DataType, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match data_type {
        DataType::Boolean => Value::Boolean(array.as_boolean().value(row)),
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
            Value::Integer(array.as_primitive::<Int64Type>().value(row))
        }
        DataType::Decimal { precision: _, scale } => {
            Value::Decimal { unscaled: array.as_primitive::<Decimal128Type>().value(row), scale }
        }
        DataType::Float32 | DataType::Float64 => Value::Float(array.as_primitive::<Float64Type>().value(row)),
        DataType::String | DataType::Null | DataType::Unknown => {
            Value::Text(array.as_string::<i32>().value(row).to_string())
        }
        DataType::Date => Value::Date(array.as_primitive::<Date32Type>().value(row)),
        DataType::Time => Value::Time(array.as_primitive::<Time64MicrosecondType>().value(row)),
        DataType::Timestamp => Value::Timestamp(array.as_primitive::<TimestampMicrosecondType>().value(row)),
        DataType::TimestampTz => Value::Instant(array.as_primitive::<TimestampMicrosecondType>().value(row)),
    }
}
