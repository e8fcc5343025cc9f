//! CAST. In: a value and a type. Out: the value in that type; NULL where it does not fit (docs/semantics.md, casts).

use unisono_compiler::data_type::DataType;

use super::{decimal, temporal};
use crate::engine::incremental::value::power_of_ten;
use crate::engine::incremental::{Fault, Value};

/// The value as the wanted type.
pub(super) fn cast(value: &Value, to: DataType) -> Result<Value, Fault> {
    if value.is_null() {
        return Ok(Value::Null);
    }
    let fitting = match to {
        DataType::Boolean => to_boolean(value)?.map(Value::Boolean),
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
            to_whole(value, to)?.and_then(|whole| integer(whole, to))
        }
        DataType::Decimal { precision, scale } => {
            to_decimal(value, precision, scale, to)?.map(|unscaled| Value::Decimal { unscaled, scale })
        }
        DataType::Float32 => to_single(value, to)?.map(Value::Float),
        DataType::Float64 => to_double(value, to)?.map(Value::Float),
        DataType::String => Some(Value::text(to_text(value)?)),
        DataType::Date => to_date(value)?.map(Value::Date),
        DataType::Time => to_time(value)?.map(Value::Time),
        DataType::Timestamp => to_timestamp(value, to)?.map(Value::Timestamp),
        DataType::TimestampTz => to_timestamp(value, to)?.map(Value::Instant),
        DataType::Null | DataType::Unknown => Some(value.clone()),
    };
    Ok(fitting.unwrap_or(Value::Null))
}

fn impossible(value: &Value, to: DataType) -> Fault {
    Fault::Unsupported(format!("cast of {value:?} to {to}"))
}

/// A whole number, if the integer type holds it.
pub(super) fn integer(whole: i128, to: DataType) -> Option<Value> {
    let fits = match to {
        DataType::Int8 => i8::try_from(whole).is_ok(),
        DataType::Int16 => i16::try_from(whole).is_ok(),
        DataType::Int32 => i32::try_from(whole).is_ok(),
        DataType::Int64
        | DataType::Boolean
        | DataType::Decimal { .. }
        | DataType::Float32
        | DataType::Float64
        | DataType::String
        | DataType::Date
        | DataType::Time
        | DataType::Timestamp
        | DataType::TimestampTz
        | DataType::Null
        | DataType::Unknown => true,
    };
    if fits { i64::try_from(whole).ok().map(Value::Integer) } else { None }
}

fn to_boolean(value: &Value) -> Result<Option<bool>, Fault> {
    match value {
        Value::Boolean(value) => Ok(Some(*value)),
        Value::Integer(0) => Ok(Some(false)),
        Value::Integer(1) => Ok(Some(true)),
        Value::Integer(_) => Ok(None),
        Value::Text(text) => Ok(match &**text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }),
        Value::Null
        | Value::Decimal { .. }
        | Value::Float(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::Timestamp(_)
        | Value::Instant(_) => Err(impossible(value, DataType::Boolean)),
    }
}

/// Toward zero.
fn to_whole(value: &Value, to: DataType) -> Result<Option<i128>, Fault> {
    match value {
        Value::Boolean(value) => Ok(Some(i128::from(*value))),
        Value::Integer(value) => Ok(Some(i128::from(*value))),
        Value::Decimal { unscaled, scale } => Ok(Some(unscaled / power_of_ten(*scale))),
        // The exact digits of a whole float; text and not `as`, which saturates.
        Value::Float(float) => Ok(decimal::from_float(float.trunc(), 38, 0)),
        Value::Text(text) if text.contains('.') => Ok(None),
        Value::Text(text) => Ok(decimal::parse(text, 38, 0)),
        Value::Null | Value::Date(_) | Value::Time(_) | Value::Timestamp(_) | Value::Instant(_) => {
            Err(impossible(value, to))
        }
    }
}

