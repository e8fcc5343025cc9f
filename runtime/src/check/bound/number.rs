//! Numbers over intervals: casts, arithmetic and functions of the mathematical library.
//! In: estimates of the operands. Out: the estimate of the result.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{ExprKind, Literal};
use unisono_compiler::function::Scalar;
use unisono_compiler::query::GroupExpr;

use super::group::Estimate::{self, Same, Unknown};
use super::group::of_span;
use super::span::Span;
use crate::check::exact::{Family, family, order, to_float};
use crate::table::Value;

/// Integers up to here are doubles.
const EXACT_INTEGERS: i64 = 1 << 53;

/// Units in the last place that a step is kept away from: engines scale before they round.
const NEAR_TIE: usize = 4;

/// The greatest exponent whose power of e is a double.
const MOST_EXPONENT: f64 = 709.0;

/// A cast over an interval.
pub(super) fn cast(operand: Estimate, to: DataType) -> Estimate {
    let value = match &operand {
        Same(Value::Null) => return operand,
        // Engines cast decimals to doubles with an error in the last place, even where the decimal is a double.
        Same(Value::Decimal { .. }) if to == DataType::Float64 => {
            return of_span(as_span(&operand).and_then(|span| Span::point(span.middle)?.ulp()));
        }
        Same(Value::Integer(value)) if to == DataType::Float64 => {
            let is_double = (-EXACT_INTEGERS..=EXACT_INTEGERS).contains(value);
            let nearest = Span::point(to_float(&Value::Integer(*value)));
            return of_span(if is_double { nearest } else { nearest.and_then(Span::ulp) });
        }
        Same(Value::Float(value)) => Span::point(*value),
        Estimate::Span(span) => Some(*span),
        Same(_) | Unknown => return Unknown,
    };
    let Some(span) = value else { return Unknown };
    match to {
        DataType::Float64 => Estimate::Span(span),
        DataType::Float32 if span.is_point() => Estimate::Span(span),
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => step(span, 0, f64::trunc),
        DataType::Decimal { precision: _, scale } => step(span, i32::from(scale), f64::round),
        DataType::Float32
        | DataType::Boolean
        | DataType::String
        | DataType::Date
        | DataType::Time
        | DataType::Timestamp
        | DataType::TimestampTz
        | DataType::Null
        | DataType::Unknown => Unknown,
    }
}

/// A step after `digits` decimal places, kept away from ties; the scaled-back result may differ in the last place.
fn step(span: Span, digits: i32, function: impl Fn(f64) -> f64) -> Estimate {
    let scale = 10_f64.powi(digits);
    let away = (0..NEAR_TIE).try_fold(span, |span, _| span.ulp());
    let Some(away) = away else { return Unknown };
    let stepped =
        away.step(|value| function(value * scale)).and_then(|whole| Span::point(whole.middle / scale));
    of_span(if digits == 0 { stepped } else { stepped.and_then(Span::ulp) })
}

/// A number as an interval: one unit in the last place where it is no double, else a point.
pub(super) fn as_span(estimate: &Estimate) -> Option<Span> {
    match estimate {
        Estimate::Span(span) => Some(*span),
        Same(value) if family(value) == Some(Family::Number) => {
            let nearest = to_float(value);
            let point = Span::point(nearest)?;
            if order(value, &Value::Float(nearest)).is_eq() { Some(point) } else { point.ulp() }
        }
        Same(_) | Unknown => None,
    }
}

/// Functions that are NULL where an operand is.
pub(super) fn number(function: Scalar, values: &[Estimate], arguments: &[GroupExpr]) -> Estimate {
    if values.contains(&Same(Value::Null)) {
        return Same(Value::Null);
    }
    match values.iter().map(as_span).collect::<Option<Vec<Span>>>() {
        None => Unknown,
        Some(spans) => match spans.as_slice() {
            [only] => of_one(function, *only),
            [left, _] if matches!(function, Scalar::Round | Scalar::Truncate) => {
                let digits = arguments.get(1).and_then(digits);
                digits.map_or(Unknown, |digits| to_digits(function, *left, digits))
            }
            [left, right] => of_two(function, *left, *right),
            several => extreme(function, several),
        },
    }
}

