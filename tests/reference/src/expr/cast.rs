//! CAST: what does not fit is NULL. In: a value, the expression it came from (its static scale shows in a text), a type.
//! Out: the value in that type; open where engines read odd texts differently.

use unisono_compiler::syntax::expr::{Expr, ExprKind, TypeName};

use super::number::{
    Rounding, float_digits, integer, parse_exact, power_of_ten, print_exact, rescale, to_float,
};
use super::time::{parse_date, parse_timestamp, print_date};
use super::{Row, arguments, evaluate, is_decimal, math, name_of};
use crate::stop::Stop;
use crate::value::Value;

/// Casts a value.
pub(super) fn cast(value: &Value, expr: &Expr, to: &TypeName, row: &dyn Row) -> Result<Value, Stop> {
    if *value == Value::Null {
        return known(to).map(|()| Value::Null);
    }
    match to.name.as_str() {
        "TINYINT" => to_integer(value, 8),
        "SMALLINT" => to_integer(value, 16),
        "BIGINT" => to_integer(value, 64),
        // A word for 32 bits or for any integer: what both hold is certain.
        "INT" | "INTEGER" => match (to_integer(value, 32)?, to_integer(value, 64)?) {
            (short, long) if short == long => Ok(long),
            (_, long) => Err(Stop::Open(format!("{long:?} as {}", to.name))),
        },
        _ if is_decimal(to) => to_decimal(value, to),
        "DOUBLE" | "DOUBLE PRECISION" => to_double(value),
        "FLOAT" | "REAL" => match to_double(value)? {
            Value::Double(number) if !short_float(number) => {
                Err(Stop::Open(format!("{number:?} as {}", to.name)))
            }
            other => Ok(other),
        },
        "VARCHAR" | "STRING" | "TEXT" => to_text(value, expr, to, row),
        "BOOLEAN" => to_boolean(value),
        "DATE" => to_date(value),
        "TIMESTAMP" | "TIMESTAMP_NTZ" => to_timestamp(value),
        other => Err(Stop::Unknown(format!("type {other}"))),
    }
}

/// The types that are known at all.
fn known(to: &TypeName) -> Result<(), Stop> {
    let listed = matches!(
        to.name.as_str(),
        "TINYINT"
            | "SMALLINT"
            | "BIGINT"
            | "INT"
            | "INTEGER"
            | "DOUBLE"
            | "DOUBLE PRECISION"
            | "FLOAT"
            | "REAL"
            | "VARCHAR"
            | "STRING"
            | "TEXT"
            | "BOOLEAN"
            | "DATE"
            | "TIMESTAMP"
            | "TIMESTAMP_NTZ"
    );
    if listed || is_decimal(to) { Ok(()) } else { Err(Stop::Unknown(format!("type {}", to.name))) }
}

/// Whether a float is one of 24 bits as well.
fn short_float(number: f64) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "whether something is lost is the question")]
    let short = number as f32;
    f64::from(short).to_bits() == number.to_bits() || number.is_nan()
}

fn cannot(value: &Value, to: &str) -> Stop {
    Stop::Unknown(format!("types: {value:?} as {to}"))
}

/// A text that engines may read as a number in different ways: blanks, exponents, missing digits.
fn odd_number(text: &str) -> bool {
    text.chars().any(|letter| letter.is_ascii_digit())
        || ["inf", "nan", "infinity"].iter().any(|word| text.to_ascii_lowercase().contains(word))
}

fn to_integer(value: &Value, bits: u32) -> Result<Value, Stop> {
    let limit = 1_i128 << (bits - 1);
    let fitted = |digits: i128| {
        if (-limit..limit).contains(&digits) { integer(digits) } else { Value::Null }
    };
    match value {
        Value::Boolean(truth) => Ok(integer(i64::from(*truth))),
        Value::Exact { digits, scale } => match rescale(*digits, *scale, 0, Rounding::Zero)? {
            Value::Exact { digits, .. } => Ok(fitted(digits)),
            other => Ok(other),
        },
        Value::Double(number) if number.is_nan() || number.abs() >= 1e19 => Ok(Value::Null),
        Value::Double(number) => {
            // A whole number from 2^53 on has no digits behind the point to lose.
            let digits = if number.abs() >= 9_007_199_254_740_992.0 {
                format!("{number:.0}").parse().map_err(|_| cannot(value, "an integer"))?
            } else {
                float_digits(*number, 0, Rounding::Zero)?
            };
            Ok(fitted(digits))
        }
        Value::Text(text) => {
            let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Ok(Value::Null);
            }
            Ok(parse_exact(text).map_or(Value::Null, |(digits, _)| fitted(digits)))
        }
        Value::Null => Ok(Value::Null),
        Value::Date(_) | Value::Timestamp(_) => Err(cannot(value, "an integer")),
    }
}

