//! Functions of numbers. In: a name and values. Out: a number; outside its domain, which has finite numbers only, a function is NULL.

use super::number::{
    Rounding, Width, exact, float, float_digits, integer, is_zero, rescale, to_float, whole, within,
};
use super::scalar::Argument;
use super::{ill_typed, number};
use crate::stop::Stop;
use crate::value::Value;

/// The value of a function of numbers; None if the name with this number of arguments is none.
pub(super) fn function(name: &str, list: &[Argument], width: Width) -> Option<Result<Value, Stop>> {
    match (name, list) {
        ("ABS", [x]) => Some(absolute(&x.value, width)),
        ("SIGN", [x]) => Some(sign(&x.value)),
        ("ROUND", [x]) => Some(round(&x.value, 0, Rounding::Nearest, width)),
        ("TRUNC" | "TRUNCATE", [x]) => Some(round(&x.value, 0, Rounding::Zero, width)),
        ("FLOOR", [x]) => Some(round(&x.value, 0, Rounding::Floor, width)),
        ("CEIL" | "CEILING", [x]) => Some(round(&x.value, 0, Rounding::Ceiling, width)),
        ("ROUND" | "TRUNC" | "TRUNCATE", [x, n]) => {
            let rounding = if name == "ROUND" { Rounding::Nearest } else { Rounding::Zero };
            Some(match whole(&n.value) {
                Ok(Some(places)) if n.constant => round(&x.value, places, rounding, width),
                Ok(_) => Err(Stop::Unknown(format!("{name} to a computed number of digits"))),
                Err(stop) => Err(stop),
            })
        }
        // The guard that engines get begins a little below the largest float.
        ("EXP", [Argument { value, constant: _ }]) if matches!(float(value), Ok(Some(x)) if (709.0..709.8).contains(&x)) => {
            Some(Err(Stop::Open(String::from("EXP near the largest float"))))
        }
        ("PI", []) => Some(Ok(Value::Double(std::f64::consts::PI))),
        ("LOG", [_]) => Some(Err(Stop::Refused(vec!["E_UNSUPPORTED_FUNCTION"]))),
        (_, [x]) => one(name).map(|curve| curve.of(&x.value)),
        (_, [x, y]) => two(name, &x.value, &y.value),
        _ => None,
    }
}

fn absolute(value: &Value, width: Width) -> Result<Value, Stop> {
    match value {
        Value::Exact { digits, .. } if *digits < 0 => number::negate(value, width),
        Value::Null | Value::Exact { .. } => Ok(value.clone()),
        Value::Double(number) => Ok(Value::Double(number.abs())),
        other => Err(ill_typed("a number", other)),
    }
}

fn sign(value: &Value) -> Result<Value, Stop> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Exact { digits, .. } => Ok(integer(digits.signum())),
        Value::Double(number) if number.is_nan() => Ok(Value::Null),
        Value::Double(number) => {
            Ok(integer(if is_zero(*number) { 0 } else { i64::from(*number > 0.0) * 2 - 1 }))
        }
        other => Err(ill_typed("a number", other)),
    }
}

/// Rounds to places behind the point (before it, if negative). An exact number never gains digits.
fn round(value: &Value, places: i64, rounding: Rounding, width: Width) -> Result<Value, Stop> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Exact { digits, scale } => {
            let result = rescale(*digits, *scale, places.min(i64::from(*scale)), rounding)?;
            if *scale == 0 { within(result, &[*digits], width) } else { Ok(result) }
        }
        Value::Double(number) if !number.is_finite() => Err(Stop::Open(format!("rounding {number}"))),
        Value::Double(number) => {
            let Some(scale) = u8::try_from(places).ok().filter(|places| *places <= 20) else {
                return Err(Stop::Open(format!("rounding a float to {places} digits")));
            };
            let large = number.abs() >= 9_007_199_254_740_992.0;
            // Such a float is whole already.
            if scale == 0 && large {
                return Ok(value.clone());
            }
            Ok(Value::Double(to_float(float_digits(*number, scale, rounding)?, scale)))
        }
        other => Err(ill_typed("a number", other)),
    }
}

/// A function of one float with its domain.
struct Curve {
    within: fn(f64) -> bool,
    formula: fn(f64) -> f64,
}

impl Curve {
    fn of(&self, value: &Value) -> Result<Value, Stop> {
        match float(value)? {
            None => Ok(Value::Null),
            Some(number) if !number.is_finite() || !(self.within)(number) => Ok(Value::Null),
            Some(number) => Ok(finite((self.formula)(number))),
        }
    }
}

fn finite(number: f64) -> Value {
    if number.is_finite() { Value::Double(number) } else { Value::Null }
}

fn one(name: &str) -> Option<Curve> {
    let anywhere: fn(f64) -> bool = |_| true;
    let positive: fn(f64) -> bool = |x| x > 0.0;
    let unit: fn(f64) -> bool = |x| x.abs() <= 1.0;
    let curve = |within: fn(f64) -> bool, formula: fn(f64) -> f64| Some(Curve { within, formula });
    match name {
        "SQRT" => curve(|x| x >= 0.0, f64::sqrt),
        "EXP" => curve(anywhere, f64::exp),
        "LN" => curve(positive, f64::ln),
        "LOG10" => curve(positive, f64::log10),
        "SIN" => curve(anywhere, f64::sin),
        "COS" => curve(anywhere, f64::cos),
        "TAN" => curve(anywhere, f64::tan),
        "ASIN" => curve(unit, f64::asin),
        "ACOS" => curve(unit, f64::acos),
        "ATAN" => curve(anywhere, f64::atan),
        "RADIANS" => curve(anywhere, f64::to_radians),
        "DEGREES" => curve(anywhere, f64::to_degrees),
        _ => None,
    }
}

fn two(name: &str, x: &Value, y: &Value) -> Option<Result<Value, Stop>> {
    let formula: fn(f64, f64) -> Value = match name {
        "POWER" | "POW" => |x, y| finite(x.powf(y)),
        "LOG" => |base, x| {
            if base <= 0.0 || is_zero(base - 1.0) || x <= 0.0 {
                Value::Null
            } else {
                finite(x.ln() / base.ln())
            }
        },
        "ATAN2" => |x, y| finite(x.atan2(y)),
        _ => return None,
    };
    let both = float(x).and_then(|x| float(y).map(|y| (x, y)));
    Some(match both {
        Ok((Some(x), Some(y))) if !x.is_finite() || !y.is_finite() => Ok(Value::Null),
        Ok((Some(x), Some(y))) => Ok(formula(x, y)),
        Ok(_) => Ok(Value::Null),
        Err(stop) => Err(stop),
    })
}

/// The exact number of a text's digits with so many behind the point, for casts.
pub(super) fn fitted(digits: i128, scale: u8, precision: u32, to: u8) -> Value {
    let fits = |digits: &i128| number::power_of_ten(precision).is_none_or(|limit| digits.abs() < limit);
    match rescale(digits, scale, i64::from(to), Rounding::Nearest) {
        Ok(Value::Exact { digits, scale }) if fits(&digits) => {
            exact(Some(digits), scale).unwrap_or(Value::Null)
        }
        _ => Value::Null,
    }
}