fn of_one(function: Scalar, x: Span) -> Estimate {
    let null = || Same(Value::Null);
    match function {
        Scalar::Negate => Estimate::Span(x.negated()),
        Scalar::Abs => Estimate::Span(x.absolute()),
        Scalar::Round | Scalar::Truncate => to_digits(function, x, 0),
        Scalar::Floor => step(x, 0, f64::floor),
        Scalar::Ceiling => step(x, 0, f64::ceil),
        Scalar::Sign if x.low > 0.0 => of_span(Span::point(1.0)),
        Scalar::Sign if x.high < 0.0 => of_span(Span::point(-1.0)),
        Scalar::Sign if x == (Span { low: 0.0, middle: 0.0, high: 0.0 }) => of_span(Span::point(0.0)),
        Scalar::Sqrt if x.high < 0.0 => null(),
        Scalar::Sqrt if x.low >= 0.0 => of_span(x.rising(f64::sqrt)),
        Scalar::Ln | Scalar::Log10 if x.high <= 0.0 => null(),
        Scalar::Ln if x.low > 0.0 => of_span(x.rising(f64::ln)),
        Scalar::Log10 if x.low > 0.0 => of_span(x.rising(f64::log10)),
        Scalar::Exp if x.low > MOST_EXPONENT => null(),
        Scalar::Exp if x.high <= MOST_EXPONENT => of_span(x.rising(f64::exp)),
        Scalar::Atan => of_span(x.rising(f64::atan)),
        Scalar::Radians => of_span(x.rising(f64::to_radians)),
        Scalar::Degrees => of_span(x.rising(f64::to_degrees)),
        Scalar::Sin if x.is_point() => of_span(x.rising(f64::sin)),
        Scalar::Cos if x.is_point() => of_span(x.rising(f64::cos)),
        Scalar::Tan if x.is_point() => of_span(x.rising(f64::tan)),
        Scalar::Asin if x.low >= -1.0 && x.high <= 1.0 => of_span(x.rising(f64::asin)),
        Scalar::Acos if x.low >= -1.0 && x.high <= 1.0 => of_span(x.negated().rising(|x| (-x).acos())),
        Scalar::Asin | Scalar::Acos if x.low > 1.0 || x.high < -1.0 => null(),
        // At the edge of a domain, or no function of one number.
        _ => Unknown,
    }
}

fn of_two(function: Scalar, left: Span, right: Span) -> Estimate {
    match function {
        Scalar::Add => of_span(left.add(right)),
        Scalar::Subtract => of_span(left.add(right.negated())),
        Scalar::Multiply => of_span(left.multiply(right)),
        Scalar::Divide | Scalar::Modulo if right.contains(0.0) => {
            if right.is_point() {
                Same(Value::Null)
            } else {
                Unknown
            }
        }
        Scalar::Divide => of_span(left.divide(right)),
        Scalar::Modulo if left.is_point() && right.is_point() => {
            of_span(Span::point(left.middle % right.middle))
        }
        Scalar::Power if left.low > 0.0 || left.is_point() && right.is_point() => of_span(left.power(right)),
        Scalar::Atan2 if left.is_point() && right.is_point() => {
            of_span(left.rising(|y| y.atan2(right.middle)))
        }
        Scalar::Log if left.low > 1.0 && right.low > 0.0 => {
            of_span(right.rising(f64::ln).zip(left.rising(f64::ln)).and_then(|(x, base)| x.divide(base)))
        }
        _ => extreme(function, &[left, right]),
    }
}

fn extreme(function: Scalar, spans: &[Span]) -> Estimate {
    let pick: fn(f64, f64) -> f64 = match function {
        Scalar::Greatest => f64::max,
        Scalar::Least => f64::min,
        _ => return Unknown,
    };
    let join = |left: Span, right: &Span| Span {
        low: pick(left.low, right.low),
        middle: pick(left.middle, right.middle),
        high: pick(left.high, right.high),
    };
    match spans.split_first() {
        Some((first, rest)) => Estimate::Span(rest.iter().fold(*first, join)),
        None => Unknown,
    }
}

fn to_digits(function: Scalar, x: Span, digits: i32) -> Estimate {
    match function {
        Scalar::Round => step(x, digits, f64::round),
        _ => step(x, digits, f64::trunc),
    }
}

/// The literal number of digits of ROUND and TRUNC.
fn digits(argument: &GroupExpr) -> Option<i32> {
    match &*argument.kind {
        ExprKind::Literal(Literal::Integer(text)) => text.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