fn to_decimal(value: &Value, to: &TypeName) -> Result<Value, Stop> {
    let (precision, scale) = match to.numbers.as_slice() {
        [precision] => (*precision, 0),
        [precision, scale] => (*precision, *scale),
        _ => return Err(Stop::Unknown(String::from("DECIMAL without its digits"))),
    };
    let Some(scale) =
        u8::try_from(scale).ok().filter(|scale| precision <= 38 && u32::from(*scale) <= precision)
    else {
        return Err(Stop::Unknown(format!("DECIMAL({precision}, {scale})")));
    };
    match value {
        Value::Null => Ok(Value::Null),
        Value::Exact { digits, scale: from } => Ok(math::fitted(*digits, *from, precision, scale)),
        Value::Double(number) if !number.is_finite() => Ok(Value::Null),
        // Far too wide for the type, whatever the last digits are.
        Value::Double(number) if number.abs() >= 2.0 * widest(precision - u32::from(scale)) => {
            Ok(Value::Null)
        }
        Value::Double(number) => {
            Ok(math::fitted(float_digits(*number, scale, Rounding::Nearest)?, scale, precision, scale))
        }
        Value::Text(text) => match parse_exact(text) {
            Some((digits, from)) if plain_number(text) => Ok(math::fitted(digits, from, precision, scale)),
            Some(_) | None if odd_number(text) => Err(Stop::Open(format!("{text:?} as a number"))),
            Some(_) | None => Ok(Value::Null),
        },
        Value::Boolean(_) | Value::Date(_) | Value::Timestamp(_) => Err(cannot(value, "DECIMAL")),
    }
}

fn widest(digits: u32) -> f64 {
    power_of_ten(digits).map_or(f64::INFINITY, |limit| to_float(limit, 0))
}

/// Digits on both sides of a point, or no point.
fn plain_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.starts_with('.') && !digits.ends_with('.')
}

/// Digits with a sign and a fraction, of at most 200 before the point, and an exponent of at most two digits.
fn is_float_text(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let whole = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let digits =
        |part: &str, most| (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole, 200) && digits(fraction, usize::MAX) && digits(exponent, 2)
}

fn to_double(value: &Value) -> Result<Value, Stop> {
    match value {
        Value::Null | Value::Double(_) => Ok(value.clone()),
        Value::Exact { digits, scale } => Ok(Value::Double(to_float(*digits, *scale))),
        Value::Text(text) => match text.parse() {
            Ok(number) if is_float_text(text) => Ok(Value::Double(number)),
            _ => Ok(Value::Null),
        },
        Value::Boolean(_) | Value::Date(_) | Value::Timestamp(_) => Err(cannot(value, "DOUBLE")),
    }
}

fn to_text(value: &Value, expr: &Expr, to: &TypeName, row: &dyn Row) -> Result<Value, Stop> {
    let text = match value {
        Value::Text(text) => text.clone(),
        Value::Exact { digits, scale } if certain_scale(expr, row) => print_exact(*digits, *scale),
        Value::Exact { .. } => return Err(Stop::Open(String::from("the scale of a decimal as a text"))),
        Value::Date(days) => print_date(*days),
        Value::Null => return Ok(Value::Null),
        Value::Boolean(_) | Value::Double(_) | Value::Timestamp(_) => return Err(cannot(value, "VARCHAR")),
    };
    match to.numbers.as_slice() {
        [length] if usize::try_from(*length).is_ok_and(|length| text.chars().count() > length) => {
            Err(Stop::Open(format!("{text:?} in {length} characters")))
        }
        _ => Ok(Value::Text(text)),
    }
}

