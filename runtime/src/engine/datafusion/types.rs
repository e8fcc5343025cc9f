//! The language's types as Arrow types, and back. In: one. Out: the other; `None` for what the language lacks.

use arrow::datatypes::{DataType as ArrowType, TimeUnit};
use unisono_compiler::data_type::DataType;

/// The Arrow type that holds values of a type; text where the type is unknown.
pub fn arrow_type(data_type: DataType) -> ArrowType {
    match data_type {
        DataType::Boolean => ArrowType::Boolean,
        DataType::Int8 => ArrowType::Int8,
        DataType::Int16 => ArrowType::Int16,
        DataType::Int32 => ArrowType::Int32,
        DataType::Int64 => ArrowType::Int64,
        DataType::Decimal { precision, scale } => {
            ArrowType::Decimal128(precision, i8::try_from(scale).unwrap_or(0))
        }
        DataType::Float32 => ArrowType::Float32,
        DataType::Float64 => ArrowType::Float64,
        DataType::String | DataType::Null | DataType::Unknown => ArrowType::Utf8,
        DataType::Date => ArrowType::Date32,
        DataType::Time => ArrowType::Time64(TimeUnit::Microsecond),
        DataType::Timestamp => ArrowType::Timestamp(TimeUnit::Microsecond, None),
        DataType::TimestampTz => ArrowType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into())),
    }
}

/// The type whose values an Arrow type's values can become without loss of meaning.
pub fn data_type(arrow: &ArrowType) -> Option<DataType> {
    match arrow {
        ArrowType::Null => Some(DataType::Null),
        ArrowType::Boolean => Some(DataType::Boolean),
        ArrowType::Int8 => Some(DataType::Int8),
        ArrowType::Int16 | ArrowType::UInt8 => Some(DataType::Int16),
        ArrowType::Int32 | ArrowType::UInt16 => Some(DataType::Int32),
        ArrowType::Int64 | ArrowType::UInt32 => Some(DataType::Int64),
        ArrowType::UInt64 => Some(DataType::Decimal { precision: 20, scale: 0 }),
        ArrowType::Float16 | ArrowType::Float32 => Some(DataType::Float32),
        ArrowType::Float64 => Some(DataType::Float64),
        ArrowType::Decimal32(precision, scale)
        | ArrowType::Decimal64(precision, scale)
        | ArrowType::Decimal128(precision, scale)
        | ArrowType::Decimal256(precision, scale) => u8::try_from(*scale)
            .ok()
            .map(|scale| DataType::Decimal { precision: (*precision).min(38), scale }),
        ArrowType::Utf8 | ArrowType::LargeUtf8 | ArrowType::Utf8View => Some(DataType::String),
        ArrowType::Date32 | ArrowType::Date64 => Some(DataType::Date),
        ArrowType::Time32(_) | ArrowType::Time64(_) => Some(DataType::Time),
        ArrowType::Timestamp(_, None) => Some(DataType::Timestamp),
        ArrowType::Timestamp(_, Some(_)) => Some(DataType::TimestampTz),
        ArrowType::Dictionary(_, values) => data_type(values),
        _ => None,
    }
}
