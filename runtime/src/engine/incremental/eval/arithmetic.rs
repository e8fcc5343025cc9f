//! Arithmetic. In: numbers that are not NULL and the type of the answer. Out: a number of exactly that type, or a
//! fault where it does not fit: never NULL, never wrapped.

use unisono_compiler::data_type::DataType;

use super::cast::integer;
use super::decimal::{self, divide_rounding, to_float};
use crate::engine::incremental::value::power_of_ten;
use crate::engine::incremental::{Fault, Value};

/// A number as a float.
pub(super) fn float(value: &Value) -> Result<f64, Fault> {
    match (value, value.exact()) {
        (Value::Float(float), _) => Ok(*float),
        (_, Some((unscaled, scale))) => Ok(to_float(unscaled, scale)),
        (_, None) => Err(no_number(value)),
    }
}

fn no_number(value: &Value) -> Fault {
    Fault::Plan(format!("{value:?} is no number"))
}

fn exact(value: &Value) -> Result<(i128, u8), Fault> {
    value.exact().ok_or_else(|| no_number(value))
}

/// Exact digits as a number of the wanted type.
fn number(unscaled: i128, scale: u8, to: DataType) -> Option<Value> {
    match to {
        DataType::Decimal { precision, scale: wanted } => decimal::fit(unscaled, scale, precision, wanted)
            .map(|unscaled| Value::Decimal { unscaled, scale: wanted }),
        DataType::Float32 | DataType::Float64 => Some(Value::Float(to_float(unscaled, scale))),
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::Boolean
        | DataType::String
        | DataType::Date
        | DataType::Time
        | DataType::Timestamp
        | DataType::TimestampTz
        | DataType::Null
        | DataType::Unknown => {
            if scale == 0 {
                integer(unscaled, to)
            } else {
                Some(Value::Decimal { unscaled, scale })
            }
        }
    }
}

/// A float in the digits of its type.
fn float_of(value: f64, to: DataType) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "a Float32 stays one")]
    Value::Float(if to == DataType::Float32 { f64::from(value as f32) } else { value })
}

fn overflow(name: &str, left: &Value, right: &Value, to: DataType) -> Fault {
    Fault::Overflow(format!("{left} {name} {right} does not fit into {to}"))
}

/// Both at the larger scale.
fn aligned(left: (i128, u8), right: (i128, u8)) -> Option<(i128, i128, u8)> {
    let scale = left.1.max(right.1);
    let to = |(unscaled, own): (i128, u8)| unscaled.checked_mul(power_of_ten(scale - own));
    Some((to(left)?, to(right)?, scale))
}

type Operation = fn((i128, u8), (i128, u8)) -> Option<(i128, u8)>;

fn operate(
    name: &str,
    values: (&Value, &Value),
    to: DataType,
    floats: fn(f64, f64) -> f64,
    exacts: Operation,
) -> Result<Value, Fault> {
    let (left, right) = values;
    if to.is_float() || matches!(left, Value::Float(_)) || matches!(right, Value::Float(_)) {
        return Ok(float_of(floats(float(left)?, float(right)?), to));
    }
    exacts(exact(left)?, exact(right)?)
        .and_then(|(unscaled, scale)| number(unscaled, scale, to))
        .ok_or_else(|| overflow(name, left, right, to))
}

/// `left + right`.
pub(super) fn add(left: &Value, right: &Value, to: DataType) -> Result<Value, Fault> {
    operate(
        "+",
        (left, right),
        to,
        |x, y| x + y,
        |x, y| {
            let (x, y, scale) = aligned(x, y)?;
            Some((x.checked_add(y)?, scale))
        },
    )
}

/// `left - right`.
pub(super) fn subtract(left: &Value, right: &Value, to: DataType) -> Result<Value, Fault> {
    operate(
        "-",
        (left, right),
        to,
        |x, y| x - y,
        |x, y| {
            let (x, y, scale) = aligned(x, y)?;
            Some((x.checked_sub(y)?, scale))
        },
    )
}

pub(super) fn multiply(left: &Value, right: &Value, to: DataType) -> Result<Value, Fault> {
    operate("*", (left, right), to, |x, y| x * y, |x, y| Some((x.0.checked_mul(y.0)?, x.1 + y.1)))
}

/// The remainder has the sign of the left side; by zero it is NULL.
pub(super) fn modulo(left: &Value, right: &Value, to: DataType) -> Result<Value, Fault> {
    if float(right)? == 0.0 {
        return Ok(Value::Null);
    }
    operate(
        "%",
        (left, right),
        to,
        |x, y| x % y,
        |x, y| {
            let (x, y, scale) = aligned(x, y)?;
            // Only the least number by -1 has no answer here, and it has none of 128 bits.
            Some((x.checked_rem(y)?, scale))
        },
    )
}