/// Whether the scale of a value is that of its static type. A choice between values is brought to one scale by the compiler,
/// so all of them must show that scale here; where one is NULL its scale is not seen.
fn certain_scale(expr: &Expr, row: &dyn Row) -> bool {
    match &*expr.kind {
        ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Cast { .. }
        | ExprKind::Extract { .. }
        | ExprKind::Position { .. } => true,
        ExprKind::Unary { op: _, operand } => certain_scale(operand, row),
        ExprKind::Binary { op: _, left, right } => certain_scale(left, row) && certain_scale(right, row),
        ExprKind::Case { operand: _, branches, otherwise } => {
            one_scale(branches.iter().map(|(_, then)| then).chain(otherwise), row)
        }
        ExprKind::Call(call) => match name_of(call).as_str() {
            "COALESCE" | "IFNULL" | "NVL" | "GREATEST" | "LEAST" => one_scale(arguments(call).iter(), row),
            "IF" | "IFF" | "NVL2" => one_scale(arguments(call).iter().skip(1), row),
            "ZEROIFNULL" | "NULLIF" | "NULLIFZERO" | "ABS" => {
                arguments(call).first().is_some_and(|first| certain_scale(first, row))
            }
            // Whether places are added or a scale is kept is not written down.
            "ROUND" | "TRUNC" | "TRUNCATE" | "FLOOR" | "CEIL" | "CEILING" | "MOD" => false,
            _ => true,
        },
        _ => false,
    }
}

fn one_scale<'a>(branches: impl Iterator<Item = &'a Expr>, row: &dyn Row) -> bool {
    let mut scales = branches.map(|branch| match evaluate(branch, row) {
        Ok(Value::Exact { scale, .. }) if certain_scale(branch, row) => Some(scale),
        _ => None,
    });
    let first = scales.next().flatten();
    first.is_some() && scales.all(|scale| scale == first)
}

fn to_boolean(value: &Value) -> Result<Value, Stop> {
    match value {
        Value::Null | Value::Boolean(_) => Ok(value.clone()),
        Value::Exact { digits, scale: 0 } => Ok(Value::Boolean(*digits != 0)),
        Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(Value::Boolean(true)),
        Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(Value::Boolean(false)),
        Value::Text(_) => Ok(Value::Null),
        Value::Exact { .. } => Err(Stop::Open(format!("{value:?} as BOOLEAN"))),
        Value::Double(_) | Value::Date(_) | Value::Timestamp(_) => Err(cannot(value, "BOOLEAN")),
    }
}

/// A text that is no ISO day is NULL; engines agree on that only if nothing in it looks like one.
fn bad_moment(text: &str) -> Result<Value, Stop> {
    if text.chars().any(|letter| letter.is_ascii_digit()) {
        Err(Stop::Open(format!("{text:?} as a date")))
    } else {
        Ok(Value::Null)
    }
}

/// To a Date.
pub(super) fn to_date(value: &Value) -> Result<Value, Stop> {
    match value {
        Value::Null | Value::Date(_) => Ok(value.clone()),
        Value::Timestamp(_) => match super::trunc(value, "day")? {
            Value::Timestamp(micros) => super::time::date(micros.div_euclid(86_400_000_000)),
            other => Ok(other),
        },
        Value::Text(text) => parse_date(text).map_or_else(|| bad_moment(text), |days| Ok(Value::Date(days))),
        Value::Boolean(_) | Value::Exact { .. } | Value::Double(_) => Err(cannot(value, "DATE")),
    }
}

/// To a Timestamp.
pub(super) fn to_timestamp(value: &Value) -> Result<Value, Stop> {
    match value {
        Value::Null | Value::Timestamp(_) => Ok(value.clone()),
        Value::Date(days) => Ok(Value::Timestamp(i64::from(*days) * 86_400_000_000)),
        Value::Text(text) => {
            parse_timestamp(text).map_or_else(|| bad_moment(text), |micros| Ok(Value::Timestamp(micros)))
        }
        Value::Boolean(_) | Value::Exact { .. } | Value::Double(_) => Err(cannot(value, "TIMESTAMP")),
    }
}
