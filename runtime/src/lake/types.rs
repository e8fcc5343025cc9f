//! The language's types as Paimon and Arrow types, both ways. In: one. Out: the other, or `None` for what has no like.

use arrow::datatypes::{DataType as ArrowType, TimeUnit};
use paimon::spec as paimon_types;
use paimon_types::DataType as PaimonType;
use unisono_compiler::data_type::DataType;

/// The Arrow type of every batch that the lakehouse gives and takes; none for a Time (Paimon keeps milliseconds) and
/// for the types that nothing declares.
pub fn arrow_type(data_type: DataType) -> Option<ArrowType> {
    Some(match data_type {
        DataType::Boolean => ArrowType::Boolean,
        DataType::Int8 => ArrowType::Int8,
        DataType::Int16 => ArrowType::Int16,
        DataType::Int32 => ArrowType::Int32,
        DataType::Int64 => ArrowType::Int64,
        DataType::Decimal { precision, scale } => ArrowType::Decimal128(precision, i8::try_from(scale).ok()?),
        DataType::Float32 => ArrowType::Float32,
        DataType::Float64 => ArrowType::Float64,
        DataType::String => ArrowType::Utf8,
        DataType::Date => ArrowType::Date32,
        DataType::Timestamp => ArrowType::Timestamp(TimeUnit::Microsecond, None),
        DataType::TimestampTz => ArrowType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        DataType::Time | DataType::Null | DataType::Unknown => return None,
    })
}

/// The type of one of these Arrow types; `None` for any other.
pub fn from_arrow(arrow: &ArrowType) -> Option<DataType> {
    Some(match arrow {
        ArrowType::Boolean => DataType::Boolean,
        ArrowType::Int8 => DataType::Int8,
        ArrowType::Int16 => DataType::Int16,
        ArrowType::Int32 => DataType::Int32,
        ArrowType::Int64 => DataType::Int64,
        ArrowType::Decimal128(precision, scale) => {
            DataType::Decimal { precision: *precision, scale: u8::try_from(*scale).ok()? }
        }
        ArrowType::Float32 => DataType::Float32,
        ArrowType::Float64 => DataType::Float64,
        ArrowType::Utf8 => DataType::String,
        ArrowType::Date32 => DataType::Date,
        ArrowType::Timestamp(TimeUnit::Microsecond, None) => DataType::Timestamp,
        ArrowType::Timestamp(TimeUnit::Microsecond, Some(_)) => DataType::TimestampTz,
        _ => return None,
    })
}

/// The type of a column that a table has; `None` for what the language lacks. Timestamps beyond microseconds are among
/// those: cutting digits off would make unequal instants equal.
pub fn from_paimon(paimon: &PaimonType) -> Option<DataType> {
    Some(match paimon {
        PaimonType::Boolean(_) => DataType::Boolean,
        PaimonType::TinyInt(_) => DataType::Int8,
        PaimonType::SmallInt(_) => DataType::Int16,
        PaimonType::Int(_) => DataType::Int32,
        PaimonType::BigInt(_) => DataType::Int64,
        PaimonType::Decimal(decimal) => DataType::Decimal {
            precision: u8::try_from(decimal.precision()).ok()?,
            scale: u8::try_from(decimal.scale()).ok()?,
        },
        PaimonType::Float(_) => DataType::Float32,
        PaimonType::Double(_) => DataType::Float64,
        PaimonType::Char(_) | PaimonType::VarChar(_) => DataType::String,
        PaimonType::Date(_) => DataType::Date,
        PaimonType::Timestamp(timestamp) if timestamp.precision() <= 6 => DataType::Timestamp,
        PaimonType::LocalZonedTimestamp(timestamp) if timestamp.precision() <= 6 => DataType::TimestampTz,
        PaimonType::Timestamp(_)
        | PaimonType::LocalZonedTimestamp(_)
        | PaimonType::Time(_)
        | PaimonType::Binary(_)
        | PaimonType::VarBinary(_)
        | PaimonType::Variant(_)
        | PaimonType::Blob(_)
        | PaimonType::Array(_)
        | PaimonType::Map(_)
        | PaimonType::Multiset(_)
        | PaimonType::Row(_)
        | PaimonType::Vector(_) => return None,
    })
}

/// The type of a new column.
pub fn to_paimon(data_type: DataType, nullable: bool) -> Option<PaimonType> {
    Some(match data_type {
        DataType::Boolean => PaimonType::Boolean(paimon_types::BooleanType::with_nullable(nullable)),
        DataType::Int8 => PaimonType::TinyInt(paimon_types::TinyIntType::with_nullable(nullable)),
        DataType::Int16 => PaimonType::SmallInt(paimon_types::SmallIntType::with_nullable(nullable)),
        DataType::Int32 => PaimonType::Int(paimon_types::IntType::with_nullable(nullable)),
        DataType::Int64 => PaimonType::BigInt(paimon_types::BigIntType::with_nullable(nullable)),
        DataType::Decimal { precision, scale } => PaimonType::Decimal(
            paimon_types::DecimalType::with_nullable(nullable, precision.into(), scale.into()).ok()?,
        ),
        DataType::Float32 => PaimonType::Float(paimon_types::FloatType::with_nullable(nullable)),
        DataType::Float64 => PaimonType::Double(paimon_types::DoubleType::with_nullable(nullable)),
        DataType::String => {
            PaimonType::VarChar(paimon_types::VarCharType::string_type()).copy_with_nullable(nullable).ok()?
        }
        DataType::Date => PaimonType::Date(paimon_types::DateType::with_nullable(nullable)),
        DataType::Timestamp => {
            PaimonType::Timestamp(paimon_types::TimestampType::with_nullable(nullable, 6).ok()?)
        }
        DataType::TimestampTz => PaimonType::LocalZonedTimestamp(
            paimon_types::LocalZonedTimestampType::with_nullable(nullable, 6).ok()?,
        ),
        DataType::Time | DataType::Null | DataType::Unknown => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [DataType; 12] = [
        DataType::Boolean,
        DataType::Int8,
        DataType::Int16,
        DataType::Int32,
        DataType::Int64,
        DataType::Decimal { precision: 38, scale: 10 },
        DataType::Float32,
        DataType::Float64,
        DataType::String,
        DataType::Date,
        DataType::Timestamp,
        DataType::TimestampTz,
    ];

    #[test]
    fn every_type_comes_back_from_paimon_and_from_arrow() {
        for data_type in ALL {
            for nullable in [true, false] {
                let paimon = to_paimon(data_type, nullable).unwrap();
                assert_eq!(paimon.is_nullable(), nullable);
                assert_eq!(from_paimon(&paimon), Some(data_type));
            }
            assert_eq!(from_arrow(&arrow_type(data_type).unwrap()), Some(data_type));
        }
    }

    #[test]
    fn what_would_lose_digits_or_has_no_like_is_refused() {
        for data_type in [DataType::Time, DataType::Null, DataType::Unknown] {
            assert_eq!(to_paimon(data_type, true), None);
            assert_eq!(arrow_type(data_type), None);
        }
        let nanos = PaimonType::Timestamp(paimon_types::TimestampType::new(9).unwrap());
        assert_eq!(from_paimon(&nanos), None);
        assert_eq!(from_paimon(&PaimonType::Time(paimon_types::TimeType::new(3).unwrap())), None);
        let bytes = PaimonType::VarBinary(paimon_types::VarBinaryType::new(10).unwrap());
        assert_eq!(from_paimon(&bytes), None);
        assert_eq!(from_arrow(&ArrowType::Utf8View), None);
    }
}
