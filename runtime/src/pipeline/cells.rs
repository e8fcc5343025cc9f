//! Arrow columns as values of the real-time engine, and back. In: batches in the language's types, or rows. Out: the other.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanBuilder, Date32Builder, Decimal128Builder, Float32Builder,
    Float64Builder, Int8Builder, Int16Builder, Int32Builder, Int64Builder, RecordBatch, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow::datatypes::{
    DataType as ArrowType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, Schema, TimeUnit, TimestampMicrosecondType,
};
use unisono_compiler::data_type::DataType;

use crate::engine::incremental::{Fault, Value};

/// The value in a row of a column.
pub(super) fn cell(array: &ArrayRef, row: usize) -> Result<Value, Fault> {
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    Ok(match array.data_type() {
        ArrowType::Boolean => Value::Boolean(array.as_boolean().value(row)),
        ArrowType::Int8 => Value::Integer(i64::from(array.as_primitive::<Int8Type>().value(row))),
        ArrowType::Int16 => Value::Integer(i64::from(array.as_primitive::<Int16Type>().value(row))),
        ArrowType::Int32 => Value::Integer(i64::from(array.as_primitive::<Int32Type>().value(row))),
        ArrowType::Int64 => Value::Integer(array.as_primitive::<Int64Type>().value(row)),
        ArrowType::Decimal128(_, scale) => Value::Decimal {
            unscaled: array.as_primitive::<Decimal128Type>().value(row),
            scale: u8::try_from(*scale).unwrap_or(0),
        },
        ArrowType::Float32 => Value::Float(f64::from(array.as_primitive::<Float32Type>().value(row))),
        ArrowType::Float64 => Value::Float(array.as_primitive::<Float64Type>().value(row)),
        ArrowType::Utf8 => Value::text(array.as_string::<i32>().value(row)),
        ArrowType::Date32 => Value::Date(array.as_primitive::<Date32Type>().value(row)),
        ArrowType::Timestamp(TimeUnit::Microsecond, None) => {
            Value::Timestamp(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        ArrowType::Timestamp(TimeUnit::Microsecond, Some(_)) => {
            Value::Instant(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        other => return Err(Fault::Source(format!("a column of type {other} cannot be read"))),
    })
}

/// Rows as a batch. A value that its column cannot hold is an error, never cut.
pub(super) fn batch(
    schema: &Arc<Schema>,
    types: &[DataType],
    rows: &[Vec<Value>],
) -> Result<RecordBatch, Fault> {
    let mut arrays = Vec::new();
    for (at, (field, data_type)) in schema.fields().iter().zip(types).enumerate() {
        let values = rows.iter().map(|row| row.get(at).unwrap_or(&Value::Null));
        let array = column(*data_type, values).map_err(|found| {
            Fault::Source(format!("`{}` is {data_type} and cannot hold {found:?}", field.name()))
        })?;
        arrays.push(array);
    }
    RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|error| Fault::Source(error.to_string()))
}

macro_rules! build {
    ($builder:expr, $values:expr, $($pattern:pat => $value:expr),+) => {{
        let mut builder = $builder;
        for value in $values {
            match value {
                Value::Null => builder.append_null(),
                $($pattern => match $value { Some(made) => builder.append_value(made), None => return Err(value.clone()) },)+
                other => return Err(other.clone()),
            }
        }
        Ok(Arc::new(builder.finish()) as ArrayRef)
    }};
}

fn column<'v>(data_type: DataType, values: impl Iterator<Item = &'v Value>) -> Result<ArrayRef, Value> {
    match data_type {
        DataType::Boolean => build!(BooleanBuilder::new(), values, Value::Boolean(value) => Some(*value)),
        DataType::Int8 => {
            build!(Int8Builder::new(), values, Value::Integer(value) => i8::try_from(*value).ok())
        }
        DataType::Int16 => {
            build!(Int16Builder::new(), values, Value::Integer(value) => i16::try_from(*value).ok())
        }
        DataType::Int32 => {
            build!(Int32Builder::new(), values, Value::Integer(value) => i32::try_from(*value).ok())
        }
        DataType::Int64 => build!(Int64Builder::new(), values, Value::Integer(value) => Some(*value)),
        DataType::Decimal { precision, scale } => {
            let signed = i8::try_from(scale).unwrap_or(0);
            let builder = Decimal128Builder::new()
                .with_precision_and_scale(precision, signed)
                .map_err(|_| Value::Null)?;
            build!(builder, values,
                Value::Decimal { unscaled, scale: given } => scaled(*unscaled, *given, precision, scale),
                Value::Integer(value) => scaled(i128::from(*value), 0, precision, scale))
        }
        DataType::Float32 => {
            #[expect(clippy::cast_possible_truncation, reason = "kept only if it comes back the same")]
            let narrow = |value: f64| {
                Some(value as f32).filter(|made| f64::from(*made).total_cmp(&value).is_eq() || value.is_nan())
            };
            build!(Float32Builder::new(), values, Value::Float(value) => narrow(*value))
        }
        DataType::Float64 => build!(Float64Builder::new(), values, Value::Float(value) => Some(*value)),
        DataType::String | DataType::Null | DataType::Unknown => {
            build!(StringBuilder::new(), values, Value::Text(value) => Some(value.as_ref()))
        }
        DataType::Date => build!(Date32Builder::new(), values, Value::Date(value) => Some(*value)),
        // No table keeps a Time: the spec of one is refused.
        DataType::Time => Err(Value::Null),
        DataType::Timestamp => {
            build!(TimestampMicrosecondBuilder::new(), values, Value::Timestamp(value) => Some(*value))
        }
        DataType::TimestampTz => {
            build!(TimestampMicrosecondBuilder::new().with_timezone("UTC"), values, Value::Instant(value) => Some(*value))
        }
    }
}

/// The digits at another scale, if none is lost and the precision holds them.
fn scaled(unscaled: i128, from: u8, precision: u8, to: u8) -> Option<i128> {
    let made = if to >= from {
        unscaled.checked_mul(10_i128.checked_pow(u32::from(to - from))?)?
    } else {
        let factor = 10_i128.checked_pow(u32::from(from - to))?;
        (unscaled % factor == 0).then_some(unscaled / factor)?
    };
    (made.unsigned_abs() < 10_u128.checked_pow(u32::from(precision))?).then_some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_change_their_scale_only_without_loss() {
        assert_eq!(scaled(150, 2, 18, 4), Some(15_000));
        assert_eq!(scaled(15_000, 4, 18, 2), Some(150));
        assert_eq!(scaled(15_001, 4, 18, 2), None);
        assert_eq!(scaled(1_000, 0, 3, 0), None);
        assert_eq!(scaled(-999, 0, 3, 0), Some(-999));
    }

    #[test]
    fn rows_come_back_as_they_went() {
        let types = [
            DataType::Int32,
            DataType::Decimal { precision: 10, scale: 2 },
            DataType::String,
            DataType::Timestamp,
            DataType::TimestampTz,
            DataType::Boolean,
        ];
        let fields: Vec<arrow::datatypes::Field> = types
            .iter()
            .enumerate()
            .map(|(at, data_type)| {
                arrow::datatypes::Field::new(
                    format!("c{at}"),
                    crate::lake::arrow_type(*data_type).unwrap(),
                    true,
                )
            })
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let row = vec![
            Value::Integer(-7),
            Value::Decimal { unscaled: -150, scale: 2 },
            Value::text("é\n"),
            Value::Timestamp(-1),
            Value::Instant(1),
            Value::Boolean(false),
        ];
        let nulls = vec![Value::Null; 6];
        let made = batch(&schema, &types, &[row.clone(), nulls.clone()]).unwrap();
        for (at, wanted) in [row, nulls].iter().enumerate() {
            let read: Vec<Value> = made.columns().iter().map(|array| cell(array, at).unwrap()).collect();
            assert_eq!(&read, wanted);
        }
        let wide = vec![Value::Integer(1 << 40); 6];
        assert!(
            batch(
                &schema,
                &types[..1].iter().copied().chain(types[1..].iter().copied()).collect::<Vec<_>>(),
                &[wide]
            )
            .is_err()
        );
    }
}