/// Float64; by zero it is NULL.
pub(super) fn divide(left: &Value, right: &Value) -> Result<Value, Fault> {
    let (x, y) = (float(left)?, float(right)?);
    Ok(if y == 0.0 { Value::Null } else { Value::Float(x / y) })
}

pub(super) fn negate(value: &Value, to: DataType) -> Result<Value, Fault> {
    match value {
        Value::Float(float) => Ok(Value::Float(-float)),
        other => subtract(&Value::Integer(0), other, to),
    }
}

pub(super) fn absolute(value: &Value, to: DataType) -> Result<Value, Fault> {
    match value {
        Value::Float(float) => Ok(Value::Float(float.abs())),
        other => {
            let (unscaled, scale) = exact(other)?;
            number(unscaled.abs(), scale, to)
                .ok_or_else(|| Fault::Overflow(format!("ABS({value}) does not fit into {to}")))
        }
    }
}

/// -1, 0 or 1; NaN has no sign.
pub(super) fn sign(value: &Value) -> Result<Value, Fault> {
    match value {
        Value::Float(float) if float.is_nan() => Ok(Value::Null),
        Value::Float(float) => Ok(Value::Integer(i64::from(*float > 0.0) - i64::from(*float < 0.0))),
        other => Ok(number(exact(other)?.0.signum(), 0, DataType::Int64).unwrap_or(Value::Null)),
    }
}

/// Toward minus infinity, or plus infinity if `up`.
pub(super) fn whole(value: &Value, up: bool, to: DataType) -> Result<Value, Fault> {
    match value {
        Value::Float(float) => Ok(Value::Float(if up { float.ceil() } else { float.floor() })),
        other => {
            let (unscaled, scale) = exact(other)?;
            let unit = power_of_ten(scale);
            let whole = if up { -(-unscaled).div_euclid(unit) } else { unscaled.div_euclid(unit) };
            number(whole, 0, to)
                .ok_or_else(|| Fault::Overflow(format!("{value} rounded does not fit into {to}")))
        }
    }
}

/// ROUND (half away from zero) and TRUNC (toward zero) to so many digits after the point, or before it if negative.
pub(super) fn round(value: &Value, digits: i64, away: bool, to: DataType) -> Result<Value, Fault> {
    if let Value::Float(float) = value {
        let rounded = if away { round_float(*float, digits) } else { truncate_float(*float, digits) };
        return Ok(float_of(rounded, to));
    }
    let (unscaled, scale) = exact(value)?;
    let dropped = i64::from(scale) - digits;
    let rounded = match u8::try_from(dropped) {
        // No digit is dropped.
        Err(_) if dropped < 0 => Some((unscaled, scale)),
        Ok(0) => Some((unscaled, scale)),
        Ok(dropped @ 1..=38) => {
            let unit = power_of_ten(dropped);
            let kept = if away { divide_rounding(unscaled, unit) } else { unscaled / unit };
            match u8::try_from(digits) {
                Ok(digits) => Some((kept, digits)),
                // Zeros in front of the point.
                Err(_) => kept.checked_mul(power_of_ten(dropped - scale)).map(|kept| (kept, 0)),
            }
        }
        Ok(_) | Err(_) => Some((0, 0)),
    };
    rounded
        .and_then(|(unscaled, scale)| number(unscaled, scale, to))
        .ok_or_else(|| Fault::Overflow(format!("{value} rounded to {digits} digits does not fit into {to}")))
}

/// Of the float's exact value: ties are those of the binary value.
fn round_float(value: f64, digits: i64) -> f64 {
    match u8::try_from(digits) {
        Ok(digits) => decimal::from_float(value, 38, digits).map_or(value, |exact| to_float(exact, digits)),
        Err(_) => match (u8::try_from(-digits), decimal::from_float(value.trunc(), 38, 0)) {
            (Ok(digits @ 1..=38), Some(whole)) => {
                let unit = power_of_ten(digits);
                divide_rounding(whole, unit).checked_mul(unit).map_or(value, |whole| to_float(whole, 0))
            }
            (_, _) => value,
        },
    }
}

/// In floats: `TRUNC(2.3e0, 1)` is 2.3 although the binary value lies below it.
fn truncate_float(value: f64, digits: i64) -> f64 {
    let unit = 10_f64.powi(i32::try_from(digits.abs()).unwrap_or(i32::MAX));
    let scaled = if digits < 0 { value / unit } else { value * unit };
    if !scaled.is_finite() {
        return value;
    }
    if digits < 0 { scaled.trunc() * unit } else { scaled.trunc() / unit }
}
