//! Whether every value of one type fits another: what decides between a plain cast, one that gives NULL, and a refusal.
//! In: a typed operand and the type wanted. Out: `Fit`.

use unisono_compiler::data_type::DataType;

use crate::form::{Refusal, Typed};
use crate::magnitude::Magnitude;

/// Whether a value can be cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    /// Every value fits.
    Always,
    /// Some values may not; those become NULL.
    Maybe,
}

/// What kind of type a cast starts from or leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Boolean.
    Boolean,
    /// Int8 to Int64.
    Integer,
    /// Decimal.
    Decimal,
    /// Float32, Float64.
    Float,
    /// String.
    String,
    /// Date.
    Date,
    /// Time.
    Time,
    /// Timestamp.
    Timestamp,
    /// TimestampTz.
    Instant,
    /// Unknown, Null.
    Open,
}

/// The kind of a type.
pub(crate) fn kind(data_type: DataType) -> Kind {
    match data_type {
        DataType::Boolean => Kind::Boolean,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Kind::Integer,
        DataType::Decimal { .. } => Kind::Decimal,
        DataType::Float32 | DataType::Float64 => Kind::Float,
        DataType::String => Kind::String,
        DataType::Date => Kind::Date,
        DataType::Time => Kind::Time,
        DataType::Timestamp => Kind::Timestamp,
        DataType::TimestampTz => Kind::Instant,
        DataType::Null | DataType::Unknown => Kind::Open,
    }
}

/// Whether every value of the operand fits; pairs without a portable meaning are refused.
pub(crate) fn fit(operand: &Typed<'_>, to: DataType) -> Result<Fit, Refusal> {
    let from = kind(operand.data_type);
    match (from, kind(to)) {
        (from, to) if from == to && from != Kind::Integer && from != Kind::Decimal => Ok(Fit::Always),
        (Kind::Integer | Kind::Decimal, Kind::Integer | Kind::Decimal) => {
            Ok(exact_fit(operand.magnitude, to))
        }
        (Kind::Integer | Kind::Decimal, Kind::Float | Kind::String)
        | (Kind::Integer, Kind::Boolean)
        | (Kind::Boolean, Kind::Integer)
        | (Kind::Date, Kind::String | Kind::Timestamp | Kind::Instant)
        | (Kind::Timestamp, Kind::Date | Kind::Time | Kind::Instant)
        | (Kind::Instant, Kind::Date | Kind::Time | Kind::Timestamp) => Ok(Fit::Always),
        (Kind::Float, Kind::Integer | Kind::Decimal)
        | (
            Kind::String,
            Kind::Boolean
            | Kind::Integer
            | Kind::Decimal
            | Kind::Float
            | Kind::Date
            | Kind::Time
            | Kind::Timestamp
            | Kind::Instant,
        )
        | (Kind::Open, _)
        | (_, Kind::Open) => Ok(Fit::Maybe),
        (Kind::Float | Kind::Boolean | Kind::Timestamp | Kind::Instant | Kind::Time, Kind::String) => {
            Err(Refusal::function(
                format!("writes a {} as text in its own way", operand.data_type),
                "cast only integers, decimals, dates and strings to text",
            ))
        }
        (_, _) => Err(Refusal::function(
            format!("has no portable meaning from {} to {to}", operand.data_type),
            "take another type, or go by way of text",
        )),
    }
}

fn exact_fit(magnitude: Magnitude, to: DataType) -> Fit {
    let room = Magnitude::of_type(to);
    if magnitude.in_scale(room.scale).unscaled <= room.unscaled { Fit::Always } else { Fit::Maybe }
}