fn to_decimal(value: &Value, precision: u8, scale: u8, to: DataType) -> Result<Option<i128>, Fault> {
    match value {
        Value::Integer(value) => Ok(decimal::fit(i128::from(*value), 0, precision, scale)),
        Value::Decimal { unscaled, scale: from } => Ok(decimal::fit(*unscaled, *from, precision, scale)),
        Value::Float(float) => Ok(decimal::from_float(*float, precision, scale)),
        Value::Text(text) => Ok(decimal::parse(text, precision, scale)),
        Value::Null
        | Value::Boolean(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::Timestamp(_)
        | Value::Instant(_) => Err(impossible(value, to)),
    }
}

fn to_double(value: &Value, to: DataType) -> Result<Option<f64>, Fault> {
    match value {
        Value::Float(float) => Ok(Some(*float)),
        Value::Text(text) => {
            Ok(float_text(text).and_then(|text| text.parse().ok()).filter(|x: &f64| x.is_finite()))
        }
        other => match other.exact() {
            Some((unscaled, scale)) => Ok(Some(decimal::to_float(unscaled, scale))),
            None => Err(impossible(value, to)),
        },
    }
}

/// A single in the digits of a double. A finite value past the range of singles does not fit.
fn to_single(value: &Value, to: DataType) -> Result<Option<f64>, Fault> {
    let single = match value {
        Value::Float(float) => {
            #[expect(clippy::cast_possible_truncation, reason = "the nearest single is what is wanted")]
            let single = *float as f32;
            (single.is_finite() || !float.is_finite()).then_some(single)
        }
        Value::Text(text) => {
            float_text(text).and_then(|text| text.parse().ok()).filter(|x: &f32| x.is_finite())
        }
        other => match other.exact() {
            Some((unscaled, scale)) => Some(decimal::to_single(unscaled, scale)).filter(|x| x.is_finite()),
            None => return Err(impossible(value, to)),
        },
    };
    Ok(single.map(f64::from))
}

/// A text of a number: not `inf`, `NaN` or blanks.
fn float_text(text: &str) -> Option<&str> {
    let plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    text.bytes().all(plain).then_some(text)
}

fn to_text(value: &Value) -> Result<String, Fault> {
    match value {
        Value::Integer(_) | Value::Decimal { .. } | Value::Text(_) | Value::Date(_) => Ok(value.to_string()),
        Value::Null
        | Value::Boolean(_)
        | Value::Float(_)
        | Value::Time(_)
        | Value::Timestamp(_)
        | Value::Instant(_) => Err(impossible(value, DataType::String)),
    }
}

fn to_date(value: &Value) -> Result<Option<i32>, Fault> {
    match value {
        Value::Date(days) => Ok(Some(*days)),
        Value::Timestamp(micros) | Value::Instant(micros) => {
            Ok(i32::try_from(micros.div_euclid(temporal::MICROS_PER_DAY)).ok())
        }
        Value::Text(text) => Ok(temporal::parse_date(text)),
        Value::Null
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Decimal { .. }
        | Value::Float(_)
        | Value::Time(_) => Err(impossible(value, DataType::Date)),
    }
}

fn to_time(value: &Value) -> Result<Option<i64>, Fault> {
    match value {
        Value::Time(micros) => Ok(Some(*micros)),
        Value::Timestamp(micros) | Value::Instant(micros) => {
            Ok(Some(micros.rem_euclid(temporal::MICROS_PER_DAY)))
        }
        Value::Text(text) => Ok(temporal::parse_time(text)),
        Value::Null
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Decimal { .. }
        | Value::Float(_)
        | Value::Date(_) => Err(impossible(value, DataType::Time)),
    }
}

/// The wall clock of an instant is UTC's.
fn to_timestamp(value: &Value, to: DataType) -> Result<Option<i64>, Fault> {
    match value {
        Value::Date(days) => Ok(temporal::midnight(*days)),
        Value::Timestamp(micros) | Value::Instant(micros) => Ok(Some(*micros)),
        Value::Text(text) => Ok(temporal::parse_timestamp(text)),
        Value::Null
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Decimal { .. }
        | Value::Float(_)
        | Value::Time(_) => Err(impossible(value, to)),
    }
}
